/** The simulators by slug. */
const NAMES = { acc: 'Assetto Corsa Competizione', iracing: 'iRacing', lmu: 'Le Mans Ultimate' } as const;
type Simulator = keyof typeof NAMES;

/** What each simulator calls something; a simulator that does not have it is left out. */
type NameTable<Name> = Readonly<Record<string, { readonly [S in Simulator]?: Name }>>;

/** A car's name and, where the simulator numbers its cars, that number. */
type CarName = readonly [simulatorIdentifier: string, contentId?: string];

/** Layouts: track folder of Assetto Corsa Competizione, track name of iRacing, name in sessions of Le Mans Ultimate. */
const LAYOUT_NAMES: NameTable<string> = {
  'silverstone-grand-prix': { acc: 'silverstone', iracing: 'silverstone 2019 gp' },
  'silverstone-international': { iracing: 'silverstone 2019 international' },
  'silverstone-national': { iracing: 'silverstone 2019 national' },
  'brands-hatch-grand-prix': { acc: 'brands_hatch', iracing: 'brandshatch grandprix' },
  'brands-hatch-indy': { iracing: 'brandshatch indy' },
  'nurburgring-grand-prix': { acc: 'nurburgring', iracing: 'nurburgring gp' },
  'nurburgring-nordschleife': { iracing: 'nurburgring nordschleife' },
  'hockenheimring-grand-prix': { iracing: 'hockenheim gp' },
  'hockenheimring-national': { iracing: 'hockenheim nationala' },
  'zandvoort-grand-prix': { acc: 'zandvoort', iracing: 'zandvoort 2023 gp' },
  'spa-grand-prix': { acc: 'spa', iracing: 'spa up', lmu: 'Circuit de Spa-Francorchamps' },
  'red-bull-ring-grand-prix': { acc: 'red_bull_ring', iracing: 'spielberg gp' },
  'monza-grand-prix': { acc: 'monza', iracing: 'monza full', lmu: 'Autodromo Nazionale Monza' },
  'imola-grand-prix': { acc: 'imola', iracing: 'imola gp', lmu: 'Autodromo Enzo e Dino Ferrari' },
  'mugello-grand-prix': { iracing: 'mugello gp' },
  'le-mans-la-sarthe': { iracing: 'lemans full', lmu: 'Circuit de la Sarthe' },
  'barcelona-2007': { iracing: 'barcelona gp' },
  'suzuka-full': { acc: 'suzuka', iracing: 'suzuka grandprix' },
  'mount-panorama': { acc: 'mount_panorama', iracing: 'bathurst' },
  'laguna-seca-grand-prix': { acc: 'laguna_seca', iracing: 'lagunaseca', lmu: 'WeatherTech Raceway Laguna Seca' },
  'watkins-glen-grand-prix': { acc: 'watkins_glen', iracing: 'watkinsglen 2021 fullcourse' },
  'watkins-glen-short': { iracing: 'watkinsglen 2021 cupcircuit' },
  'indianapolis-oval': { iracing: 'indianapolis 2022 oval' },
  'indianapolis-road': { acc: 'indianapolis', iracing: 'indianapolis 2022 road' },
  'interlagos-grand-prix': { iracing: 'interlagos gp', lmu: 'Autódromo José Carlos Pace' },
};

/**
 * Cars: car folder of Assetto Corsa Competizione, with the car model number of its server results; car path of iRacing,
 * with its car id; name in the sessions of Le Mans Ultimate.
 */
