/** Path parameters by name, percent-decoded; those of `{name*}` have their slashes. */
export type PathParameters = Readonly<Record<string, string>>;

/** What a path has found. */
export interface Match<T> {
  readonly value: T;
  /** @throws {URIError} for a bad percent-encoding */
  readonly parameters: () => PathParameters;
}

/** A path with parameters in braces, and its value. */
interface Template<T> {
  /** What each segment must be; null: a parameter. */
  readonly segments: readonly (string | null)[];
  /** Name and segment of each parameter. */
  readonly parameters: readonly (readonly [name: string, at: number])[];
  /** The segment from which on `{name*}` takes the rest, slashes included; null: none does. */
  readonly restAt: number | null;
  readonly value: T;
}

/** What the paths of the API begin with. */
export const API = '/api/v1/';

/**
 * Values by path (see `Endpoint.path`). A path without parameters is found by one look-up; the others by the first segment
 * after `/api/v1/` (else the first of all), and then one after the other: so the size of the table costs nothing.
 */
export class RouteTable<T> {
  readonly #plain = new Map<string, T>();
  readonly #templates = new Map<string, Template<T>[]>();

  add(path: string, value: T): void {
    if (!path.includes('{')) this.#plain.set(path, value);
    else
      this.#templates.set(resourceOf(path), [...(this.#templates.get(resourceOf(path)) ?? []), template(path, value)]);
  }

  /** What fits a path, with a slash at its end or without: one without parameters, else the first that was added. */
  find(path: string): Match<T> | null {
    const plain = this.#plain.get(path) ?? this.#plain.get(withoutSlash(path));
    if (plain !== undefined) return { value: plain, parameters: () => ({}) };
    const templates = this.#templates.get(resourceOf(path));
    if (templates === undefined) return null;
    const segments = path.split('/');
    const found = templates.find((each) => fits(each, segments));
    return found === undefined ? null : { value: found.value, parameters: () => parametersIn(found, segments) };
  }
}

/** `/api/v1/laps` for `/api/v1/laps/paged`, `/cdn` for `/cdn/LOGO/a.png`. */
export function resourceOf(path: string): string {
  const end = path.indexOf('/', path.startsWith(API) ? API.length : 1);
  return end < 0 ? path : path.slice(0, end);
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function template<T>(path: string, value: T): Template<T> {
  const names = path.split('/').map((segment) => /^\{(\w+)(\*?)\}$/.exec(segment));
  const restAt = names.findIndex((name) => name?.[2] === '*');
  return {
    segments: path.split('/').map((segment, at) => (names[at] === null ? segment : null)),
    parameters: names.flatMap((name, at) => (name === null ? [] : [[name[1] ?? '', at] as const])),
    restAt: restAt < 0 ? null : restAt,
    value,
  };
}

function fits<T>({ segments, restAt }: Template<T>, sent: readonly string[]): boolean {
  const isEnded = sent.length === segments.length || (sent.length === segments.length + 1 && sent.at(-1) === '');
  if (restAt === null ? !isEnded : sent.length < segments.length) return false;
  return segments.every((segment, at) => (segment === null ? sent[at] !== '' : segment === sent[at]));
}

function parametersIn<T>({ parameters, restAt }: Template<T>, sent: readonly string[]): PathParameters {
  const values: Record<string, string> = {};
  for (const [name, at] of parameters) {
    const text = at === restAt ? sent.slice(at).join('/') : (sent[at] ?? '');
    values[name] = text.includes('%') ? decodeURIComponent(text) : text;
  }
  return values;
}
