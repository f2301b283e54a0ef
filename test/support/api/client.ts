import { expect } from 'chai';
import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import type { AnswerCheck } from './openapi.ts';

/** What a request may bring along; a `body` is sent as it is. */
export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData;
}

/** An answer, already held against the OpenAPI document. */
export class Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly text: string;

  constructor({ status, headers }: Response, bytes: Uint8Array<ArrayBuffer>) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
    this.text = new TextDecoder().decode(bytes);
  }

  /** The body, a JSON object. */
  get body(): JsonObject {
    const value: unknown = JSON.parse(this.text);
    expect(value, this.text.slice(0, 200)).to.be.an('object');
    // Parsed from JSON, and an object.
    return value as JsonObject;
  }

  /** The body, a JSON array of objects. */
  get list(): readonly JsonObject[] {
    const value: unknown = JSON.parse(this.text);
    expect(value, this.text.slice(0, 200)).to.be.an('array');
    // Lists hold nothing but objects: the document says so, and every body was held against it.
    return value as readonly JsonObject[];
  }

  /** A header that must be there. */
  header(name: string): string {
    const value = this.headers.get(name);
    if (value === null) throw new Error(`no header ${name} in ${this.status} ${this.text.slice(0, 200)}`);
    return value;
  }
}

/** Sends requests under one key, or none, and checks every answer against the document. */
export class Client {
  readonly #url: string;
  readonly #check: AnswerCheck;
  readonly token: string | null;

  constructor(url: string, check: AnswerCheck, token: string | null) {
    this.#url = url;
    this.#check = check;
    this.token = token;
  }

  /** The same under another key, or none. */
  as(token: string | null): Client {
    return new Client(this.#url, this.#check, token);
  }

  get(path: string, headers: Sending['headers'] = {}): Promise<Answer> {
    return this.send('GET', path, { headers });
  }

  post(path: string, body: Json, headers: Sending['headers'] = {}): Promise<Answer> {
    return this.send('POST', path, jsonSending(body, headers));
  }

  put(path: string, body: Json, headers: Sending['headers'] = {}): Promise<Answer> {
    return this.send('PUT', path, jsonSending(body, headers));
  }

  patch(path: string, body: Json, headers: Sending['headers'] = {}): Promise<Answer> {
    return this.send('PATCH', path, jsonSending(body, headers));
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path);
  }

  async send(method: string, path: string, { headers = {}, body }: Sending = {}): Promise<Answer> {
    const key = this.token === null ? {} : { 'X-API-Key': this.token };
    const response = await fetch(this.#url + path, {
      method,
      headers: { ...key, ...headers },
      body: body ?? null,
      redirect: 'manual',
    });
    const date = Date.parse(response.headers.get('date') ?? '');
    expect(Math.abs(date - Date.now()), 'by `Date` rigs set their clocks').to.be.below(60_000);
    const answer = new Answer(response, await bytesOf(response));
    this.#check({ method, path, status: answer.status, headers: answer.headers, text: answer.text });
    return answer;
  }

  /** Creates, and returns what was created. */
  async create(path: string, body: Json): Promise<JsonObject> {
    return expectStatus(await this.post(path, body), 201).body;
  }

  /** Changes, and returns what it has become. */
  async change(path: string, body: Json): Promise<JsonObject> {
    return expectStatus(await this.patch(path, body), 200).body;
  }

  /** Reads one thing that must be there. */
  async read(path: string): Promise<JsonObject> {
    return expectStatus(await this.get(path), 200).body;
  }

  /** Reads a whole list. */
  async list(path: string): Promise<readonly JsonObject[]> {
    return expectStatus(await this.get(path), 200).list;
  }
}

/** The body; of a stream of events, which has no end, what comes first. */
async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const isEndless = response.headers.get('content-type') === 'text/event-stream' && response.body !== null;
  if (!isEndless) return new Uint8Array(await response.arrayBuffer());
  for await (const first of response.body) return new Uint8Array(first);
  return new Uint8Array();
}

function jsonSending(body: Json, headers: Sending['headers']): Sending {
  return { headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** The answer, which must have this status. */
export function expectStatus(answer: Answer, status: number): Answer {
  expect(answer.status, answer.text.slice(0, 500)).to.equal(status);
  return answer;
}

/** Expects a problem document with this status; `pointer` must be among its faults. */
export function expectProblem(answer: Answer, status: number, pointer?: string): JsonObject {
  expectStatus(answer, status);
  expect(answer.header('content-type')).to.equal('application/problem+json');
  expect(answer.text, 'no stack trace').not.to.match(/\bat \S+ \(|node_modules|\.[jt]s:\d/);
  if (pointer !== undefined) expect(pointersOf(answer), answer.text.slice(0, 500)).to.include(pointer);
  return answer.body;
}

/** The pointers of a problem's faults. */
export function pointersOf({ body: { errors } }: Answer): readonly string[] {
  return Array.isArray(errors) ? errors.map(({ pointer }: { readonly pointer: string }) => pointer) : [];
}

/** A field that must be a text. */
export function textOf(body: Json | undefined, ...path: readonly string[]): string {
  const value = path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), body);
  if (typeof value !== 'string') throw new Error(`no text at ${path.join('.')} of ${JSON.stringify(body)}`);
  return value;
}

/** Id of a resource. */
export function idOf(body: JsonObject): string {
  return textOf(body, 'id');
}
