/** `type` of docs/interface.md#track-layouts, as far as it is used here. */
type TrackType = 'PERMANENT_ROAD' | 'PERMANENT_OVAL' | 'TEMPORARY_ROAD' | 'STREET_CIRCUIT_ROAD';

/** Circuits: slug (2-20 characters), name, country (ISO 3166-1 alpha-3), location, other names. */
const TRACK_ROWS: readonly (readonly [string, string, string, string, ...string[]])[] = [
  ['silverstone', 'Silverstone Circuit', 'GBR', 'Silverstone, Northamptonshire',
    'Silverstone', 'Home of British Motor Racing'],
  ['brands-hatch', 'Brands Hatch Circuit', 'GBR', 'Fawkham, Kent', 'Brands Hatch', 'Brands'],
  ['nurburgring', 'Nürburgring', 'DEU', 'Nürburg, Rhineland-Palatinate', 'Nuerburgring', 'Nurburgring', 'Der Ring'],
  ['hockenheimring', 'Hockenheimring Baden-Württemberg', 'DEU', 'Hockenheim, Baden-Württemberg',
    'Hockenheim', 'Hockenheimring', 'Kurpfalzring'],
  ['zandvoort', 'Circuit Zandvoort', 'NLD', 'Zandvoort, North Holland', 'Zandvoort', 'Circuit Park Zandvoort'],
  ['spa', 'Circuit de Spa-Francorchamps', 'BEL', 'Stavelot, Liège', 'Spa', 'Spa-Francorchamps', 'Francorchamps'],
  ['red-bull-ring', 'Red Bull Ring', 'AUT', 'Spielberg, Styria', 'Österreichring', 'A1-Ring', 'Spielberg'],
  ['monza', 'Autodromo Nazionale Monza', 'ITA', 'Monza, Lombardy', 'Monza', 'Temple of Speed'],
  ['imola', 'Autodromo Internazionale Enzo e Dino Ferrari', 'ITA', 'Imola, Emilia-Romagna',
    'Imola', 'Autodromo Dino Ferrari'],
  ['mugello', 'Autodromo Internazionale del Mugello', 'ITA', 'Scarperia e San Piero, Tuscany',
    'Mugello', 'Mugello Circuit'],
  ['le-mans', 'Circuit des 24 Heures du Mans', 'FRA', 'Le Mans, Pays de la Loire',
    'Le Mans', 'Circuit de la Sarthe', 'Bugatti'],
  ['barcelona', 'Circuit de Barcelona-Catalunya', 'ESP', 'Montmeló, Catalonia',
    'Barcelona', 'Circuit de Catalunya', 'Montmeló'],
  ['suzuka', 'Suzuka International Racing Course', 'JPN', 'Suzuka, Mie', 'Suzuka', 'Suzuka Circuit', '鈴鹿サーキット'],
  ['mount-panorama', 'Mount Panorama Circuit', 'AUS', 'Bathurst, New South Wales',
    'Bathurst', 'Mount Panorama', 'Wahluu'],
  ['laguna-seca', 'WeatherTech Raceway Laguna Seca', 'USA', 'Monterey, California',
    'Laguna Seca', 'Mazda Raceway Laguna Seca'],
  ['watkins-glen', 'Watkins Glen International', 'USA', 'Watkins Glen, New York', 'Watkins Glen', 'The Glen'],
  ['indianapolis', 'Indianapolis Motor Speedway', 'USA', 'Speedway, Indiana', 'Indianapolis', 'The Brickyard', 'IMS'],
  ['interlagos', 'Autódromo José Carlos Pace', 'BRA', 'Interlagos, São Paulo', 'Interlagos', 'Autódromo de Interlagos'],
];

/**
 * Layouts: slug of the circuit, slug (2-40 characters), name, type, length in metres as published by the circuit or its
 * championship, first and last year of use (-1: still in use), and the corners in driving order: '-' for one without a
 * name of its own. Where a circuit publishes how many corners it has but no numbers for them (the Nordschleife: 73, the
 * Circuit de la Sarthe: 38, Mount Panorama), the names are in order, and the unnamed ones stand about where they lie.
 */
