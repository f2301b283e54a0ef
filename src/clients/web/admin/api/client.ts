import { inWords } from './fields.ts';
import { base, withoutBase } from '../../shared/base.ts';
import { objectOf, objectsOf, parseJson, textOf, type Json } from '../../shared/json.ts';

/** The name that forms give to a field, by its name in the API; undefined: there is no such field. */
export type LabelOf = (name: string) => string | undefined;

/** How refusals are told to people. */
export interface RefusalWords {
  readonly labelOf: LabelOf;
  /** A sentence of the service in the words of the page; null: it is none that the page knows. */
  readonly sentence: (sentence: string) => string | null;
  /**
   * What a kind of problem means (the end of its type: `not-found`), in place of a sentence that the page does not know;
   * null: the sentence of the service is in the language of the page.
   */
  readonly problem: (code: string) => string | null;
}

const NO_WORDS: RefusalWords = { labelOf: () => undefined, sentence: () => null, problem: () => null };

/** The kind of problem that each fault of a field is. */
const OF_FIELDS = 'invalid';

/** The place that a JSON pointer (RFC 6901) names, as forms name it: `Cars 1` for `#/carIds/0`. */
export function placeIn(pointer: string, labelOf: LabelOf): string {
  const parts = partsOf(pointer).filter((part, n) => n > 0 || !['query', 'path', 'headers', 'header'].includes(part));
  const named = (part: string): string => labelOf(part) ?? inWords(part);
  return parts.map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : named(part))).join(' ');
}

/** A sentence of the service with the names of fields as forms give them: `endsAt` is “Ends at”. */
export function withLabels(sentence: string, labelOf: LabelOf): string {
  return sentence.replaceAll(/`?\b([a-z]+(?:[A-Z][a-z]+)+)\b`?/g, (written, name: string) => {
    const label = labelOf(name);
    return label === undefined ? written : `“${label}”`;
  });
}

export function partsOf(pointer: string): readonly string[] {
  const parts = pointer.replace(/^#?\//, '').split('/');
  return parts.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The detail of a problem without a pointer at its beginning, which it has when it only repeats the first fault. */
function inPlainWords(detail: string, code: string, words: RefusalWords): string {
  const [, pointer, rest = ''] = /^(\/\S+): (.*)$/s.exec(detail) ?? [];
  if (pointer === undefined) return told(detail, code, words);
  return `${placeIn(pointer, words.labelOf)}: ${told(rest, OF_FIELDS, words)}`;
}

/**
 * A sentence of the service for people: as the page has it, otherwise what its kind of problem means, or, in the language
 * of the service, the sentence itself, with the names of fields as forms give them.
 */
function told(sentence: string, code: string, { labelOf, sentence: knownText, problem }: RefusalWords): string {
  if (sentence === '') return '';
  return withLabels(knownText(sentence) ?? problem(code) ?? sentence, labelOf);
}

/** Thrown when the service refuses a request; the message is for people. */
export class Refused extends Error {
  readonly status: number;
  /** End of the problem's type: `revision-mismatch`. */
  readonly code: string;
  /** The parts of the request that are wrong, by JSON pointers as URI fragments (`#/carIds/0`). */
  readonly faults: readonly { readonly pointer: string; readonly detail: string }[];
  /** Whether the message says no more than the first fault. */
  readonly repeatsFault: boolean;

  constructor(status: number, problem: Json | undefined, words: RefusalWords = NO_WORDS) {
    const { title, detail, type, errors } = objectOf(problem);
    const code = textOf(type).split(':').at(-1) ?? '';
    super(inPlainWords(textOf(detail), code, words) || textOf(title) || `HTTP ${status}`);
    this.status = status;
    this.repeatsFault = textOf(detail).startsWith('/');
    this.code = code;
    this.faults = objectsOf(errors).map((one) => ({
      pointer: textOf(one['pointer']),
      detail: told(textOf(one['detail']), OF_FIELDS, words),
    }));
  }
}

/** Thrown when there is no answer, or one that asks to try again: the request may have had an effect. */
export class Unanswered extends Error {}

export interface Answer {
  readonly status: number;
  readonly json: Json | undefined;
  /** For `If-Match`. */
  readonly etag: string | null;
  readonly location: string | null;
  /** When the service answered, in ms by its clock; null: it does not say. */
  readonly answeredAt: number | null;
}

export interface Sent {
  readonly body?: Json | FormData | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Number of attempts, and the time between them in ms, to read a record that is stored but not visible yet (202). */
const SHOWN = { tries: 20, everyMs: 500 };

export type Client = ReturnType<typeof createClient>;

/**
 * @param onRefusedKey called when the key is no longer accepted (401)
 * @param words in which refusals are told
 */
export function createClient(token: string, onRefusedKey: () => void, words: RefusalWords) {
  /**
   * @throws {Refused} when the service refuses the request
   * @throws {Unanswered} when it does not answer, or asks to try again
   */
  const send = async (method: string, path: string, { body, headers, signal }: Sent = {}): Promise<Answer> => {
    const isJson = body !== undefined && !(body instanceof FormData);
    const type = isJson ? { 'Content-Type': 'application/json' } : {};
    const response = await fetch(base + path, {
      method,
      headers: { ...headers, ...type, Accept: 'application/json', 'X-API-Key': token },
      body: isJson ? JSON.stringify(body) : (body ?? null),
      signal: signal ?? null,
    }).catch((error: unknown) => {
      if (signal?.aborted === true) throw error;
      throw new Unanswered(error instanceof Error ? error.message : String(error));
    });
    const { status } = response;
    const json = parseJson(await response.text());
    if (status === 401) onRefusedKey();
    if (status === 503 || status === 429) throw new Unanswered(new Refused(status, json, words).message);
    if (!response.ok) throw new Refused(status, json, words);
    return {
      status,
      json,
      etag: response.headers.get('etag'),
      location: response.headers.get('location'),
      answeredAt: momentOf(response.headers.get('date')),
    };
  };
  const get = (path: string, signal?: AbortSignal): Promise<Answer> => send('GET', path, { signal });
  /** The record after a write, or null if it is not visible yet. `before`: the tag of the version that was changed. */
  const written = async (answer: Answer, before?: string | null): Promise<Answer | null> => {
    if (answer.status !== 202 || answer.location === null) return answer;
    for (let tries = 0; tries < SHOWN.tries; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, SHOWN.everyMs));
      const shown = await get(withoutBase(answer.location)).catch((error: unknown) => {
        if (error instanceof Refused && error.status === 404) return null;
        throw error;
      });
      if (shown !== null && shown.etag !== before) return shown;
    }
    return null;
  };
  return { send, get, written };
}

/** The instant, in ms, of a header `Date`: the last ms of its second. */
function momentOf(date: string | null): number | null {
  const second = Date.parse(date ?? '');
  return Number.isNaN(second) ? null : second + 999;
}

/** The time of the service when it answers a request, ISO 8601: the clock of this computer may be wrong. */
export async function serviceTime(client: Client, path: string): Promise<string> {
  const { answeredAt } = await client.get(path);
  return new Date(answeredAt ?? Date.now()).toISOString();
}

/** Headers of a change that applies only to this version of the record; null: to any. */
export function ifMatch(etag: string | null): Readonly<Record<string, string>> {
  return etag === null ? {} : { 'If-Match': etag };
}

/** A name under which a request may be sent again (`Idempotency-Key`); `randomUUID` needs a secure context. */
export function newRequestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
