import type { Venue } from './api.ts';
import { CAR_CLASSES } from './data/cars.ts';
import { MAKERS } from './data/car-makers.ts';
import { LAYOUTS, TRACKS } from './data/circuits.ts';
import { SIMULATORS } from './data/simulators.ts';
import { SPONSORS } from './data/sponsors.ts';
import { badge, trackMap, wideBadge } from './pictures.ts';
import type { ItemResult } from './progress.ts';

/**
 * A picture to upload; `key` is `{CdnType}/{targetName}`, by which other resources refer to it
 * (docs/interface.md#uploaded-files).
 */
export interface Asset {
  readonly key: string;
  readonly svg: string;
}

/** The key of each kind of picture, from the stable name of what it shows. */
export const PICTURE = {
  maker: (slug: string) => `BRAND/${slug}.svg`,
  sponsor: (key: string) => `BRAND/sponsor-${key}.svg`,
  carClass: (shortName: string) => `CLASS/${shortName.toLowerCase()}.svg`,
  country: (code: string) => `COUNTRY/${code}.svg`,
  simulator: (slug: string) => `LOGO/${slug}.svg`,
  simulatorWide: (slug: string) => `LOGO/${slug}-wide.svg`,
  track: (slug: string) => `TRACK/${slug}.svg`,
  layout: (slug: string) => `TRACK/${slug}-map.svg`,
} as const;

/** Every picture that the catalogue refers to, and a badge for every country in it. */
export function allAssets(): readonly Asset[] {
  const countries = new Set([...TRACKS, ...MAKERS].map(({ country }) => country));
  return [
    ...MAKERS.map(({ slug, displayName }) => ({ key: PICTURE.maker(slug), svg: badge(displayName) })),
    ...SPONSORS.map(({ key, name }) => ({ key: PICTURE.sponsor(key), svg: badge(name) })),
    ...CAR_CLASSES.map(({ shortName }) => ({ key: PICTURE.carClass(shortName), svg: badge(shortName) })),
    ...[...countries].map((code) => ({ key: PICTURE.country(code), svg: badge(code) })),
    ...SIMULATORS.map(({ slug, displayName }) => ({ key: PICTURE.simulator(slug), svg: badge(displayName) })),
    ...SIMULATORS.map(({ slug, displayName }) => ({ key: PICTURE.simulatorWide(slug), svg: wideBadge(displayName) })),
    ...TRACKS.map(({ slug, displayName }) => ({ key: PICTURE.track(slug), svg: badge(displayName) })),
    ...LAYOUTS.map((layout) => ({ key: PICTURE.layout(layout.slug), svg: trackMap(layout) })),
  ];
}

async function upload({ send, token }: Venue, { key, svg }: Asset): Promise<ItemResult> {
  const slash = key.indexOf('/');
  const [type, targetName] = [key.slice(0, slash), key.slice(slash + 1)];
  const body = new FormData();
  body.append('cdnRequest', new Blob([JSON.stringify({ type, targetName })], { type: 'application/json' }));
  body.append('cdnFile', new Blob([svg], { type: 'image/svg+xml' }), targetName);
  await send({ method: 'POST', path: '/api/v1/cdn', token, body, expect: [201] });
  return { outcome: 'sent' };
}

/** Uploads the pictures; an earlier run's are replaced by the same ones. Throws `DemoError`. */
export async function uploadAssets(venue: Venue): Promise<void> {
  await venue.phase('Pictures', allAssets(), (asset) => upload(venue, asset));
}
