import { OpenApiGeneratorV31, type ResponseConfig, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { STATUS_CODES } from 'node:http';
import { endpoint, featuresOf, METHODS, problemStatuses, type Endpoint } from './endpoint.ts';
import { contentEtag, JSON_TYPE } from './respond.ts';
import { PROBLEM_CONTENT, SharedComponents } from './openapi-components.ts';

/** Creates the OpenAPI 3.1 document of an endpoint table; the endpoint of the document itself is included. */
export function createDocument(rows: readonly Endpoint[]): object {
  const shared = new SharedComponents();
  for (const row of [...rows, documentEndpoint({})]) shared.registry.registerPath(describeOperation(row, shared));
  return new OpenApiGeneratorV31(shared.registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Sim Racing Timing Service',
      version: '1.0',
      description: 'Sim racing timing data: racing events, laps, rigs, participants and the catalogues around them.',
      license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: [{ url: '/' }],
  });
}

/** The endpoint of the document: its text is made once, with an ETag. */
export function documentEndpoint(document: object): Endpoint {
  const body = JSON.stringify(document);
  const headers = { 'Content-Type': JSON_TYPE, ETag: contentEtag(body) };
  return endpoint({
    method: 'GET',
    path: '/api-docs',
    operationId: 'getApiDocs',
    tag: 'Operations',
    access: 'public',
    summary: 'This document',
    features: ['etag'],
    responses: { 200: z.looseObject({ openapi: z.string() }) },
    handle: () => ({ kind: 'text', status: 200, body, headers }),
  });
}

function describeOperation(row: Endpoint, shared: SharedComponents): RouteConfig {
  const parameters = shared.parameters(row);
  return {
    method: METHODS[row.method],
    path: row.path.replace('*}', '}'),
    operationId: row.operationId,
    tags: [row.tag],
    summary: row.summary,
    security: row.access === 'public' ? optionalKey(row) : [{ ApiKey: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    request: describeRequest(row),
    responses: describeResponses(row, shared),
  };
}

/** Security of a public endpoint: no key, but one for `includeDisabled`. */
function optionalKey(row: Endpoint): Record<string, string[]>[] {
  return row.query && 'includeDisabled' in row.query.shape ? [{}, { ApiKey: [] }] : [];
}

function describeRequest(row: Endpoint): NonNullable<RouteConfig['request']> {
  const json = row.body && { required: true, content: { [JSON_TYPE]: { schema: row.describedBody ?? row.body } } };
  const body = row.upload ? describeUpload(row) : json;
  return {
    ...(row.params ? { params: row.params } : {}),
    ...(row.query ? { query: row.query } : {}),
    ...(body ? { body } : {}),
  };
}

function describeUpload({ upload, body }: Endpoint) {
  if (!upload || !body) return undefined;
  const { jsonPart, filePart } = upload;
  // As generators of clients and forms know a file; OpenAPI 3.1 (§4.8.14.4) goes by the media type.
  const file = z
    .unknown()
    .meta({
      ...{ type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' },
      description: 'The file.',
    });
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

function describeResponses(row: Endpoint, shared: SharedComponents): RouteConfig['responses'] {
  const problems = problemStatuses(row);
  const responses: RouteConfig['responses'] = {};
  for (const [code, kind] of Object.entries(row.responses)) {
    const status = Number(code);
    responses[code] = describeResponse(row, { status, kind, mayBeProblem: problems.includes(status) }, shared);
  }
  if (row.method === 'GET' && featuresOf(row).includes('etag')) {
    responses[304] = { description: 'The ETag is still the same.', headers: shared.headers(row, 304) };
  }
  for (const status of problems) if (!(status in row.responses)) responses[status] = shared.problem(row, status);
  return responses;
}

interface DocumentedResponse {
  readonly status: number;
  readonly kind: Endpoint['responses'][number] | undefined;
  /** A problem document may come with this status as well. */
  readonly mayBeProblem: boolean;
}

function describeResponse(
  row: Endpoint,
  { status, kind, mayBeProblem }: DocumentedResponse,
  shared: SharedComponents,
): ResponseConfig {
  const response = { description: STATUS_CODES[status] ?? 'Answer', headers: shared.headers(row, status) };
  if (kind === null || kind === undefined) return response;
  const content =
    typeof kind === 'string'
      ? { [kind]: kind.startsWith('text/') ? { schema: z.string() } : {} }
      : { [JSON_TYPE]: { schema: kind }, ...(isTable(row) && { 'text/csv': { schema: z.string() } }) };
  return { ...response, content: mayBeProblem ? { ...content, ...PROBLEM_CONTENT } : content };
}

/** Whether a list may be had as CSV. */
function isTable({ query }: Endpoint): boolean {
  return query !== undefined && 'bom' in query.shape;
}
