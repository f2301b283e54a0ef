import type { LayoutData, TrackData } from '../types.ts';
import { CIRCUITS_NORTH } from './circuits-north.ts';
import { CIRCUITS_OVERSEAS } from './circuits-overseas.ts';
import { CIRCUITS_SOUTH } from './circuits-south.ts';

/** All circuits of the demo. */
export const TRACKS: readonly TrackData[] = [...CIRCUITS_NORTH, ...CIRCUITS_SOUTH, ...CIRCUITS_OVERSEAS];

/** All layouts of all circuits. */
export const LAYOUTS: readonly LayoutData[] = TRACKS.flatMap((track) => track.layouts);
