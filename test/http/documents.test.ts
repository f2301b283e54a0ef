import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { z } from 'zod';
import { cdnEndpoints } from '../../src/service/api/cdn.ts';
import type { CodedBodies } from '../../src/service/http/compression.ts';
import { toyFiles } from '../support/assets/toy-files.ts';
import { includeDisabled, pageParameters, pageSchema } from '../../src/service/http/paging.ts';
import { operationsOf, type OpenApi } from '../support/api/openapi.ts';
import { problem, toy, useToys } from '../support/api/http.ts';

const Toy = z.object({ id: z.uuid(), name: z.string().nullable() }).meta({ id: 'Toy' });
const NewToy = z.object({ name: z.string().min(2).max(9), size: z.int().default(1) }).meta({ id: 'NewToy' });

const params = z.object({ toyId: z.uuid() });

const rows = [
  toy('GET', '/api/v1/toys/paged', {
    operationId: 'pageToys',
    query: z.object({ ...pageParameters(['name'], 'name'), includeDisabled }),
    responses: { 200: pageSchema(Toy, 'PageOfToy') },
  }),
  toy('GET', '/api/v1/toys/{toyId}', { operationId: 'getToy', params, responses: { 200: Toy } }),
  toy('POST', '/api/v1/toys', {
    operationId: 'createToy',
    access: 'CRUD',
    body: NewToy,
    responses: { 201: Toy, 202: null },
    problems: [409],
  }),
  toy('PATCH', '/api/v1/toys/{toyId}', {
    operationId: 'updateToy',
    access: 'CRUD',
    params,
    body: NewToy.partial(),
    responses: { 200: Toy, 202: null },
  }),
  toy('GET', '/actuator/health', {
    operationId: 'getHealth',
    responses: { 200: z.object({ status: z.string() }), 503: z.object({ status: z.string() }) },
  }),
  ...cdnEndpoints(toyFiles({ put: () => Promise.resolve(), get: () => Promise.resolve(null) })),
];

describe('documents', () => {
  const toys = useToys(rows);
  // Made by the generator of OpenAPI documents.
  const documented = () => toys.http.document as OpenApi;

  const operation = (id: string) =>
    operationsOf(documented())
      .map((found) => found.operation)
      .find(({ operationId }) => operationId === id);

  it('name every answer of an operation', () => {
    const statuses = (id: string) => Object.keys(operation(id)?.responses ?? {}).join(' ');
    expect(statuses('pageToys')).to.equal('200 400 401 403 429 500 503');
    expect(statuses('getToy')).to.equal('200 304 400 404 429 500 503');
    expect(statuses('createToy')).to.equal('201 202 400 401 403 408 409 413 415 422 429 500 503');
    expect(statuses('updateToy')).to.equal('200 202 400 401 403 404 408 412 413 415 429 500 503');
    expect(statuses('uploadCdnFile')).to.equal('201 202 400 401 403 429 503 507');
    expect(Object.keys(operation('getHealth')?.responses['503']?.content ?? {})).to.deep.equal([
      'application/json',
      'application/problem+json',
    ]);
  });

  it('name parameters, headers and schemas', () => {
    const parameters = (id: string) =>
      (operation(id)?.parameters ?? []).map(({ name, $ref }) => name ?? $ref?.split('/').at(-1));
    expect(parameters('createToy')).to.deep.equal(['Idempotency-Key', 'Prefer']);
    expect(parameters('updateToy')).to.deep.equal(['If-Match', 'Prefer', 'toyId']);
    expect(parameters('getToy')).to.deep.equal(['If-None-Match', 'toyId']);
    expect(parameters('pageToys')).to.deep.equal(['page', 'size', 'sort', 'includeDisabled']);
    const headers = Object.keys(operation('createToy')?.responses['201']?.headers ?? {});
    expect(headers).to.deep.equal([
      ...['API-Version', 'X-Request-Id', 'RateLimit-Policy', 'RateLimit'],
      ...['ETag', 'Location', 'Idempotency-Replayed'],
    ]);
    const { schemas } = documented().components;
    expect(schemas).to.include.keys(['Toy', 'NewToy', 'PageOfToy', 'Problem', 'CdnRequest']);
    expect(operation('createToy')?.requestBody?.content['application/json']?.schema).to.deep.equal({
      $ref: '#/components/schemas/NewToy',
    });
    expect(schemas.NewToy?.required).to.deep.equal(['name']);
    const query = operation('pageToys')?.parameters?.map(({ schema }) => schema?.type);
    expect(query).to.deep.equal(['integer', 'integer', 'string', 'boolean']);
    expect(operation('createToy')?.security).to.deep.equal([{ ApiKey: [] }]);
    expect(operation('getToy')?.security).to.deep.equal([]);
  });

  it('are shown at /swagger-ui, with or without a slash, with all files that the page loads', async () => {
    for (const path of ['/swagger-ui', '/swagger-ui/', '/swagger-ui/index.html', '/swagger-ui?x=1']) {
      const page = await toys.send(path, { redirect: 'manual' });
      expect(page.status, path).to.equal(200);
      expect(page.headers.get('content-security-policy')).to.match(/script-src 'self';/);
      const html = await page.text();
      expect(html)
        .to.match(/<base href="\/swagger-ui\/">/)
        .and.not.to.match(/<script>/);
      const files = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file = '']) => file);
      expect(files).to.include.members(['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-init.js']);
      for (const file of files) expect((await toys.send(`/swagger-ui/${file}`)).status, file).to.equal(200);
    }
    const init = await (await toys.send('/swagger-ui/swagger-ui-init.js')).text();
    expect(init).to.match(/"swaggerUrl": "\/api-docs"/);
    for (const option of ['deepLinking', 'filter', 'persistAuthorization'])
      expect(init).to.include(`"${option}": true`);
    expect(init).to.match(/"responseInterceptor": function/);
    await problem(await toys.send('/swagger-ui/nope'), 404);
    await problem(await toys.send('/swagger-ui/%zz'), 404);
    await problem(await toys.send('/swagger-ui', { method: 'POST' }), 405);
  });
});

describe('a text that is sent again', () => {
  const coded: CodedBodies = new Map([['gzip', gzipSync('as it was compressed before')]]);
  const response = { kind: 'text', status: 200, body: 'x'.repeat(2_000), coded } as const;
  const toys = useToys([toy('GET', '/text', { responses: { 200: 'text/plain' }, handle: () => response })]);

  it('is compressed once', async () => {
    const asked = async (coding: string) =>
      (await toys.send('/text', { headers: { 'Accept-Encoding': coding } })).text();
    expect(await asked('gzip')).to.equal('as it was compressed before');
    expect(await asked('br')).to.equal(response.body);
    expect([...coded.keys()]).to.deep.equal(['gzip', 'br']);
  });
});
