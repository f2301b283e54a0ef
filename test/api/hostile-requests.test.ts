import { Agent, type RequestOptions } from 'node:http';
import { expect } from 'chai';
import { depth } from '../support/depth.ts';
import { operationsOf, type Found } from '../support/api/openapi.ts';
import { sendRaw } from '../support/api/raw.ts';
import { useVenue } from '../support/api/with-service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Sixty path traversals, none of which may lead anywhere. */
const TRAVERSALS = [
  ...['..', '....', '%2e%2e', '.%2e', '%252e%252e', '%c0%ae%c0%ae', '%uff0e%uff0e'],
  ...['..%00', '..;', '%2e%2e%20'],
].flatMap((dot) =>
  ['/', '%2f', '%5c', '%252f', '%c0%af', '//'].map((slash) => `${`${dot}${slash}`.repeat(3)}etc${slash}passwd`),
);

// test/http has other methods, parameters that are repeated or unknown, and bodies with names of built-in object members.
describe('API: hostile requests', () => {
  const api = useVenue();
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  after(() => agent.destroy());

  const send = async (sent: Pick<RequestOptions, 'method' | 'path' | 'headers'>) => {
    const { body, ...answer } = await sendRaw(api.service.url, { agent, ...sent });
    return { ...answer, text: body.toString() };
  };

  const operations = (): readonly Found[] => operationsOf(api.service.document);
  const keyed = () => ({ 'X-API-Key': String(api.admin.token) });
  /** The path with existing ids; which resources they belong to does not matter here. */
  const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, api.venue.lapId);

  /** Names of the query parameters of an operation. */
  const queryOf = ({ operation }: Found): readonly string[] =>
    (operation.parameters ?? []).flatMap(({ name, $ref }) => ($ref === undefined && name !== undefined ? [name] : []));

  it(`paths: ${TRAVERSALS.length} ways out of a folder lead nowhere, whichever parameter they replace`, async () => {
    const templates = operations().flatMap(({ method, path }) =>
      (path.match(/\{\w+\}/g) ?? []).map((name) => ({ method, path, name })),
    );
    const all = templates.flatMap(({ method, path, name }) =>
      TRAVERSALS.map((way) => ({ method, path: filled(path.replace(name, way)) })),
    );
    const every = depth({ short: 20, deep: 1 });
    for (const { method, path } of all.filter(({ path: url }, n) => url.startsWith('/cdn') || n % every === 0)) {
      const answer = await send({ method, path, headers: { ...keyed(), ...JSON_TYPE } });
      expect(answer.status, `${method} ${path}`).to.be.oneOf([400, 404, 405, 415]);
      expect(answer.text, path).not.to.include('root:');
    }
  });

  it('headers: nothing that is sent becomes a header of the answer', async () => {
    const texts = [
      ...['%0d%0aInjected:%20yes%0d%0a', '%0aInjected:%20yes', '%E5%98%8A%E5%98%8DInjected:%20yes'],
      ...['%0d%0a%0d%0a<script>', '%00', '%7f'],
    ];
    const nth = (n: number): string => texts[n % texts.length] ?? '';
    for (const [at, found] of operations().entries()) {
      const query = [...queryOf(found), 'other'].map((name, n) => `${name}=${nth(at + n)}`).join('&');
      const inPath = found.path.includes('{') ? texts.map((text) => found.path.replaceAll(/\{\w+\}/g, text)) : [];
      for (const [n, path] of [`${filled(found.path)}?${query}`, ...inPath].entries()) {
        const headers = { ...keyed(), Origin: 'http://a', 'X-Request-Id': nth(at + n) };
        const answer = await send({ method: found.method, path, headers });
        const what = `${found.method} ${path} ${answer.status}`;
        expect(answer.headers, what).not.to.have.property('injected');
        expect(answer.rawHeaders.join('\n'), what).not.to.match(/injected: yes/i);
        expect(answer.status, what).to.be.below(500);
      }
    }
  });

  it('secrets: a key in a URL or cookie is ignored, and is not logged', async () => {
    const token = String(api.admin.token);
    const names = ['X-API-Key', 'x-api-key', 'apiKey', 'api_key', 'key', 'token', 'access_token', 'authorization'];
    const query = names.map((name) => `${name}=${encodeURIComponent(token)}`).join('&');
    const cookie = { Cookie: names.map((name) => `${name}=${token}`).join('; ') };
    const elsewhere = { ...cookie, Authorization: `Bearer ${token}`, 'Proxy-Authorization': `ApiKey ${token}` };
    for (const { path, method, operation } of operations().filter(
      ({ operation: { security } }) => security.length > 0,
    )) {
      if (operation.security.some((one) => Object.keys(one).length === 0)) continue;
      const answer = await send({ method, path: `${filled(path)}?${query}`, headers: elsewhere });
      expect(answer.status, `${method} ${path}`).to.equal(401);
      expect(answer.text, path).not.to.include(token);
    }
    await send({ method: 'GET', path: `/nothing/${token}?${query}`, headers: elsewhere });
    await send({ method: 'GET', path: `/api/v1/laps/%zz${token}?${query}`, headers: elsewhere });
    expect(api.service.log.filter((line) => line.includes(token))).to.deep.equal([]);
  });
});
