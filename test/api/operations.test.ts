import { expect } from 'chai';
import { PROBLEMS } from '../../src/service/http/problems.ts';
import { expectStatus } from '../support/api/client.ts';
import { lintOpenApi } from '../support/api/lint.ts';
import { operationsOf } from '../support/api/openapi.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

/** Codes of refusals before the operation is known, so no operation can document them. */
const BEFORE_ROUTING = ['METHOD_NOT_ALLOWED', 'EXPECTATION_FAILED', 'HEADERS_TOO_LARGE'];

describe('API: operations', () => {
  const api = useVenue();

  it('show health part by part to anyone, but hosts and processes only to ADMIN', async () => {
    const { body } = expectStatus(await api.anyone.get('/actuator/health'), 200);
    expect(body.status).to.equal('UP');
    const parts = Object.values(body.components ?? {});
    expect(parts.length).to.be.greaterThan(2);
    for (const part of parts) expect(part).to.deep.equal({ status: 'UP' });
    for (const low of [api.venue.manager, api.venue.rig, api.anyone.as('srt_nobody')]) {
      expect((await low.read('/actuator/health')).components).to.deep.equal(body.components);
      expect((await low.read('/actuator/health/readiness')).components).to.deep.equal(body.components);
    }
    const { components } = await api.admin.read('/actuator/health');
    expect(Object.keys(components ?? {})).to.have.members(Object.keys(body.components ?? {}));
    expect(components).to.have.nested.property('projection.holder');
    expect(await api.anyone.read('/actuator/health/liveness')).to.deep.equal({ status: 'UP' });
    expect(await api.anyone.read('/actuator/health/readiness')).to.include({ status: 'UP' });
  });

  it('count requests by route and status in metrics', async () => {
    await api.anyone.get(`/api/v1/laps/${api.venue.lapId}`);
    await api.admin.create('/api/v1/laps', bodies.lap(api.venue));
    const answer = expectStatus(await api.anyone.get('/actuator/prometheus'), 200);
    expect(answer.header('content-type')).to.match(/^text\/plain/);
    expect(answer.text).to.include('method="GET",route="/api/v1/laps/{lapId}"');
    expect(answer.text).not.to.include(api.venue.lapId);
    expect(answer.text).to.match(/status="201"/);
  });

  it('are described by an OpenAPI 3 document without lint errors', async () => {
    const answer = expectStatus(await api.anyone.get('/api-docs'), 200);
    expect(answer.body.openapi).to.match(/^3\./);
    expect(answer.body).to.deep.equal(JSON.parse(JSON.stringify(api.service.document)));
    // A rig by its hardwareId and the history of a rig have overlapping paths: the former wins.
    const known = /^warn no-ambiguous-paths: .*`\/api\/v1\/rigs\/hardwareId\/\{hardwareId\}`/;
    expect((await lintOpenApi(answer.body)).filter((fault) => !known.test(fault))).to.deep.equal([]);
    expectStatus(await api.anyone.get('/api-docs', { 'If-None-Match': answer.header('etag') }), 304);
  });

  it('have the same problems in the document and in the problem table', () => {
    const documented = new Map(Object.entries(api.service.document.components.responses));
    const statuses = new Set<number>(
      Object.entries(PROBLEMS)
        .filter(([code]) => !BEFORE_ROUTING.includes(code))
        .map(([, { status }]) => status),
    );
    const named = new Set(
      operationsOf(api.service.document)
        .flatMap(({ operation }) => Object.keys(operation.responses))
        .map(Number)
        .filter((status) => status >= 400),
    );
    expect([...named], 'documented, but in no row of the table').to.have.members([...statuses]);
    for (const { status, title } of Object.values(PROBLEMS).filter(({ status: one }) => statuses.has(one))) {
      expect(documented.get(`Problem${status}`)?.description, `Problem${status}`).to.include(title);
    }
  });

  it('forbid caching of answers that need a key', async () => {
    expect((await api.admin.get('/api/v1/rigs')).header('cache-control')).to.equal('no-store');
    expect((await api.admin.get('/nowhere')).header('cache-control')).to.equal('no-store');
  });
});
