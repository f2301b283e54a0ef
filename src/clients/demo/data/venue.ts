/** The four rigs of the demo venue. */
export const RIGS = [
  { hardwareId: 'SRT-DEMO-7C2F-01', name: 'Rig 1 window',
    description: 'Fanatec ClubSport DD+, Heusinkveld Sprint pedals, triple 32-inch screens' },
  { hardwareId: 'SRT-DEMO-7C2F-02', name: 'Rig 2 centre',
    description: 'Simucube 2 Pro, Heusinkveld Ultimate+ pedals, 49-inch ultrawide' },
  { hardwareId: 'SRT-DEMO-7C2F-03', name: 'Rig 3 wall',
    description: 'MOZA R21, MOZA CRP pedals, triple 27-inch screens' },
  { hardwareId: 'SRT-DEMO-7C2F-04', name: 'Rig 4 motion',
    description: 'Asetek Forte wheelbase and pedals, Sim-Lab P1X Pro frame on motion actuators, VR headset' },
];

/**
 * Makers of sim-racing hardware, who sponsor the venue; the logo is shown at that percentage of its normal size
 * (docs/interface.md#sponsor-brands).
 */
export const SPONSORS = [
  { key: 'fanatec', name: 'Fanatec', websiteUrl: 'https://fanatec.com', logoScalePercentage: 100 },
  { key: 'moza', name: 'MOZA Racing', websiteUrl: 'https://mozaracing.com', logoScalePercentage: 90 },
  { key: 'simucube', name: 'Simucube', websiteUrl: 'https://simucube.com', logoScalePercentage: 100 },
  { key: 'heusinkveld', name: 'Heusinkveld', websiteUrl: 'https://heusinkveld.com', logoScalePercentage: 110 },
  { key: 'asetek', name: 'Asetek SimSports', websiteUrl: 'https://www.asetek.com/simsports', logoScalePercentage: 100 },
  { key: 'logitech-g', name: 'Logitech G', websiteUrl: 'https://www.logitechg.com', logoScalePercentage: 80 },
  { key: 'thrustmaster', name: 'Thrustmaster', websiteUrl: 'https://www.thrustmaster.com', logoScalePercentage: 100 },
  { key: 'sim-lab', name: 'Sim-Lab', websiteUrl: 'https://sim-lab.eu', logoScalePercentage: 120 },
];

/** How much somebody drives; decides the pace of their laps. */
export type Level = 'beginner' | 'regular' | 'expert';

type Row = readonly [string, string, string, string, string, string, Level];

/**
 * First and last name, e-mail address (the stable name), phone number, nationality (ISO 3166-1 alpha-3), nickname and
 * level. E-mail addresses are at the domains that RFC 2606 reserves. Phone numbers come from the range that a country
 * keeps for fiction (such as +44 7700 900xxx); elsewhere they begin with 000, which nobody is assigned.
 */
