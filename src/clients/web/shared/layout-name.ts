import { folded } from './fold.ts';

/** A layout with its track: `Spa-Francorchamps · Grand Prix`; by itself where its name begins with that of the track. */
export function layoutName(layout: string, track: string): string {
  const isNamed = track === '' || folded(layout).startsWith(folded(track));
  return isNamed ? layout : `${track} · ${layout}`;
}
