import type { TrackData } from '../types.ts';

/**
 * Circuits in Great Britain, Germany, the Netherlands, Belgium and Austria. The Nordschleife publishes how many corners
 * it has (73) but no numbers for them: its names are in order, and the unnamed ones stand about where they lie.
 */
export const CIRCUITS_NORTH: readonly TrackData[] = [
  {
    slug: 'silverstone', displayName: 'Silverstone Circuit', country: 'GBR', location: 'Silverstone, Northamptonshire',
    alternativeNames: ['Silverstone', 'Home of British Motor Racing'],
    layouts: [
      {
        slug: 'silverstone-grand-prix', displayName: 'Silverstone Grand Prix', type: 'PERMANENT_ROAD',
        length: 5891, firstUsage: 2011, lastUsage: -1, cornerCount: 18,
        cornerNames: [
          'Abbey', 'Farm', 'Village', 'The Loop', 'Aintree', 'Brooklands', 'Luffield', 'Woodcote', 'Copse',
          'Maggotts', '-', 'Becketts', '-', 'Chapel', 'Stowe', 'Vale', '-', 'Club',
        ],
      },
      {
        slug: 'silverstone-international', displayName: 'Silverstone International', type: 'PERMANENT_ROAD',
        length: 2979, firstUsage: 2010, lastUsage: -1, cornerCount: 10,
        cornerNames: ['Abbey', 'Farm', 'Village', 'The Loop', 'Aintree', '-', 'Stowe', 'Vale', '-', 'Club'],
      },
      {
        slug: 'silverstone-national', displayName: 'Silverstone National', type: 'PERMANENT_ROAD',
        length: 2639, firstUsage: 1997, lastUsage: -1, cornerCount: 6,
        cornerNames: ['Copse', 'Maggotts', 'Becketts', 'Brooklands', 'Luffield', 'Woodcote'],
      },
      {
        slug: 'silverstone-1952', displayName: 'Silverstone Grand Prix 1952-1974', type: 'PERMANENT_ROAD',
        length: 4711, firstUsage: 1952, lastUsage: 1974, cornerCount: 8,
        cornerNames: ['Copse', 'Maggotts', 'Becketts', 'Chapel', 'Stowe', 'Club', 'Abbey', 'Woodcote'],
      },
    ],
  },
  {
    slug: 'brands-hatch', displayName: 'Brands Hatch Circuit', country: 'GBR', location: 'Fawkham, Kent',
    alternativeNames: ['Brands Hatch', 'Brands'],
    layouts: [
      {
        slug: 'brands-hatch-grand-prix', displayName: 'Brands Hatch Grand Prix', type: 'PERMANENT_ROAD',
        length: 3916, firstUsage: 2003, lastUsage: -1, cornerCount: 9,
        cornerNames: [
          'Paddock Hill Bend', 'Druids', 'Graham Hill Bend', 'Surtees', 'Hawthorn Bend', 'Westfield Bend',
          'Sheene Curve', 'Stirlings', 'Clark Curve',
        ],
      },
      {
        slug: 'brands-hatch-indy', displayName: 'Brands Hatch Indy', type: 'PERMANENT_ROAD',
        length: 1944, firstUsage: 2003, lastUsage: -1, cornerCount: 6,
        cornerNames: ['Paddock Hill Bend', 'Druids', 'Graham Hill Bend', 'Surtees', 'McLaren', 'Clark Curve'],
      },
    ],
  },
  {
    slug: 'nurburgring', displayName: 'Nürburgring', country: 'DEU', location: 'Nürburg, Rhineland-Palatinate',
    alternativeNames: ['Nuerburgring', 'Nurburgring', 'Der Ring'],
    layouts: [
      {
        slug: 'nurburgring-grand-prix', displayName: 'Nürburgring Grand-Prix-Strecke', type: 'PERMANENT_ROAD',
        length: 5148, firstUsage: 2002, lastUsage: -1, cornerCount: 15,
        cornerNames: [
          'Yokohama-S', 'Mercedes-Arena', '-', '-', 'Valvoline-Kurve', 'Ford-Kurve', 'Dunlop-Kehre',
          'Michael-Schumacher-S', '-', 'Ravenol-Kurve', 'Bilstein-Kurve', 'Advan-Bogen', 'NGK-Schikane', '-',
          'Coca-Cola-Kurve',
        ],
      },
      {
        slug: 'nurburgring-nordschleife', displayName: 'Nürburgring Nordschleife', type: 'PERMANENT_ROAD',
        length: 20832, firstUsage: 1983, lastUsage: -1, cornerCount: 73,
        cornerNames: [
          'Sabine-Schmitz-Kurve', 'Hatzenbachbogen', 'Hatzenbach', '-', '-', '-', '-', '-', 'Hocheichen', '-',
          'Quiddelbacher Höhe', 'Flugplatz', '-', 'Kottenborn', 'Schwedenkreuz', 'Aremberg', 'Fuchsröhre', '-',
          '-', '-', '-', 'Adenauer Forst', '-', '-', 'Metzgesfeld', '-', 'Kallenhard', '-', 'Spiegelkurve',
          'Dreifach-Rechts', '-', '-', 'Wehrseifen', '-', 'Breidscheid', '-', 'Ex-Mühle', 'Lauda-Links', 'Bergwerk',
          '-', 'Kesselchen', '-', '-', 'Klostertal', 'Mutkurve', 'Steilstrecke', 'Caracciola-Karussell', '-', '-',
          'Hohe Acht', 'Hedwigshöhe', 'Wippermann', '-', '-', 'Eschbach', '-', 'Brünnchen', '-', 'Eiskurve', '-',
          'Pflanzgarten I', '-', 'Pflanzgarten II', 'Stefan-Bellof-S', '-', 'Schwalbenschwanz', '-',
          'Kleines Karussell', 'Galgenkopf', 'Antoniusbuche', 'Tiergarten', 'Hohenrain', '-',
        ],
      },
    ],
  },
  {
    slug: 'hockenheimring', displayName: 'Hockenheimring Baden-Württemberg', country: 'DEU',
    location: 'Hockenheim, Baden-Württemberg', alternativeNames: ['Hockenheim', 'Hockenheimring', 'Kurpfalzring'],
    layouts: [
      {
        slug: 'hockenheimring-grand-prix', displayName: 'Hockenheimring Grand Prix', type: 'PERMANENT_ROAD',
        length: 4574, firstUsage: 2002, lastUsage: -1, cornerCount: 17,
        cornerNames: [
          'Nordkurve', 'Einfahrt Parabolika', '-', '-', 'Parabolika', 'Spitzkehre', '-', 'Mercedes-Kurve', '-', '-',
          '-', 'Mobil 1 Kurve', 'Sachskurve', '-', '-', '-', 'Südkurve',
        ],
      },
      {
        slug: 'hockenheimring-national', displayName: 'Hockenheimring National', type: 'PERMANENT_ROAD',
        length: 3692, firstUsage: 2002, lastUsage: -1, cornerCount: 15,
        cornerNames: [
          'Nordkurve', 'Einfahrt Parabolika', '-', '-', '-', 'Mercedes-Kurve', '-', '-', '-', 'Mobil 1 Kurve',
          'Sachskurve', '-', '-', '-', 'Südkurve',
        ],
      },
    ],
  },
  {
    slug: 'zandvoort', displayName: 'Circuit Zandvoort', country: 'NLD', location: 'Zandvoort, North Holland',
    alternativeNames: ['Zandvoort', 'Circuit Park Zandvoort'],
    layouts: [
      {
        slug: 'zandvoort-grand-prix', displayName: 'Zandvoort Grand Prix', type: 'PERMANENT_ROAD',
        length: 4259, firstUsage: 2020, lastUsage: -1, cornerCount: 14,
        cornerNames: [
          'Tarzanbocht', 'Gerlachbocht', 'Hugenholtzbocht', 'Hunserug', 'Rob Slotemakerbocht', '-', 'Scheivlak',
          'Mastersbocht', 'Bocht 9', 'Bocht 10', 'Hans Ernstbocht', '-', 'Kumhobocht', 'Arie Luyendijkbocht',
        ],
      },
      {
        slug: 'zandvoort-1999', displayName: 'Zandvoort Grand Prix 1999-2019', type: 'PERMANENT_ROAD',
        length: 4307, firstUsage: 1999, lastUsage: 2019, cornerCount: 14,
        cornerNames: [
          'Tarzanbocht', 'Gerlachbocht', 'Hugenholtzbocht', 'Hunserug', 'Rob Slotemakerbocht', '-', 'Scheivlak',
          'Mastersbocht', 'Bocht 9', 'Bocht 10', 'Hans Ernstbocht', '-', 'Kumhobocht', 'Arie Luyendijkbocht',
        ],
      },
    ],
  },
  {
    slug: 'spa', displayName: 'Circuit de Spa-Francorchamps', country: 'BEL', location: 'Stavelot, Liège',
    alternativeNames: ['Spa', 'Spa-Francorchamps', 'Francorchamps'],
    layouts: [
      {
        slug: 'spa-grand-prix', displayName: 'Spa-Francorchamps Grand Prix', type: 'PERMANENT_ROAD',
        length: 7004, firstUsage: 2007, lastUsage: -1, cornerCount: 19,
        cornerNames: [
          'La Source', 'Eau Rouge', 'Raidillon', '-', 'Les Combes', '-', 'Malmedy', 'Bruxelles', '-', 'Pouhon', '-',
          'Les Fagnes', '-', 'Campus', 'Stavelot', '-', 'Blanchimont', 'Bus Stop', '-',
        ],
      },
    ],
  },
  {
    slug: 'red-bull-ring', displayName: 'Red Bull Ring', country: 'AUT', location: 'Spielberg, Styria',
    alternativeNames: ['Österreichring', 'A1-Ring', 'Spielberg'],
    layouts: [
      {
        slug: 'red-bull-ring-grand-prix', displayName: 'Red Bull Ring Grand Prix', type: 'PERMANENT_ROAD',
        length: 4318, firstUsage: 2016, lastUsage: -1, cornerCount: 10,
        cornerNames: [
          'Niki Lauda Kurve', '-', 'Remus', 'Schlossgold', '-', 'Rauch', 'Würth', '-', 'Rindt', 'Red Bull Mobile',
        ],
      },
      {
        slug: 'red-bull-ring-motorcycle', displayName: 'Red Bull Ring Motorcycle', type: 'PERMANENT_ROAD',
        length: 4348, firstUsage: 2022, lastUsage: -1, cornerCount: 10,
        cornerNames: [
          'Niki Lauda Kurve', '-', 'Remus', 'Schlossgold', '-', 'Rauch', 'Würth', '-', 'Rindt', 'Red Bull Mobile',
        ],
      },
    ],
  },
];