const ROWS: readonly Row[] = [
  ['Lena', 'Hartmann', 'lena.hartmann@example.com', '+49 30 23125 011', 'DEU', 'Harti', 'expert'],
  ['Jonas', 'Weidner', 'jonas.weidner@example.com', '+49 30 23125 024', 'DEU', 'Joni', 'regular'],
  ['Miriam', 'Oberhofer', 'miriam.oberhofer@example.org', '+49 89 99998 113', 'DEU', 'Miri', 'beginner'],
  ['Tobias', 'Kranz', 'tobias.kranz@example.net', '+49 221 4710 245', 'DEU', 'Kranzler', 'regular'],
  ['Aylin', 'Demirel', 'aylin.demirel@example.com', '+49 40 66969 310', 'DEU', 'Ay', 'expert'],
  ['Oliver', 'Thackeray', 'oliver.thackeray@example.com', '+44 7700 900112', 'GBR', 'Ollie', 'expert'],
  ['Imogen', 'Farrow', 'imogen.farrow@example.org', '+44 7700 900245', 'GBR', 'Immy', 'regular'],
  ['Callum', 'Redpath', 'callum.redpath@example.net', '+44 7700 900318', 'GBR', 'Redders', 'regular'],
  ['Priya', 'Nandakumar', 'priya.nandakumar@example.com', '+44 7700 900467', 'GBR', 'Pri', 'beginner'],
  ['Gethin', 'Prosser', 'gethin.prosser@example.com', '+44 7700 900583', 'GBR', 'Geth', 'regular'],
  ['Camille', 'Delaunay', 'camille.delaunay@example.com', '+33 1 99 00 12 34', 'FRA', 'Cam', 'regular'],
  ['Théo', 'Marchetti', 'theo.marchetti@example.org', '+33 1 99 00 45 67', 'FRA', 'Titi', 'expert'],
  ['Noémie', 'Garrigues', 'noemie.garrigues@example.net', '+33 2 61 91 23 45', 'FRA', 'Nono', 'beginner'],
  ['Matteo', 'Bellandi', 'matteo.bellandi@example.com', '+39 000 010 0101', 'ITA', 'Teo', 'expert'],
  ['Giulia', 'Ferrante', 'giulia.ferrante@example.com', '+39 000 010 0102', 'ITA', 'Giugiu', 'regular'],
  ['Riccardo', 'Zanin', 'riccardo.zanin@example.org', '+39 000 010 0103', 'ITA', 'Ricky', 'beginner'],
  ['Sofía', 'Carrascal', 'sofia.carrascal@example.com', '+34 000 010 201', 'ESP', 'Sofi', 'regular'],
  ['Iker', 'Mendieta', 'iker.mendieta@example.net', '+34 000 010 202', 'ESP', 'Iki', 'expert'],
  ['Joana', 'Vasconcelos', 'joana.vasconcelos@example.com', '+351 000 010 301', 'PRT', 'Jo', 'regular'],
  ['Daan', 'Verhoeven', 'daan.verhoeven@example.com', '+31 000 010 401', 'NLD', 'Daantje', 'expert'],
  ['Femke', 'Hoogland', 'femke.hoogland@example.org', '+31 000 010 402', 'NLD', 'Fem', 'regular'],
  ['Wout', 'Claessens', 'wout.claessens@example.com', '+32 000 010 501', 'BEL', 'Woutje', 'regular'],
  ['Élise', 'Lambrecht', 'elise.lambrecht@example.net', '+32 000 010 502', 'BEL', 'Lili', 'beginner'],
  ['Florian', 'Gruber', 'florian.gruber@example.com', '+43 000 010 601', 'AUT', 'Flo', 'regular'],
  ['Seraina', 'Caduff', 'seraina.caduff@example.org', '+41 000 010 701', 'CHE', 'Sera', 'expert'],
  ['Elin', 'Sandström', 'elin.sandstrom@example.com', '+46 70 174 06 05', 'SWE', 'Sandy', 'regular'],
  ['Aleksi', 'Korhola', 'aleksi.korhola@example.com', '+358 000 010 801', 'FIN', 'Ale', 'expert'],
  ['Ingrid', 'Fjeldstad', 'ingrid.fjeldstad@example.net', '+47 000 010 901', 'NOR', 'Inga', 'regular'],
  ['Mikkel', 'Thorup', 'mikkel.thorup@example.com', '+45 000 010 111', 'DNK', 'Mik', 'beginner'],
  ['Zuzanna', 'Wilczek', 'zuzanna.wilczek@example.com', '+48 000 010 121', 'POL', 'Zuza', 'regular'],
  ['Ondřej', 'Havránek', 'ondrej.havranek@example.org', '+420 000 010 131', 'CZE', 'Ondra', 'regular'],
  ['Réka', 'Szalontai', 'reka.szalontai@example.com', '+36 000 010 141', 'HUN', 'Réka', 'beginner'],
  ['Haruto', 'Minamida', 'haruto.minamida@example.com', '+81 000 010 151', 'JPN', 'Haru', 'expert'],
  ['Yui', 'Kobayakawa', 'yui.kobayakawa@example.net', '+81 000 010 152', 'JPN', 'Yui', 'regular'],
  ['Ji-won', 'Namgung', 'jiwon.namgung@example.com', '+82 000 010 161', 'KOR', 'JW', 'regular'],
  ['Mackenzie', 'Doyle', 'mackenzie.doyle@example.com', '+1 317 555 0142', 'USA', 'Mac', 'expert'],
  ['Darnell', 'Whitlock', 'darnell.whitlock@example.org', '+1 831 555 0117', 'USA', 'Whit', 'regular'],
  ['Chloé', 'Beauchemin', 'chloe.beauchemin@example.com', '+1 514 555 0163', 'CAN', 'Clo', 'beginner'],
  ['Thiago', 'Albuquerque', 'thiago.albuquerque@example.com', '+55 000 010 171', 'BRA', 'Thi', 'expert'],
  ['Lachlan', 'Brannigan', 'lachlan.brannigan@example.com', '+61 491 570 156', 'AUS', 'Lachie', 'regular'],
];

/** The competitors, all invented. */
export const PEOPLE = ROWS.map(
  ([firstName, lastName, email, phoneNumber, nationality, nickname, level]) => (
    { firstName, lastName, email, phoneNumber, nationality, nickname, level }),
);
