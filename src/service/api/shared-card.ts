import { files } from '../../../projections/files.ts';
import { racingEvents, type RacingEventDocument } from '../../../projections/racing-events.ts';
import { trackLayouts } from '../../../projections/track-layouts.ts';
import { findSome, readOne } from '../../domain/documents.ts';
import { CREATED, type ReadModels } from '../../kernel/ports/read-store.ts';

interface CardSources {
  /** The address at which people reach the service, as configured; null: not known, so that addresses are paths. */
  readonly publicUrl: string | null;
  /** The path of the picture of an event that has none of its own. */
  readonly cardPath: string;
  readonly models: ReadModels;
}

/**
 * The tags in the head of the page with the results of an event (Open Graph), by which other services show a link to it:
 * title, text, address and picture. Null when there is no such event.
 */
export async function sharedCard(
  eventId: string,
  { publicUrl, cardPath, models }: CardSources,
): Promise<string | null> {
  const event = await readOne(models, racingEvents, eventId.toLowerCase());
  if (event === null) return null;
  const addressOf = (path: string): string => `${(publicUrl ?? '').replace(/\/$/, '')}${path}`;
  const properties: readonly (readonly [name: string, content: string])[] = [
    ['og:type', 'website'],
    ['og:title', `${event.name} – Results`],
    ['og:description', descriptionOf(event)],
    ['og:url', addressOf(`/events/${event.id}/results`)],
    ['og:image', addressOf((await picturePath(event, models)) ?? cardPath)],
  ];
  return properties
    .map(([name, content]) => `<meta property="${name}" content="${attributeText(content)}" />`)
    .join('');
}

/** The day of an event, in UTC, and what it is about. */
function descriptionOf({ startsAt, finishedAt, description }: RacingEventDocument): string {
  const day = (startsAt ?? finishedAt)?.slice(0, 'YYYY-MM-DD'.length);
  const text = description.trim() === '' ? 'Results of a sim racing event.' : description;
  return day === undefined ? text : `${day} · ${text}`;
}

/** The path of the first that was uploaded of: a picture of the event's first layout, the venue's logo, the map; null: none was. */
async function picturePath(event: RacingEventDocument, models: ReadModels): Promise<string | null> {
  const [first] = event.trackLayoutIds;
  const layout = first === undefined ? null : await readOne(models, trackLayouts, first);
  const keys = [...(layout?.trackImages ?? []), event._venueLogo ?? '', layout?.trackMap ?? ''];
  for (const key of keys.filter((each) => each !== '')) {
    const sort = { field: CREATED, direction: 'asc' } as const;
    const [file] = await findSome(models, files, { where: { key }, sort, offset: 0, limit: 1 });
    if (file !== undefined) return `/cdn/${key.split('/').map(encodeURIComponent).join('/')}`;
  }
  return null;
}

/** A text as the value of an attribute in HTML. */
export function attributeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
