import { hashOf, randomFrom } from './random.ts';
import type { LayoutData } from './types.ts';

const OPEN = '<svg xmlns="http://www.w3.org/2000/svg"';

function colour(text: string): string {
  return `hsl(${String(hashOf(text) % 360)} 55% 36%)`;
}

/** Up to three letters for a name: the initials of its words, or the first letters of a single word. */
export function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters = words.length > 1 ? words.map((word) => word.slice(0, 1)).join('') : name;
  return letters.slice(0, 3).toUpperCase();
}

/** A square badge with the initials of a name, as SVG. */
export function badge(name: string): string {
  return (
    `${OPEN} viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="${colour(name)}"/>` +
    '<text x="32" y="40" font-family="sans-serif" font-size="22" font-weight="700" fill="#fff" text-anchor="middle">' +
    `${initials(name)}</text></svg>`
  );
}

/** A wide badge with the whole name (letters, digits and blanks only), as SVG. */
export function wideBadge(name: string): string {
  return (
    `${OPEN} viewBox="0 0 320 64"><rect width="320" height="64" rx="12" fill="${colour(name)}"/>` +
    '<text x="160" y="40" font-family="sans-serif" font-size="22" font-weight="700" fill="#fff" text-anchor="middle">' +
    `${name.replace(/[^\p{L}\p{N} ]/gu, ' ')}</text></svg>`
  );
}

/** A stand-in for a track map: a closed line with as many corners as the layout has, not its real shape. */
export function trackMap({ slug, cornerCount }: LayoutData): string {
  const random = randomFrom(hashOf(slug));
  const corners = Math.max(cornerCount, 3);
  const points = Array.from({ length: corners }, (_, corner) => {
    const angle = (corner / corners) * 2 * Math.PI;
    const radius = 55 + 35 * random();
    return `${(100 + radius * Math.cos(angle)).toFixed(1)},${(100 + radius * Math.sin(angle)).toFixed(1)}`;
  });
  return (
    `${OPEN} viewBox="0 0 200 200"><polygon points="${points.join(' ')}" fill="none" stroke="${colour(slug)}" ` +
    'stroke-width="6" stroke-linejoin="round"/></svg>'
  );
}