const LAYOUT_ROWS: readonly (readonly [string, string, string, TrackType, number, number, number, string])[] = [
  ['silverstone', 'silverstone-grand-prix', 'Silverstone Grand Prix', 'PERMANENT_ROAD', 5891, 2011, -1,
    'Abbey, Farm, Village, The Loop, Aintree, Brooklands, Luffield, Woodcote, Copse, Maggotts, -, Becketts, -, ' +
    'Chapel, Stowe, Vale, -, Club'],
  ['silverstone', 'silverstone-international', 'Silverstone International', 'PERMANENT_ROAD', 2979, 2010, -1,
    'Abbey, Farm, Village, The Loop, Aintree, -, Stowe, Vale, -, Club'],
  ['silverstone', 'silverstone-national', 'Silverstone National', 'PERMANENT_ROAD', 2639, 1997, -1,
    'Copse, Maggotts, Becketts, Brooklands, Luffield, Woodcote'],
  ['silverstone', 'silverstone-1952', 'Silverstone Grand Prix 1952-1974', 'PERMANENT_ROAD', 4711, 1952, 1974,
    'Copse, Maggotts, Becketts, Chapel, Stowe, Club, Abbey, Woodcote'],
  ['brands-hatch', 'brands-hatch-grand-prix', 'Brands Hatch Grand Prix', 'PERMANENT_ROAD', 3916, 2003, -1,
    'Paddock Hill Bend, Druids, Graham Hill Bend, Surtees, Hawthorn Bend, Westfield Bend, Sheene Curve, Stirlings, ' +
    'Clark Curve'],
  ['brands-hatch', 'brands-hatch-indy', 'Brands Hatch Indy', 'PERMANENT_ROAD', 1944, 2003, -1,
    'Paddock Hill Bend, Druids, Graham Hill Bend, Surtees, McLaren, Clark Curve'],
  ['nurburgring', 'nurburgring-grand-prix', 'Nürburgring Grand-Prix-Strecke', 'PERMANENT_ROAD', 5148, 2002, -1,
    'Yokohama-S, Mercedes-Arena, -, -, Valvoline-Kurve, Ford-Kurve, Dunlop-Kehre, Michael-Schumacher-S, -, ' +
    'Ravenol-Kurve, Bilstein-Kurve, Advan-Bogen, NGK-Schikane, -, Coca-Cola-Kurve'],
  ['nurburgring', 'nurburgring-nordschleife', 'Nürburgring Nordschleife', 'PERMANENT_ROAD', 20832, 1983, -1,
    'Sabine-Schmitz-Kurve, Hatzenbachbogen, Hatzenbach, -, -, -, -, -, Hocheichen, -, Quiddelbacher Höhe, Flugplatz, ' +
    '-, Kottenborn, Schwedenkreuz, Aremberg, Fuchsröhre, -, -, -, -, Adenauer Forst, -, -, Metzgesfeld, -, ' +
    'Kallenhard, -, Spiegelkurve, Dreifach-Rechts, -, -, Wehrseifen, -, Breidscheid, -, Ex-Mühle, Lauda-Links, ' +
    'Bergwerk, -, Kesselchen, -, -, Klostertal, Mutkurve, Steilstrecke, Caracciola-Karussell, -, -, Hohe Acht, ' +
    'Hedwigshöhe, Wippermann, -, -, Eschbach, -, Brünnchen, -, Eiskurve, -, Pflanzgarten I, -, Pflanzgarten II, ' +
    'Stefan-Bellof-S, -, Schwalbenschwanz, -, Kleines Karussell, Galgenkopf, Antoniusbuche, Tiergarten, Hohenrain, -'],
  ['hockenheimring', 'hockenheimring-grand-prix', 'Hockenheimring Grand Prix', 'PERMANENT_ROAD', 4574, 2002, -1,
    'Nordkurve, Einfahrt Parabolika, -, -, Parabolika, Spitzkehre, -, Mercedes-Kurve, -, -, -, Mobil 1 Kurve, ' +
    'Sachskurve, -, -, -, Südkurve'],
  ['hockenheimring', 'hockenheimring-national', 'Hockenheimring National', 'PERMANENT_ROAD', 3692, 2002, -1,
    'Nordkurve, Einfahrt Parabolika, -, -, -, Mercedes-Kurve, -, -, -, Mobil 1 Kurve, Sachskurve, -, -, -, Südkurve'],
  ['zandvoort', 'zandvoort-grand-prix', 'Zandvoort Grand Prix', 'PERMANENT_ROAD', 4259, 2020, -1,
    'Tarzanbocht, Gerlachbocht, Hugenholtzbocht, Hunserug, Rob Slotemakerbocht, -, Scheivlak, Mastersbocht, Bocht 9, ' +
    'Bocht 10, Hans Ernstbocht, -, Kumhobocht, Arie Luyendijkbocht'],
  ['zandvoort', 'zandvoort-1999', 'Zandvoort Grand Prix 1999-2019', 'PERMANENT_ROAD', 4307, 1999, 2019,
    'Tarzanbocht, Gerlachbocht, Hugenholtzbocht, Hunserug, Rob Slotemakerbocht, -, Scheivlak, Mastersbocht, Bocht 9, ' +
    'Bocht 10, Hans Ernstbocht, -, Kumhobocht, Arie Luyendijkbocht'],
  ['spa', 'spa-grand-prix', 'Spa-Francorchamps Grand Prix', 'PERMANENT_ROAD', 7004, 2007, -1,
    'La Source, Eau Rouge, Raidillon, -, Les Combes, -, Malmedy, Bruxelles, -, Pouhon, -, Les Fagnes, -, Campus, ' +
    'Stavelot, -, Blanchimont, Bus Stop, -'],
  ['red-bull-ring', 'red-bull-ring-grand-prix', 'Red Bull Ring Grand Prix', 'PERMANENT_ROAD', 4318, 2016, -1,
    'Niki Lauda Kurve, -, Remus, Schlossgold, -, Rauch, Würth, -, Rindt, Red Bull Mobile'],
  ['red-bull-ring', 'red-bull-ring-motorcycle', 'Red Bull Ring Motorcycle', 'PERMANENT_ROAD', 4348, 2022, -1,
    'Niki Lauda Kurve, -, Remus, Schlossgold, -, Rauch, Würth, -, Rindt, Red Bull Mobile'],
  ['monza', 'monza-grand-prix', 'Monza Grand Prix', 'PERMANENT_ROAD', 5793, 2000, -1,
    'Variante del Rettifilo, -, Curva Biassono, Variante della Roggia, -, Lesmo 1, Lesmo 2, Variante Ascari, -, -, ' +
    'Curva Alboreto'],
  ['monza', 'monza-combined', 'Monza road course and oval combined', 'PERMANENT_ROAD', 10000, 1955, 1971,
    'Curva Grande, -, Lesmo 1, Lesmo 2, -, Vialone, Parabolica, Sopraelevata Nord, Sopraelevata Sud'],
  ['imola', 'imola-grand-prix', 'Imola Grand Prix', 'PERMANENT_ROAD', 4909, 2008, -1,
    '-, Tamburello, -, -, Villeneuve, -, Tosa, -, Piratella, -, Acque Minerali, -, -, Variante Alta, -, -, Rivazza, ' +
    '-, -'],
  ['mugello', 'mugello-grand-prix', 'Mugello Grand Prix', 'PERMANENT_ROAD', 5245, 1974, -1,
    'San Donato, Luco, Poggio Secco, Materassi, Borgo San Lorenzo, Casanova, Savelli, Arrabbiata 1, Arrabbiata 2, ' +
    'Scarperia, Palagio, Correntaio, Biondetti 1, Biondetti 2, Bucine'],
  ['le-mans', 'le-mans-la-sarthe', 'Circuit de la Sarthe', 'TEMPORARY_ROAD', 13626, 2018, -1,
    'Courbe Dunlop, -, Chicane Dunlop, -, -, Esses de la Forêt, -, Tertre Rouge, -, Chicane Daytona, -, -, -, ' +
    'Chicane Michelin, -, -, Courbe des Hunaudières, -, Mulsanne, -, Courbe du Golf, -, Indianapolis, -, Arnage, -, ' +
    '-, Virage Porsche, Virage du Pont, Esses du Karting, -, Virage Corvette, Maison Blanche, -, Chicane Ford, -, ' +
    'Raccordement, -'],
  ['le-mans', 'le-mans-bugatti', 'Le Mans Bugatti', 'PERMANENT_ROAD', 4185, 2008, -1,
    'Courbe Dunlop, -, Chicane Dunlop, -, -, La Chapelle, Le Musée, Garage Vert, Chemin aux Bœufs, -, Garage Bleu, ' +
    '-, Raccordement, -'],
  ['barcelona', 'barcelona-grand-prix', 'Barcelona Grand Prix', 'PERMANENT_ROAD', 4657, 2021, -1,
    'Elf, -, Renault, Repsol, Seat, -, Würth, -, Campsa, La Caixa, -, Banc Sabadell, Europcar, New Holland'],
  ['barcelona', 'barcelona-chicane', 'Barcelona Grand Prix with chicane', 'PERMANENT_ROAD', 4675, 2021, -1,
    'Elf, -, Renault, Repsol, Seat, -, Würth, -, Campsa, La Caixa, -, Banc Sabadell, Europcar, -, Chicane RACC, ' +
    'New Holland'],
  ['barcelona', 'barcelona-2007', 'Barcelona Grand Prix 2007-2020', 'PERMANENT_ROAD', 4655, 2007, 2020,
    'Elf, -, Renault, Repsol, Seat, -, Würth, -, Campsa, La Caixa, -, Banc Sabadell, Europcar, -, Chicane RACC, ' +
    'New Holland'],
  ['suzuka', 'suzuka-full', 'Suzuka Full Course', 'PERMANENT_ROAD', 5807, 2003, -1,
    'First Corner, Second Corner, S Curves, -, -, Anti-Banked Curve, Dunlop, Degner 1, Degner 2, -, Hairpin, 200R, ' +
    'Spoon, -, 130R, Casio Triangle, -, Last Corner'],
  ['suzuka', 'suzuka-east', 'Suzuka East Course', 'PERMANENT_ROAD', 2243, 1987, -1,
    'First Corner, Second Corner, S Curves, -, -, Anti-Banked Curve, -'],
  ['mount-panorama', 'mount-panorama', 'Mount Panorama', 'STREET_CIRCUIT_ROAD', 6213, 1987, -1,
    'Hell Corner, Griffins Bend, -, The Cutting, -, -, Reid Park, -, Sulman Park, McPhillamy Park, -, ' +
    "Brock's Skyline, -, The Esses, -, -, The Dipper, -, Forrest's Elbow, -, The Chase, -, Murray's Corner"],
  ['mount-panorama', 'mount-panorama-1938', 'Mount Panorama 1938-1986', 'STREET_CIRCUIT_ROAD', 6172, 1938, 1986,
    'Hell Corner, Griffins Bend, -, The Cutting, -, -, Reid Park, -, Sulman Park, McPhillamy Park, -, Skyline, -, ' +
    "The Esses, -, -, The Dipper, -, Forrest's Elbow, Murray's Corner"],
  ['laguna-seca', 'laguna-seca-grand-prix', 'Laguna Seca Grand Prix', 'PERMANENT_ROAD', 3602, 1996, -1,
    '-, Andretti Hairpin, -, -, -, -, -, Corkscrew, Rainey Curve, -, -'],
  ['watkins-glen', 'watkins-glen-grand-prix', 'Watkins Glen Grand Prix', 'PERMANENT_ROAD', 5552, 1992, -1,
    'The 90, The Esses, -, -, Outer Loop, Chute, Toe, Heel, -, -, -'],
  ['watkins-glen', 'watkins-glen-short', 'Watkins Glen Short', 'PERMANENT_ROAD', 3943, 1992, -1,
    'The 90, The Esses, -, -, Inner Loop, Outer Loop, -, -'],
  ['indianapolis', 'indianapolis-oval', 'Indianapolis Oval', 'PERMANENT_OVAL', 4023, 1909, -1, '-, -, -, -'],
  ['indianapolis', 'indianapolis-road', 'Indianapolis Road Course', 'PERMANENT_ROAD', 3925, 2014, -1,
    '-, -, -, -, -, -, -, -, -, -, -, -, -, -'],
  ['interlagos', 'interlagos-grand-prix', 'Interlagos Grand Prix', 'PERMANENT_ROAD', 4309, 1999, -1,
    'Senna S, -, Curva do Sol, Descida do Lago, -, Ferradura, -, Laranjinha, Pinheirinho, Bico de Pato, Mergulho, ' +
    'Junção, -, Subida dos Boxes, Arquibancadas'],
];

/** All circuits of the demo. */
export const TRACKS = TRACK_ROWS.map(([slug, displayName, country, location, ...alternativeNames]) => (
  { slug, displayName, alternativeNames, country, location }));

/** All layouts of all circuits; `track` is the slug of the circuit. */
export const LAYOUTS = LAYOUT_ROWS.map(([track, slug, displayName, type, length, firstUsage, lastUsage, corners]) => {
  const cornerNames = corners.split(', ');
  const cornerCount = cornerNames.length;
  return { track, slug, displayName, type, length, firstUsage, lastUsage, cornerCount, cornerNames };
});