const CAR_NAMES: NameTable<CarName> = {
  'porsche-911-gt3-r': {
    acc: ['porsche_992_gt3_r', '34'], iracing: ['porsche992rgt3'], lmu: ['Porsche 911 GT3 R LMGT3'] },
  'bmw-m4-gt3': { acc: ['bmw_m4_gt3', '30'], iracing: ['bmwm4gt3', '132'], lmu: ['BMW M4 LMGT3'] },
  'mercedes-amg-gt3': {
    acc: ['mercedes_amg_gt3_evo', '25'], iracing: ['mercedesamgevogt3', '156'], lmu: ['Mercedes-AMG LMGT3'] },
  'audi-r8-lms-gt3-evo-ii': { acc: ['audi_r8_lms_evo_ii', '31'], iracing: ['audir8lmsevo2gt3'] },
  'ferrari-296-gt3': { acc: ['ferrari_296_gt3', '32'], iracing: ['ferrari296gt3', '173'] },
  'lamborghini-huracan-gt3-evo2': { acc: ['lamborghini_huracan_gt3_evo2', '33'] },
  'mclaren-720s-gt3-evo': {
    acc: ['mclaren_720s_gt3_evo', '35'], iracing: ['mclaren720sgt3', '188'], lmu: ['McLaren 720S LMGT3 Evo'] },
  'aston-martin-vantage-gt3': { acc: ['amr_v8_vantage_gt3', '20'] },
  'ford-mustang-gt3': { acc: ['ford_mustang_gt3', '36'], iracing: ['fordmustanggt3'], lmu: ['Ford Mustang LMGT3'] },
  'chevrolet-corvette-z06-gt3': { iracing: ['chevyvettez06rgt3'] },
  'honda-nsx-gt3-evo': { acc: ['honda_nsx_gt3_evo', '21'] },
  'nissan-gt-r-gt3': { acc: ['nissan_gt_r_gt3_2018', '6'] },
  'porsche-718-gt4': { acc: ['porsche_718_cayman_gt4_mr', '61'], iracing: ['porsche718gt4', '119'] },
  'bmw-m4-gt4': { acc: ['bmw_m4_gt4', '53'], iracing: ['bmwm4gt4', '122'] },
  'mercedes-amg-gt4': { acc: ['mercedes_amg_gt4', '60'], iracing: ['mercedesamggt4'] },
  'mclaren-570s-gt4': { acc: ['mclaren_570s_gt4', '59'], iracing: ['mclaren570sgt4', '135'] },
  'aston-martin-vantage-gt4': { acc: ['amr_v8_vantage_gt4', '51'], iracing: ['amvantagegt4'] },
  'alpine-a110-gt4': { acc: ['alpine_a110_gt4', '50'] },
  'audi-r8-lms-gt4': { acc: ['audi_r8_gt4', '52'] },
  'porsche-963': { iracing: ['porsche963gtp'], lmu: ['Porsche 963'] },
  'ferrari-499p': { iracing: ['ferrari499p'], lmu: ['Ferrari 499P'] },
  'toyota-gr010': { lmu: ['Toyota GR010'] },
  'cadillac-v-series-r': { iracing: ['cadillacvseriesrgtp'], lmu: ['Cadillac V-Series.R'] },
  'bmw-m-hybrid-v8': { iracing: ['bmwlmdh'], lmu: ['BMW M Hybrid V8'] },
  'peugeot-9x8': { lmu: ['Peugeot 9x8'] },
  'alpine-a424': { lmu: ['Alpine A424'] },
  'acura-arx-06': { iracing: ['acuraarx06gtp'] },
  'oreca-07': { lmu: ['Oreca 07'] },
  'dallara-p217': { iracing: ['dallarap217', '128'] },
  'audi-rs3-lms': { iracing: ['audirs3lms', '112'] },
  'hyundai-elantra-n-tcr': { iracing: ['hyundaielantracn7'] },
  'honda-civic-type-r-tcr': { iracing: ['hondacivictyper'] },
  'mercedes-amg-w13': { iracing: ['mercedesw13'] },
  'dallara-ir-18': { iracing: ['dallarair18', '99'] },
  'dallara-sf23': { iracing: ['superformulasf23 toyota'] },
};

function namesIn<Name>(simulator: Simulator, table: NameTable<Name>): readonly (readonly [key: string, name: Name])[] {
  return Object.entries(table).flatMap(([key, { [simulator]: name }]) => (name === undefined ? [] : [[key, name]]));
}

function simulator(slug: Simulator) {
  return { slug, displayName: NAMES[slug], layouts: namesIn(slug, LAYOUT_NAMES), cars: namesIn(slug, CAR_NAMES) };
}

/** Simulators, and what they call the layouts and cars of this catalogue. */
export const SIMULATORS = [simulator('acc'), simulator('iracing'), simulator('lmu')];
