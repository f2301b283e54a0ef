/** Red, green and blue, 0 to 255 each. */
type Rgb = readonly [red: number, green: number, blue: number];

/** The contrast that text needs (WCAG 2.2, 1.4.3). */
export const TEXT_CONTRAST = 4.5;

/** Parts of the way that a colour is moved at a time. */
const STEPS = 40;

/** The channels of a colour as `#rrggbb`. */
function channelsOf(color: string): Rgb {
  const channel = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

/** Relative luminance by WCAG 2.2, from 0 for black to 1 for white. */
function luminanceOf(color: string): number {
  const linear = channelsOf(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = linear;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours (`#rrggbb`) by WCAG 2.2: 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** A colour between two others: `share` of the way from the first to the second. */
function between(from: string, to: string, share: number): string {
  const end = channelsOf(to);
  const mixed = channelsOf(from).map((channel, n) => Math.round(channel + ((end[n] ?? 0) - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** The nearest colour to one, on the way to another, that can be read as text on a background (all `#rrggbb`). */
export function readableColor(
  color: string,
  { background, towards }: { readonly background: string; readonly towards: string },
): string {
  for (let step = 0; step < STEPS; step += 1) {
    const moved = between(color, towards, step / STEPS);
    if (contrastOf(moved, background) >= TEXT_CONTRAST) return moved;
  }
  return towards;
}
