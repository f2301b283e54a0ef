import type { Fault } from '../kernel/aggregate/rejections.ts';

/** Values of the parameters an endpoint knows, and what is wrong with how they were sent. */
export interface QueryValues {
  readonly values: Record<string, string>;
  readonly faults: readonly Fault[];
}

/**
 * Reads the parameters with the given names from a request's URL; others are ignored. A parameter has one plain value:
 * repeated ones, those of the form `page[]=1` or `page[a]=1`, bad percent-encoding and NUL are faults.
 */
export function parseQuery(url: string, names: ReadonlySet<string>): QueryValues {
  const values: Record<string, string> = {};
  const faults: Fault[] = [];
  const start = url.indexOf('?');
  if (start < 0) return { values, faults };
  for (const pair of url.slice(start + 1).split('&')) {
    const equals = pair.indexOf('=');
    const sent = decode(equals < 0 ? pair : pair.slice(0, equals)) ?? '';
    const name = baseName(sent);
    if (!names.has(name)) continue;
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const fault = faultOf({ plain: sent === name, repeated: name in values, value });
    if (fault === null && value !== null) values[name] = value;
    else faults.push({ pointer: `#/query/${name}`, detail: fault ?? 'cannot be read' });
  }
  return { values, faults };
}

function faultOf(sent: { plain: boolean; repeated: boolean; value: string | null }): string | null {
  if (!sent.plain) return 'takes one plain value, no array or object';
  if (sent.repeated) return 'may be given once only';
  if (sent.value === null) return 'has a bad percent-encoding';
  return sent.value.includes('\0') ? 'contains a NUL character' : null;
}

/** `page` for `page[]`, `page[0]`, `page[a][b]`. */
function baseName(name: string): string {
  const bracket = name.indexOf('[');
  return bracket < 0 ? name : name.slice(0, bracket);
}

function decode(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // URIError is how decodeURIComponent says that the client's encoding is bad.
    return null;
  }
}
