import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { withoutTokens } from '../../../src/domain/secrets.ts';
import { expectNoCanary } from '../canaries.ts';

/** The parts of an OpenAPI 3.1 document that the tests look at. */
export interface OpenApi {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema };
    readonly responses: { readonly [name: string]: Documented };
    readonly parameters: { readonly [name: string]: Parameter };
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly schema?: Schema;
  readonly $ref?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly 'x-role'?: string;
  readonly security: readonly object[];
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: { readonly [type: string]: { readonly schema: Schema } };
  };
  readonly responses: { readonly [status: string]: Documented };
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly additionalProperties?: unknown;
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: { readonly mapping?: { readonly [value: string]: string } };
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly 'x-unit'?: string;
  readonly 'x-sortable'?: readonly string[];
  readonly 'x-refers-to'?: string;
  readonly 'x-name-of'?: string;
  readonly 'x-shown-as'?: string;
  readonly 'x-file'?: boolean;
  readonly 'x-default'?: unknown;
}

interface ProblemExamples {
  readonly [name: string]: { readonly value: { readonly status: number; readonly title: string } };
}

export interface Documented {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: { readonly [name: string]: object };
  readonly content?: { readonly [type: string]: { readonly schema?: Schema; readonly examples?: ProblemExamples } };
}

/** An answer as it arrived, and what it answers. `path` may have a query. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One operation of the document. */
export interface Found {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** A schema without references: with what the type that it refers to says; `oneOf` with null becomes a nullable type. */
export function plainSchema(document: OpenApi, schema: Schema): Schema {
  const { $ref, oneOf: [one = {}, other] = [], ...said } = schema;
  const name = $ref?.split('/').at(-1);
  if (name !== undefined) return { ...plainSchema(document, document.components.schemas[name] ?? {}), ...said };
  if (said.anyOf !== undefined) return { ...said, anyOf: said.anyOf.map((each) => plainSchema(document, each)) };
  if (other?.type !== 'null') return schema;
  const { type = [], ...plain } = plainSchema(document, one);
  return { ...plain, ...said, type: [type, 'null'].flat() };
}

/** Every schema in a part of a document, by its path. Examples are no schemas, nor are what properties are named. */
export function schemasIn(part: unknown, path: string): readonly (readonly [string, Schema])[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    const at = `${path}/${key}`;
    if (key === 'examples' || key.startsWith('x-')) return [];
    const isSchema = typeof value === 'object' && value !== null && !Array.isArray(value) && !path.endsWith('/mapping');
    const inside = schemasIn(value, at);
    return isSchema && key !== 'properties' ? [[at, value] as const, ...inside] : inside;
  });
}

