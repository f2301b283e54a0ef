import { api } from '../shared/api.ts';

export { layoutName } from '../shared/layout-name.ts';

/** Most layouts of an event whose tracks are looked up. */
const MOST_LAYOUTS = 50;

/** The names of the tracks of layouts, by the ids of the layouts; one that cannot be read has none. */
export async function tracksOf(
  layoutIds: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const tracks = new Map<string, string>();
  const read = async (trackLayoutId: string): Promise<void> => {
    const path = { trackLayoutId };
    const { data } = await api.GET('/api/v1/track-layouts/{trackLayoutId}', { params: { path }, signal });
    if (data !== undefined) tracks.set(trackLayoutId, data.trackDisplayName);
  };
  await Promise.all(layoutIds.slice(0, MOST_LAYOUTS).map(read));
  return tracks;
}
