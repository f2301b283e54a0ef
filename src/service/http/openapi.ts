import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import type { ResponseConfig, RouteConfig, ZodContentObject } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { STATUS_CODES } from 'node:http';
import { jsonObject, type Unit } from '../../domain/fields.ts';
import { ROLES } from '../../domain/roles.ts';
import { basePathOf } from './base-path.ts';
import { endpoint, featuresOf, METHODS, problemStatuses } from './endpoint.ts';
import type { Endpoint, EndpointResponse } from './endpoint.ts';
import { componentsIn, headersOf, parametersOf, PROBLEM, problemContent, refTo } from './openapi-components.ts';
import { forGenerators } from './openapi-schemas.ts';
import { contentEtag } from './etags.ts';
import { JSON_TYPE } from './responses/buffered.ts';

/**
 * Creates the OpenAPI 3.1 document of an endpoint table; the endpoint of the document itself is included. `publicUrl`: the
 * address at which clients reach the service; null: that from where they have the document.
 */
export function createDocument(rows: readonly Endpoint[], publicUrl: string | null): object {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('schemas', 'Problem', PROBLEM);
  const documented = [...rows, documentEndpoint(() => ({}))];
  for (const row of documented) registry.registerPath(describeOperation(row));
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Sim Racing Timing Service',
      version: '1.0',
      description:
        'Sim racing timing data: racing events, laps, rigs, participants and the catalogues around them. Requests and ' +
        'answers are JSON. Ids are UUIDs; instants are ISO 8601 with `Z` or an offset, and shown in UTC.',
      contact: { name: 'The operator of this service' },
      license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: serversAt(publicUrl),
    tags: [...new Map(documented.map(({ tag }) => [tag.name, tag])).values()],
  });
  const { schemas = {} } = document.components ?? {};
  for (const row of documented) addUnits(document.paths?.[pathOf(row)]?.[METHODS[row.method]], row, schemas);
  return forGenerators({
    ...document,
    components: { ...componentsIn(documented, document.paths), schemas: withDefaultsInWords(schemas) },
  });
}

/** The public address, and the host from which a client has the document: one in the venue may reach no other. */
function serversAt(publicUrl: string | null) {
  if (publicUrl === null) return [{ url: '/' }];
  return [{ url: publicUrl }, { url: `${basePathOf(publicUrl)}/`, description: 'The host that the document is from.' }];
}

/**
 * Schemas of bodies with their defaults in the descriptions: generators of clients take a property with a `default` for
 * one that has to be sent; forms find it as `x-default`. (Query parameters keep theirs: each says whether it is required.)
 */
function withDefaultsInWords(schemas: object): unknown {
  return JSON.parse(JSON.stringify(schemas), (key, schema: unknown) => {
    if (key === 'properties' || typeof schema !== 'object' || schema === null || !('default' in schema)) return schema;
    const { default: value, ...rest } = schema;
    const words = `Default: \`${JSON.stringify(value)}\`.`;
    const description = 'description' in rest ? `${String(rest.description)} ${words}` : words;
    return { ...rest, description, 'x-default': value };
  });
}

export const OPERATIONS = {
  name: 'Operations',
  description: 'Health, metrics and descriptions of the service, and what its operators do.',
} as const;

/** The sentences by unit, or by the format of what has one, in their order. */
const UNITS: Readonly<Record<Unit | 'date-time', string>> = {
  ms: 'Times are in milliseconds.',
  s: 'Times are in seconds.',
  m: 'Lengths are in metres.',
  '%': 'Sizes are in percent.',
  'date-time': 'Instants are ISO 8601, shown in UTC.',
};

function descriptionOf(row: Endpoint): string {
  const access =
    row.access === 'public'
      ? 'Public: it needs no key.'
      : `Needs a key of role ${row.access}${row.access === ROLES.at(-1) ? '' : ' or higher'}.`;
  const own = row.forRigs ? ['The key of a rig may do it for its own.'] : [];
  return [`${row.summary}.`, row.description ?? '', access, ...own].filter(Boolean).join(' ');
}

type Paths = NonNullable<ReturnType<OpenApiGeneratorV31['generateDocument']>['paths']>;

/** Adds a sentence to the description of an operation for each unit that its bodies have. */
function addUnits(operation: Paths[string]['get'], row: Endpoint, schemas: Schemas): void {
  if (operation === undefined) return;
  const answers = Object.entries(operation.responses ?? {}).filter(([status]) => status in row.responses);
  const found = unitsIn([operation.requestBody, answers], schemas);
  const sentences = Object.entries(UNITS).flatMap(([unit, sentence]) => (found.has(unit) ? [sentence] : []));
  operation.description = [operation.description, ...sentences].join(' ');
}

type Schemas = Readonly<Record<string, unknown>>;

/** The units in a part and in the schemas that it refers to, and `date-time` where it has instants. */
function unitsIn(part: unknown, schemas: Schemas): ReadonlySet<string> {
  const texts = new Set([JSON.stringify(part)]);
  // What is added to a set while one goes through it comes at its end.
  for (const text of texts)
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(.+?)"/g))
      texts.add(JSON.stringify(schemas[name]));
  return new Set([...texts].flatMap((text) => Array.from(text.matchAll(UNIT), ([, unit = '']) => unit)));
}