/** Every operation of a document. */
export function operationsOf({ paths }: OpenApi): readonly Found[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

/** The checks made so far, by the text of their document: to compile its schemas takes most of a second. */
const checks = new Map<string, AnswerCheck>();

const REQUEST_ID = /^[!-~]{1,128}$/;

/** Throws an assertion error when an answer is not as the document says. */
export type AnswerCheck = (seen: Seen) => void;

/** What every answer is checked for; services with the same document share one. */
export function answerCheckOf(document: OpenApi): AnswerCheck {
  const text = JSON.stringify(document);
  const check = checks.get(text) ?? createAnswerCheck(document);
  checks.set(text, check);
  return check;
}

function createAnswerCheck(document: OpenApi): AnswerCheck {
  const closed = closedDocument(document);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(closed, 'document');
  const finder = createFinder(document);

  const fitting = (pointer: string, body: unknown, what: string): void => {
    const validate = ajv.getSchema(`document${pointer}`);
    if (validate === undefined) throw new Error(`no schema at ${pointer}`);
    if (validate(body) !== true) expect.fail(`${what}: ${ajv.errorsText(validate.errors)}`);
  };
  return (seen) => {
    const what = `${seen.method} ${seen.path} → ${seen.status} ${seen.text.slice(0, 300)}`;
    // Without chai where nothing is wrong: a test of the API has thousands of answers.
    if (seen.headers.get('api-version') !== '1.0') expect.fail(`API-Version of ${what}`);
    if (!REQUEST_ID.test(seen.headers.get('x-request-id') ?? '')) expect.fail(`X-Request-Id of ${what}`);
    if (seen.path.startsWith('/actuator/')) expectNoCanary(seen.text, what);
    const found = finder(seen);
    if (found === null) checkStray(seen, what);
    else checkDocumented(document, { seen, found, what, fitting });
    if (isProblem(seen)) {
      expectNoCanary(seen.text, what);
      fitting('#/components/schemas/Problem', JSON.parse(seen.text), what);
      expect(JSON.parse(seen.text), what).to.include({
        status: seen.status,
        instance: withoutTokens(new URL(`http://localhost${seen.path}`).pathname),
      });
    }
  };
}

interface Checking {
  readonly seen: Seen;
  readonly found: Found;
  readonly what: string;
  readonly fitting: (pointer: string, body: unknown, what: string) => void;
}

/**
 * Headers that an answer may lack: a participant that exists already, or a resource seen for the first time, has no such
 * header, and no limit applies to clients on this machine.
 */
const OPTIONAL = ['Existing-Resource', 'Idempotency-Replayed', 'RateLimit', 'RateLimit-Policy'];

function checkDocumented(document: OpenApi, { seen, found, what, fitting }: Checking): void {
  const { status, headers, text } = seen;
  const { at, documented } = responseOf(document, found, status);
  const missing = Object.keys(documented.headers ?? {}).filter((header) => headers.get(header) === null);
  expect(OPTIONAL, what).to.include.members(missing);
  if (seen.method === 'HEAD' || documented.content === undefined) {
    expect(text, what).to.equal('');
    return;
  }
  const type = mediaTypeOf(headers);
  const media = type in documented.content ? type : '*/*';
  if (!(media in documented.content)) expect.fail(`${type} is not documented: ${what}`);
  if (documented.content[media]?.schema === undefined) return;
  for (const content of contentsOf(type, text)) fitting(`${at}/content/${step(media)}/schema`, content, what);
}

/** What a body holds; of a stream of events, the data of those that were read. */
function contentsOf(type: string, text: string): readonly unknown[] {
  if (type !== 'text/event-stream') return [type.endsWith('json') ? JSON.parse(text) : text];
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']): unknown => JSON.parse(data));
}

/** What the document says of a status of an operation, and where it says so. */
function responseOf(document: OpenApi, { path, method, operation }: Found, status: number) {
  const stated = operation.responses[status];
  if (stated === undefined) throw new Error(`${operation.operationId} documents no ${status}`);
  const name = stated.$ref?.split('/').at(-1);
  if (name === undefined)
    return { at: `#/paths/${step(path)}/${method.toLowerCase()}/responses/${status}`, documented: stated };
  return { at: `#/components/responses/${name}`, documented: document.components.responses[name] ?? {} };
}

/** Where pages for people are, and what they load. */
const PAGES = /^\/($|\?|(swagger-ui|events|layouts|overlay|admin|assets|favicon\.ico|manifest\.webmanifest)($|[/?]))/;

/** Answers to what is not in the document: unknown paths, other methods, pages for people. */
function checkStray(seen: Seen, what: string): void {
  if (PAGES.test(seen.path) && [200, 304].includes(seen.status)) return;
  expect(seen.status, what).to.be.oneOf([204, 400, 404, 405]);
  if (seen.status !== 204) expect(isProblem(seen), `${what} is a problem document`).to.equal(true);
  if (seen.status === 405) expect(seen.headers.get('allow'), `Allow of ${what}`).to.be.a('string');
}

function isProblem({ headers, method }: Seen): boolean {
  return mediaTypeOf(headers) === 'application/problem+json' && method !== 'HEAD';
}

function mediaTypeOf(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
}

function createFinder(document: OpenApi): (seen: Seen) => Found | null {
  const found = operationsOf(document).map((one) => ({ ...one, pattern: patternOf(one.path) }));
  // Literal segments win over parameters, as they do in the router.
  found.sort((a, b) => placeholders(a.path) - placeholders(b.path));
  return ({ method, path: sent }) => {
    const [plain = ''] = sent.split('?', 1);
    const verb = method === 'HEAD' ? 'GET' : method;
    const path = found.find(({ pattern }) => pattern.test(plain))?.path;
    return found.find((one) => one.path === path && one.method === verb) ?? null;
  };
}

function patternOf(path: string): RegExp {
  const pattern = path
    .replaceAll('.', '\\.')
    .replace('{name}', '.+')
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}/?$`);
}

function placeholders(path: string): number {
  return path.split('{').length;
}

function step(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The document with every object closed: a field that it does not name is a fault. */
function closedDocument(document: OpenApi): object {
  const json = JSON.stringify(document, (_key, value: unknown) => {
    const open = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value;
    return open && !('additionalProperties' in value) ? { ...value, additionalProperties: false } : value;
  });
  // The text of an object.
  return JSON.parse(json) as object;
}
