import type { SponsorData } from '../types.ts';

/** Makers of sim-racing hardware. */
export const SPONSORS: readonly SponsorData[] = [
  { key: 'fanatec', name: 'Fanatec', websiteUrl: 'https://fanatec.com', logoScalePercentage: 100 },
  { key: 'moza', name: 'MOZA Racing', websiteUrl: 'https://mozaracing.com', logoScalePercentage: 90 },
  { key: 'simucube', name: 'Simucube', websiteUrl: 'https://simucube.com', logoScalePercentage: 100 },
  { key: 'heusinkveld', name: 'Heusinkveld', websiteUrl: 'https://heusinkveld.com', logoScalePercentage: 110 },
  { key: 'asetek', name: 'Asetek SimSports', websiteUrl: 'https://www.asetek.com/simsports', logoScalePercentage: 100 },
  { key: 'logitech-g', name: 'Logitech G', websiteUrl: 'https://www.logitechg.com', logoScalePercentage: 80 },
  { key: 'thrustmaster', name: 'Thrustmaster', websiteUrl: 'https://www.thrustmaster.com', logoScalePercentage: 100 },
  { key: 'sim-lab', name: 'Sim-Lab', websiteUrl: 'https://sim-lab.eu', logoScalePercentage: 120 },
];
