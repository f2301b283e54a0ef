import { z } from 'zod';
import { tracks } from '../projections/tracks.ts';
import { instant, uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

const TrackView = z
  .object({
    id: uuid,
    displayName: z.string(),
    alternativeNames: z.array(z.string()),
    slug: z.string(),
    logo: z.string(),
    svg: z.boolean(),
    country: z.string(),
    location: z.string(),
    enabled: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Track' });

export const trackQuery = query(tracks, { view: TrackView, defaultSort: 'displayName', hidesDisabled: true });
