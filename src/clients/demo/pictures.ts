import type { components } from '../generated/api.ts';
import { CAR_CLASSES, LAYOUTS, MAKERS, SIMULATORS, SPONSORS, TRACKS } from './data.ts';
import type { ItemResult } from './phases.ts';
import { hashOf, randomFrom } from './random.ts';
import type { Venue } from './resources.ts';

type CdnType = components['schemas']['CdnRequest']['type'];

/** A picture to upload; other resources refer to it by its key (docs/interface.md#uploaded-files). */
interface Asset {
  readonly key: `${CdnType}/${string}`;
  readonly svg: string;
}

export const PICTURE = {
  maker: (slug: string) => `BRAND/${slug}.svg`,
  sponsor: (key: string) => `BRAND/sponsor-${key}.svg`,
  carClass: (shortName: string) => `CLASS/${shortName.toLowerCase()}.svg`,
  country: (code: string) => `COUNTRY/${code}.svg`,
  simulator: (slug: string) => `LOGO/${slug}.svg`,
  simulatorWide: (slug: string) => `LOGO/${slug}-wide.svg`,
  track: (slug: string) => `TRACK/${slug}.svg`,
  layout: (slug: string) => `TRACK/${slug}-map.svg`,
} as const satisfies Readonly<Record<string, (name: string) => Asset['key']>>;

/** Every picture that the catalogue refers to, and a badge for every country in it. */
export function allAssets(): readonly Asset[] {
  const countries = new Set([...TRACKS, ...MAKERS].map(({ country }) => country));
  return [
    ...MAKERS.map(({ slug, displayName }) => ({ key: PICTURE.maker(slug), svg: badge(displayName) })),
    ...SPONSORS.map(({ key, name }) => ({ key: PICTURE.sponsor(key), svg: badge(name) })),
    ...CAR_CLASSES.map(({ shortName }) => ({ key: PICTURE.carClass(shortName), svg: badge(shortName) })),
    ...[...countries].map((code) => ({ key: PICTURE.country(code), svg: badge(code) })),
    ...SIMULATORS.map(({ slug, displayName }) => ({ key: PICTURE.simulator(slug), svg: badge(displayName) })),
    ...SIMULATORS.map(({ slug, displayName }) => {
      // With the whole name (letters, digits and blanks only).
      const svg = badgeOf(displayName, 320, displayName.replace(/[^\p{L}\p{N} ]/gu, ' '));
      return { key: PICTURE.simulatorWide(slug), svg };
    }),
    ...TRACKS.map(({ slug, displayName }) => ({ key: PICTURE.track(slug), svg: badge(displayName) })),
    ...LAYOUTS.map((layout) => ({ key: PICTURE.layout(layout.slug), svg: trackMap(layout) })),
  ];
}

/** Uploads a picture, over that of an earlier run. @throws {Failure} */
export async function upload({ client }: Venue, { key, svg }: Asset): Promise<ItemResult> {
  const slash = key.indexOf('/');
  const targetName = key.slice(slash + 1);
  // A key begins with its type.
  const cdnRequest = { type: key.slice(0, slash) as CdnType, targetName };
  await client.answered(async () => {
    const { error, response } = await client.POST('/api/v1/cdn', {
      body: { cdnRequest, cdnFile: svg },
      bodySerializer: () => {
        const form = new FormData();
        form.append('cdnRequest', new Blob([JSON.stringify(cdnRequest)], { type: 'application/json' }));
        form.append('cdnFile', new Blob([svg], { type: 'image/svg+xml' }), targetName);
        return form;
      },
      parseAs: 'text',
    });
    return response.ok ? { response, data: null } : { response, error };
  });
  return { outcome: 'sent' };
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"';

function colour(text: string): string {
  return `hsl(${hashOf(text) % 360} 55% 36%)`;
}

/** Up to three letters for a name: the initials of its words, or the first letters of a single word. */
function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters = words.length > 1 ? words.map((word) => word.slice(0, 1)).join('') : name;
  return letters.slice(0, 3).toUpperCase();
}

function badgeOf(name: string, width: number, text: string): string {
  return (
    `${SVG} viewBox="0 0 ${width} 64"><rect width="${width}" height="64" rx="12" fill="${colour(name)}"/>` +
    `<text x="${width / 2}" y="40" font-family="sans-serif" font-size="22" font-weight="700" fill="#fff" ` +
    `text-anchor="middle">${text}</text></svg>`
  );
}

function badge(name: string): string {
  return badgeOf(name, 64, initials(name));
}

/** A stand-in for a track map: a closed line with as many corners as the layout, but not its real shape. */
function trackMap({ slug, cornerCount }: (typeof LAYOUTS)[number]): string {
  const random = randomFrom(hashOf(slug));
  const corners = Math.max(cornerCount, 3);
  const points = Array.from({ length: corners }, (_, corner) => {
    const angle = (corner / corners) * 2 * Math.PI;
    const radius = 55 + 35 * random();
    return `${(100 + radius * Math.cos(angle)).toFixed(1)},${(100 + radius * Math.sin(angle)).toFixed(1)}`;
  });
  return (
    `${SVG} viewBox="0 0 200 200"><polygon points="${points.join(' ')}" fill="none" stroke="${colour(slug)}" ` +
    'stroke-width="6" stroke-linejoin="round"/></svg>'
  );
}
