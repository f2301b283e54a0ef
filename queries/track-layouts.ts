import { z } from 'zod';
import { TRACK_TYPES } from '../commands/track-layouts.ts';
import { trackLayouts } from '../projections/track-layouts.ts';
import { instant, uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

const TrackLayoutView = z
  .object({
    id: uuid,
    displayName: z.string(),
    slug: z.string(),
    type: z.enum(TRACK_TYPES),
    trackId: uuid,
    trackDisplayName: z.string(),
    length: z.number(),
    firstUsage: z.int(),
    lastUsage: z.int(),
    cornerCount: z.int(),
    cornerNames: z.array(z.string()),
    trackMap: z.string(),
    trackImages: z.array(z.string()),
    enabled: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'TrackLayout' });

export const trackLayoutQuery = query(trackLayouts, {
  view: TrackLayoutView,
  defaultSort: 'displayName',
  hidesDisabled: true,
});
