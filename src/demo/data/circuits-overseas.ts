import type { TrackData } from '../types.ts';

/**
 * Circuits in Japan, Australia, the United States and Brazil. Not every corner of Mount Panorama has a published
 * number: its names are in order, and the unnamed ones stand about where they lie.
 */
export const CIRCUITS_OVERSEAS: readonly TrackData[] = [
  {
    slug: 'suzuka', displayName: 'Suzuka International Racing Course', country: 'JPN', location: 'Suzuka, Mie',
    alternativeNames: ['Suzuka', 'Suzuka Circuit', '鈴鹿サーキット'],
    layouts: [
      {
        slug: 'suzuka-full', displayName: 'Suzuka Full Course', type: 'PERMANENT_ROAD',
        length: 5807, firstUsage: 2003, lastUsage: -1, cornerCount: 18,
        cornerNames: [
          'First Corner', 'Second Corner', 'S Curves', '-', '-', 'Anti-Banked Curve', 'Dunlop', 'Degner 1', 'Degner 2',
          '-', 'Hairpin', '200R', 'Spoon', '-', '130R', 'Casio Triangle', '-', 'Last Corner',
        ],
      },
      {
        slug: 'suzuka-east', displayName: 'Suzuka East Course', type: 'PERMANENT_ROAD',
        length: 2243, firstUsage: 1987, lastUsage: -1, cornerCount: 7,
        cornerNames: ['First Corner', 'Second Corner', 'S Curves', '-', '-', 'Anti-Banked Curve', '-'],
      },
    ],
  },
  {
    slug: 'mount-panorama', displayName: 'Mount Panorama Circuit', country: 'AUS',
    location: 'Bathurst, New South Wales', alternativeNames: ['Bathurst', 'Mount Panorama', 'Wahluu'],
    layouts: [
      {
        slug: 'mount-panorama', displayName: 'Mount Panorama', type: 'STREET_CIRCUIT_ROAD',
        length: 6213, firstUsage: 1987, lastUsage: -1, cornerCount: 23,
        cornerNames: [
          'Hell Corner', 'Griffins Bend', '-', 'The Cutting', '-', '-', 'Reid Park', '-', 'Sulman Park',
          'McPhillamy Park', '-', 'Brock\'s Skyline', '-', 'The Esses', '-', '-', 'The Dipper', '-',
          'Forrest\'s Elbow', '-', 'The Chase', '-', 'Murray\'s Corner',
        ],
      },
      {
        slug: 'mount-panorama-1938', displayName: 'Mount Panorama 1938-1986', type: 'STREET_CIRCUIT_ROAD',
        length: 6172, firstUsage: 1938, lastUsage: 1986, cornerCount: 20,
        cornerNames: [
          'Hell Corner', 'Griffins Bend', '-', 'The Cutting', '-', '-', 'Reid Park', '-', 'Sulman Park',
          'McPhillamy Park', '-', 'Skyline', '-', 'The Esses', '-', '-', 'The Dipper', '-', 'Forrest\'s Elbow',
          'Murray\'s Corner',
        ],
      },
    ],
  },
  {
    slug: 'laguna-seca', displayName: 'WeatherTech Raceway Laguna Seca', country: 'USA',
    location: 'Monterey, California', alternativeNames: ['Laguna Seca', 'Mazda Raceway Laguna Seca'],
    layouts: [
      {
        slug: 'laguna-seca-grand-prix', displayName: 'Laguna Seca Grand Prix', type: 'PERMANENT_ROAD',
        length: 3602, firstUsage: 1996, lastUsage: -1, cornerCount: 11,
        cornerNames: ['-', 'Andretti Hairpin', '-', '-', '-', '-', '-', 'Corkscrew', 'Rainey Curve', '-', '-'],
      },
    ],
  },
  {
    slug: 'watkins-glen', displayName: 'Watkins Glen International', country: 'USA', location: 'Watkins Glen, New York',
    alternativeNames: ['Watkins Glen', 'The Glen'],
    layouts: [
      {
        slug: 'watkins-glen-grand-prix', displayName: 'Watkins Glen Grand Prix', type: 'PERMANENT_ROAD',
        length: 5552, firstUsage: 1992, lastUsage: -1, cornerCount: 11,
        cornerNames: ['The 90', 'The Esses', '-', '-', 'Outer Loop', 'Chute', 'Toe', 'Heel', '-', '-', '-'],
      },
      {
        slug: 'watkins-glen-short', displayName: 'Watkins Glen Short', type: 'PERMANENT_ROAD',
        length: 3943, firstUsage: 1992, lastUsage: -1, cornerCount: 8,
        cornerNames: ['The 90', 'The Esses', '-', '-', 'Inner Loop', 'Outer Loop', '-', '-'],
      },
    ],
  },
  {
    slug: 'indianapolis', displayName: 'Indianapolis Motor Speedway', country: 'USA', location: 'Speedway, Indiana',
    alternativeNames: ['Indianapolis', 'The Brickyard', 'IMS'],
    layouts: [
      {
        slug: 'indianapolis-oval', displayName: 'Indianapolis Oval', type: 'PERMANENT_OVAL',
        length: 4023, firstUsage: 1909, lastUsage: -1, cornerCount: 4,
        cornerNames: ['-', '-', '-', '-'],
      },
      {
        slug: 'indianapolis-road', displayName: 'Indianapolis Road Course', type: 'PERMANENT_ROAD',
        length: 3925, firstUsage: 2014, lastUsage: -1, cornerCount: 14,
        cornerNames: ['-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
      },
    ],
  },
  {
    slug: 'interlagos', displayName: 'Autódromo José Carlos Pace', country: 'BRA', location: 'Interlagos, São Paulo',
    alternativeNames: ['Interlagos', 'Autódromo de Interlagos'],
    layouts: [
      {
        slug: 'interlagos-grand-prix', displayName: 'Interlagos Grand Prix', type: 'PERMANENT_ROAD',
        length: 4309, firstUsage: 1999, lastUsage: -1, cornerCount: 15,
        cornerNames: [
          'Senna S', '-', 'Curva do Sol', 'Descida do Lago', '-', 'Ferradura', '-', 'Laranjinha', 'Pinheirinho',
          'Bico de Pato', 'Mergulho', 'Junção', '-', 'Subida dos Boxes', 'Arquibancadas',
        ],
      },
    ],
  },
];