const UNIT = /"(?:x-unit|format)":"(.+?)"/g;

/** The endpoint of the document: its text is made once, at the first request, with an ETag. */
export function documentEndpoint(document: () => object): Endpoint {
  let response: EndpointResponse | null = null;
  const createResponse = (): EndpointResponse => {
    const body = JSON.stringify(document());
    const headers = { 'Content-Type': JSON_TYPE, ETag: contentEtag(body) };
    return { kind: 'text', status: 200, body, headers, coded: new Map() };
  };
  return endpoint({
    method: 'GET',
    path: '/api-docs',
    operationId: 'getApiDocs',
    tag: OPERATIONS,
    access: 'public',
    summary: 'Get this document',
    description: 'The document is OpenAPI 3.1.',
    features: ['etag'],
    responses: { 200: jsonObject },
    handle: () => (response ??= createResponse()),
  });
}

/** The path of an operation; OpenAPI has no parameter that takes the rest of a path. */
function pathOf({ path }: Endpoint): string {
  return path.replace('*}', '}');
}

function describeOperation(row: Endpoint): RouteConfig {
  const operation: RouteConfig = {
    method: METHODS[row.method],
    path: pathOf(row),
    operationId: row.operationId,
    tags: [row.tag.name],
    summary: row.summary,
    description: descriptionOf(row),
    security: row.access === 'public' ? optionalKey(row) : [{ ApiKey: [] }],
    request: describeRequest(row),
    responses: describeResponses(row),
  };
  if (row.access !== 'public') operation['x-role'] = row.access;
  const parameters = parametersOf(row).map((name) => refTo('parameters', name));
  if (parameters.length > 0) operation.parameters = parameters;
  return operation;
}

/** Security of a public endpoint: no key, but one for `includeDisabled`. */
function optionalKey(row: Endpoint): Record<string, string[]>[] {
  return row.query && 'includeDisabled' in row.query.shape ? [{}, { ApiKey: [] }] : [];
}

function describeRequest(row: Endpoint): NonNullable<RouteConfig['request']> {
  const schema = row.describedBody ?? row.body;
  const json = schema && { required: row.bodyOptional !== true, content: { [JSON_TYPE]: { schema } } };
  const body = row.upload ? describeUpload(row) : json;
  const request: NonNullable<RouteConfig['request']> = {};
  if (row.params) request.params = row.params;
  if (row.query) request.query = row.query;
  if (body) request.body = body;
  return request;
}

function describeUpload({ upload, body }: Endpoint) {
  if (!upload || !body) return undefined;
  const { jsonPart, filePart } = upload;
  // Without a type: bytes are no JSON (OpenAPI 3.1, §4.8.14.3). Generators of clients take anything, forms show a chooser.
  const file = z.unknown().meta({ contentMediaType: 'application/octet-stream', description: 'The file.' });
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: z.object({ [jsonPart]: body, [filePart]: file }).required(),
        encoding: { [jsonPart]: { contentType: JSON_TYPE }, [filePart]: { contentType: '*/*' } },
      },
    },
  };
}

function describeResponses(row: Endpoint): RouteConfig['responses'] {
  const problems = problemStatuses(row);
  const responses: RouteConfig['responses'] = {};
  for (const status of Object.keys(row.responses).map(Number))
    responses[status] = describeResponse(row, status, problems.includes(status));
  if (row.method === 'GET' && featuresOf(row).includes('etag'))
    responses[304] = { description: 'The ETag is still the same.', headers: headersOf(row, 304) };
  for (const status of problems)
    if (!(status in row.responses)) responses[status] = refTo('responses', `Problem${status}`);
  return responses;
}

/** `mayBeProblem`: a problem document may come with this status as well. */
function describeResponse(row: Endpoint, status: number, mayBeProblem: boolean): ResponseConfig {
  const kind = row.responses[status];
  const response = { description: STATUS_CODES[status] ?? 'Answer', headers: headersOf(row, status) };
  if (kind === null || kind === undefined) return response;
  const content = describeContent(row, kind);
  return { ...response, content: mayBeProblem ? { ...content, ...problemContent(status) } : content };
}

/** The media types of a response of this kind. */
function describeContent(row: Endpoint, kind: NonNullable<Endpoint['responses'][number]>): ZodContentObject {
  if (typeof kind !== 'string') {
    const json = { [JSON_TYPE]: { schema: kind } };
    return isTable(row) ? { ...json, 'text/csv': { schema: z.string() } } : json;
  }
  if (kind.startsWith('text/')) return { [kind]: { schema: row.events ?? z.string() } };
  return { ...BYTES, [kind]: {} };
}

/** Content that is no text, by the name under which generators of clients know it. */
const BYTES = { 'application/octet-stream': {} };

function isTable({ query }: Endpoint): boolean {
  return query !== undefined && 'bom' in query.shape;
}
