import type { TrackData } from '../types.ts';

/**
 * Circuits in Italy, France and Spain. The 38 corners of the Circuit de la Sarthe are published without numbers:
 * names are in order and the unnamed ones stand about where they lie.
 */
export const CIRCUITS_SOUTH: readonly TrackData[] = [
  {
    slug: 'monza', displayName: 'Autodromo Nazionale Monza', country: 'ITA', location: 'Monza, Lombardy',
    alternativeNames: ['Monza', 'Temple of Speed'],
    layouts: [
      {
        slug: 'monza-grand-prix', displayName: 'Monza Grand Prix', type: 'PERMANENT_ROAD',
        length: 5793, firstUsage: 2000, lastUsage: -1, cornerCount: 11,
        cornerNames: [
          'Variante del Rettifilo', '-', 'Curva Biassono', 'Variante della Roggia', '-', 'Lesmo 1', 'Lesmo 2',
          'Variante Ascari', '-', '-', 'Curva Alboreto',
        ],
      },
      {
        slug: 'monza-combined', displayName: 'Monza road course and oval combined', type: 'PERMANENT_ROAD',
        length: 10000, firstUsage: 1955, lastUsage: 1971, cornerCount: 9,
        cornerNames: [
          'Curva Grande', '-', 'Lesmo 1', 'Lesmo 2', '-', 'Vialone', 'Parabolica', 'Sopraelevata Nord',
          'Sopraelevata Sud',
        ],
      },
    ],
  },
  {
    slug: 'imola', displayName: 'Autodromo Internazionale Enzo e Dino Ferrari', country: 'ITA',
    location: 'Imola, Emilia-Romagna', alternativeNames: ['Imola', 'Autodromo Dino Ferrari'],
    layouts: [
      {
        slug: 'imola-grand-prix', displayName: 'Imola Grand Prix', type: 'PERMANENT_ROAD',
        length: 4909, firstUsage: 2008, lastUsage: -1, cornerCount: 19,
        cornerNames: [
          '-', 'Tamburello', '-', '-', 'Villeneuve', '-', 'Tosa', '-', 'Piratella', '-', 'Acque Minerali', '-', '-',
          'Variante Alta', '-', '-', 'Rivazza', '-', '-',
        ],
      },
    ],
  },
  {
    slug: 'mugello', displayName: 'Autodromo Internazionale del Mugello', country: 'ITA',
    location: 'Scarperia e San Piero, Tuscany', alternativeNames: ['Mugello', 'Mugello Circuit'],
    layouts: [
      {
        slug: 'mugello-grand-prix', displayName: 'Mugello Grand Prix', type: 'PERMANENT_ROAD',
        length: 5245, firstUsage: 1974, lastUsage: -1, cornerCount: 15,
        cornerNames: [
          'San Donato', 'Luco', 'Poggio Secco', 'Materassi', 'Borgo San Lorenzo', 'Casanova', 'Savelli', 'Arrabbiata 1',
          'Arrabbiata 2', 'Scarperia', 'Palagio', 'Correntaio', 'Biondetti 1', 'Biondetti 2', 'Bucine',
        ],
      },
    ],
  },
  {
    slug: 'le-mans', displayName: 'Circuit des 24 Heures du Mans', country: 'FRA',
    location: 'Le Mans, Pays de la Loire', alternativeNames: ['Le Mans', 'Circuit de la Sarthe', 'Bugatti'],
    layouts: [
      {
        slug: 'le-mans-la-sarthe', displayName: 'Circuit de la Sarthe', type: 'TEMPORARY_ROAD',
        length: 13626, firstUsage: 2018, lastUsage: -1, cornerCount: 38,
        cornerNames: [
          'Courbe Dunlop', '-', 'Chicane Dunlop', '-', '-', 'Esses de la Forêt', '-', 'Tertre Rouge', '-',
          'Chicane Daytona', '-', '-', '-', 'Chicane Michelin', '-', '-', 'Courbe des Hunaudières', '-', 'Mulsanne',
          '-', 'Courbe du Golf', '-', 'Indianapolis', '-', 'Arnage', '-', '-', 'Virage Porsche', 'Virage du Pont',
          'Esses du Karting', '-', 'Virage Corvette', 'Maison Blanche', '-', 'Chicane Ford', '-', 'Raccordement', '-',
        ],
      },
      {
        slug: 'le-mans-bugatti', displayName: 'Le Mans Bugatti', type: 'PERMANENT_ROAD',
        length: 4185, firstUsage: 2008, lastUsage: -1, cornerCount: 14,
        cornerNames: [
          'Courbe Dunlop', '-', 'Chicane Dunlop', '-', '-', 'La Chapelle', 'Le Musée', 'Garage Vert',
          'Chemin aux Bœufs', '-', 'Garage Bleu', '-', 'Raccordement', '-',
        ],
      },
    ],
  },
  {
    slug: 'barcelona', displayName: 'Circuit de Barcelona-Catalunya', country: 'ESP', location: 'Montmeló, Catalonia',
    alternativeNames: ['Barcelona', 'Circuit de Catalunya', 'Montmeló'],
    layouts: [
      {
        slug: 'barcelona-grand-prix', displayName: 'Barcelona Grand Prix', type: 'PERMANENT_ROAD',
        length: 4657, firstUsage: 2021, lastUsage: -1, cornerCount: 14,
        cornerNames: [
          'Elf', '-', 'Renault', 'Repsol', 'Seat', '-', 'Würth', '-', 'Campsa', 'La Caixa', '-', 'Banc Sabadell',
          'Europcar', 'New Holland',
        ],
      },
      {
        slug: 'barcelona-chicane', displayName: 'Barcelona Grand Prix with chicane', type: 'PERMANENT_ROAD',
        length: 4675, firstUsage: 2021, lastUsage: -1, cornerCount: 16,
        cornerNames: [
          'Elf', '-', 'Renault', 'Repsol', 'Seat', '-', 'Würth', '-', 'Campsa', 'La Caixa', '-', 'Banc Sabadell',
          'Europcar', '-', 'Chicane RACC', 'New Holland',
        ],
      },
      {
        slug: 'barcelona-2007', displayName: 'Barcelona Grand Prix 2007-2020', type: 'PERMANENT_ROAD',
        length: 4655, firstUsage: 2007, lastUsage: 2020, cornerCount: 16,
        cornerNames: [
          'Elf', '-', 'Renault', 'Repsol', 'Seat', '-', 'Würth', '-', 'Campsa', 'La Caixa', '-', 'Banc Sabadell',
          'Europcar', '-', 'Chicane RACC', 'New Holland',
        ],
      },
    ],
  },
];
