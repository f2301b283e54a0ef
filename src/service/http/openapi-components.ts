import { MARKED_POSITION } from './marked-position.ts';
import { z } from 'zod';
import { STATUS_CODES } from 'node:http';
import { featuresOf, problemStatuses, type Endpoint } from './endpoint.ts';
import { component } from '../../domain/component.ts';
import { EXAMPLES } from '../../domain/examples.ts';
import type { Fault } from '../../kernel/aggregate/rejection.ts';
import { Problem, problemDocument, PROBLEMS, type ProblemCode } from './problems.ts';

export function refTo(kind: 'headers' | 'parameters' | 'responses' | 'schemas', name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}

const text = { type: 'string' } as const;

const like = (example: string) => ({ ...text, examples: [example] });

const field = (description: string, example: string, more: { readonly format?: 'uri' } = {}) => ({
  ...text,
  ...more,
  description,
  examples: [example],
});

export const PROBLEM = {
  type: 'object' as const,
  description: 'A problem (RFC 9457).',
  properties: {
    type: field('Identifies the kind of problem. It is the same for every occurrence.', 'urn:problem-type:not-found', {
      format: 'uri',
    }),
    title: field('Summary of the kind of problem. It is the same for every occurrence.', PROBLEMS.NOT_FOUND.title),
    status: {
      type: 'integer' as const,
      minimum: 400,
      maximum: 599,
      description: 'Status of the answer.',
      examples: [404],
    },
    detail: field('What went wrong this time.', 'There is no resource with this id.'),
    instance: field('Path of the request.', `/api/v1/laps/${EXAMPLES.lap.id}`),
    errors: {
      type: 'array' as const,
      description: 'What is wrong with the request, most useful first. Absent if no part of it is to blame.',
      items: {
        type: 'object' as const,
        properties: {
          pointer: field(
            'JSON pointer (RFC 6901) into the body as a URI fragment, or #/query/…, #/path/…, #/header/….',
            '#/sectors/0',
          ),
          detail: field('What is wrong there.', 'must be at least 0'),
        },
        required: ['pointer', 'detail'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'instance'],
};

/** Content of a problem response: an example for each kind of problem with its status. */
export function problemContent(status: number) {
  const examples = PROBLEM_CODES.filter((code) => PROBLEMS[code].status === status).map((code) => {
    const [detail, errors] = OCCURRENCES[code] ?? [`${PROBLEMS[code].title}.`, []];
    const value = problemDocument(new Problem(code, detail, { errors }), '/api/v1/laps');
    return [code.toLowerCase(), { summary: PROBLEMS[code].title, value }] as const;
  });
  const schema = refTo('schemas', 'Problem');
  if (examples.length === 0) return { 'application/problem+json': { schema } };
  return { 'application/problem+json': { schema, examples: Object.fromEntries(examples) } };
}

// The keys of the table.
const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** Occurrences of problems that say more than their titles: the detail, and the faults of a request. */
const OCCURRENCES: { readonly [C in ProblemCode]?: readonly [string, readonly Fault[]] } = {
  INVALID: ['/sectors/0: must be at least 0', [{ pointer: '#/sectors/0', detail: 'must be at least 0' }]],
  UNAUTHENTICATED: ['Send a valid key in the header X-API-Key.', []],
  NOT_FOUND: ['There is no resource with this id.', []],
  TAKEN: ['Another track has this slug.', [{ pointer: '#/slug', detail: 'Another track has this slug.' }]],
  UNKNOWN_REFERENCE: [
    'The request refers to something that does not exist.',
    [{ pointer: '#/carId', detail: 'there is no car with this id' }],
  ],
  UNAVAILABLE: ['A store cannot be reached at the moment.', []],
};

const ETAG = '"3-1k2j9x.8c"';

/** A problem document as a part of something else. */
export const ProblemView = z
  .custom<object>((value) => value !== undefined)
  .meta({ ...component('Problem', PROBLEM.description), ...PROBLEM });

const header = (description: string, schema: object) => ({ description, schema });

const HEADERS = {
  'API-Version': header('Version of this interface.', { ...text, const: '1.0' }),
  'X-Request-Id': header("Names the request in log and events; the client's, or a new one.", like('rig-7-4711')),
  'RateLimit-Policy': header(
    'The quotas that apply to the request, of its address and of its key, each with units (q) per window of seconds (w); ' +
      'none where no limit applies.',
    like('"address";q=30000;w=60, "key";q=12000;w=60'),
  ),
  RateLimit: header(
    'What is left of each quota (r), and in how many seconds (t) all of it is available again.',
    like('"address";r=29990;t=1, "key";r=11999;t=1'),
  ),
  ETag: header(
    'Names the content, for If-None-Match; of one resource: its revision, for If-Match, and a hash of the body.',
    like(ETAG),
  ),
  Location: header('Address of the resource.', { ...like(`/api/v1/laps/${EXAMPLES.lap.id}`), format: 'uri-reference' }),
  'Retry-After': header('Seconds after which to try again.', { type: 'integer', minimum: 0, example: 2 }),
  'WWW-Authenticate': header('How to authenticate.', like('ApiKey realm="sim-racing-timing", header="X-API-Key"')),
  'Accept-Ranges': header('Parts of the content may be requested.', { ...text, const: 'bytes' }),
  'Content-Range': header('Which part this is, and the size of the whole.', like('bytes 0-99/20480')),
  'Idempotency-Replayed': header('The resource was made by an earlier request with this key.', {
    ...text,
    const: 'true',
  }),
  'Existing-Resource': header(
    'To its owners: whether what was sent is the same as what is kept (JSON compared as JSON), or different. Nothing was changed.',
    { ...like('same'), pattern: '^(same|different)$' },
  ),
};

type HeaderName = keyof typeof HEADERS;

const PARAMETERS = {
  'idempotency-key': {
    name: 'Idempotency-Key',
    description: 'Makes a retry safe: the same key and body create one resource only.',
    schema: { ...like('rig-7-boot-12-lap-34'), minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  'if-match': { name: 'If-Match', description: 'Change only this revision: an ETag, or *.', schema: like(ETAG) },
  'if-none-match': {
    name: 'If-None-Match',
    description: 'Answer 304 when the ETag is still one of these.',
    schema: like(ETAG),
  },
  range: {
    name: 'Range',
    description: 'Answer 206 with this part, such as `bytes=0-99`; with `If-Range`, only of content with that ETag.',
    schema: like('bytes=0-99'),
  },
  'last-event-id': {
    name: 'Last-Event-ID',
    description: 'Continue after the event with this id, as browsers do automatically; takes precedence over `after`.',
    schema: { ...like('48211-1x7k2qz'), pattern: MARKED_POSITION.source },
  },
  'respond-async': {
    name: 'Prefer',
    description: '`respond-async`: answer 202 as soon as the change is stored.',
    schema: like('respond-async'),
  },
} as const;

/** The names of the optional headers of requests that an endpoint honours. */
export function parametersOf(row: Endpoint): readonly string[] {
  return featuresOf(row).flatMap((feature) => {
    if (feature !== 'etag') return [PARAMETERS[feature].name];
    return row.method === 'GET' ? [PARAMETERS['if-none-match'].name] : [];
  });
}

export function headersOf(row: Endpoint, status: number) {
  const features = featuresOf(row);
  const present: Record<HeaderName, boolean> = {
    'API-Version': true,
    'X-Request-Id': true,
    'RateLimit-Policy': true,
    RateLimit: true,
    ETag: features.includes('etag') && [200, 201, 206, 304].includes(status),
    Location: status === 202 || status === 302 || (status === 201 && !row.upload),
    'Retry-After': [202, 429, 503].includes(status),
    'WWW-Authenticate': status === 401,
    'Accept-Ranges': features.includes('range') && [200, 206].includes(status),
    'Content-Range': features.includes('range') && [206, 416].includes(status),
    // There is one already: a new one would be a 201.
    'Existing-Resource': status === 200 && 201 in row.responses,
    'Idempotency-Replayed': status === 201 && features.includes('idempotency-key'),
  };
  // The keys of the table, all of which `present` has.
  const names = (Object.keys(HEADERS) as HeaderName[]).filter((name) => present[name]);
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
}

/** The components that operations refer to, but for the schemas of their bodies. */
export function componentsIn(rows: readonly Endpoint[], paths: unknown) {
  const problems = new Map(rows.flatMap((row) => problemStatuses(row).map((status) => [status, row] as const)));
  const responses = Object.fromEntries(
    Array.from(problems, ([status, row]) => [`Problem${status}`, problemResponse(row, status)]),
  );
  const text = JSON.stringify([paths, responses]);
  const usedOf = (kind: 'headers' | 'parameters', entries: readonly (readonly [name: string, object])[]) =>
    Object.fromEntries(entries.filter(([name]) => text.includes(JSON.stringify(refTo(kind, name)))));
  return {
    securitySchemes: {
      ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Token of an API key.' },
    },
    parameters: usedOf(
      'parameters',
      Object.values(PARAMETERS).map((parameter) => [parameter.name, { in: 'header', required: false, ...parameter }]),
    ),
    headers: usedOf('headers', Object.entries(HEADERS)),
    responses,
  };
}

function problemResponse(row: Endpoint, status: number): object {
  const titles = Object.values(PROBLEMS)
    .filter((kind) => kind.status === status)
    .map(({ title }) => title);
  const description = titles.length > 0 ? titles.join('; ') : (STATUS_CODES[status] ?? 'Problem');
  return { description, headers: headersOf(row, status), content: problemContent(status) };
}
