import { expect } from 'chai';
import { expectProblem, expectStatus, type Client } from '../support/api/client.ts';
import { startService, type Service } from '../support/api/service.ts';
import { createLicense, issueKey } from '../support/api/venue.ts';
import type { NewEvent } from '../../src/kernel/ports/event-store.ts';
import { newEvent } from '../support/event-store/events.ts';
import { record } from '../support/processes/command-process.ts';
import { storesInUse } from '../support/processes/store-environment.ts';
import { untilStatus } from '../support/processes/waits.ts';

const CURRENT = '/api/v1/licenses/current';

function versioned(event: NewEvent, version: number): NewEvent {
  return { ...event, metadata: { ...event.metadata, version } };
}

/** Events of a key and of a licence that an unknown release may have recorded. */
const UNKNOWN = [
  ['apiKey', 'of a version', versioned(newEvent('ApiKeyRevoked'), 99)],
  ['license', 'of a type', newEvent('LicenseFrozen')],
] as const;

describe('a release that does not know all events of a key', function () {
  before(function () {
    // The tests write into the embedded store of a running service.
    if (storesInUse !== 'embedded') this.skip();
  });
  let service: Service | null = null;
  afterEach(async () => {
    await service?.close();
    service = null;
  });

  async function expectNobodyAdmitted(one: Service, ...clients: readonly Client[]): Promise<void> {
    const { client: admin } = one;
    await untilStatus(503, () => admin.get(CURRENT));
    for (const client of [admin, ...clients]) {
      expectProblem(await client.get(CURRENT), 503);
      expectProblem(await client.get('/api/v1/laps'), 503);
      expectProblem(await client.delete('/api/v1/api-keys/00000000-0000-7000-8000-0000000000ff'), 503);
    }
    expectStatus(await admin.as(null).get('/api/v1/laps'), 200);
    // With `fetch`, as the client requires a Retry-After with each 503, which load balancers do not need.
    expect((await fetch(`${one.url}/actuator/health/readiness`)).status).to.equal(503);
    expectStatus(await admin.as(null).get('/actuator/health/liveness'), 200);
  }

  for (const [category, what, event] of UNKNOWN) {
    it(`admits nobody after an event ${what} that it does not know, of a ${category}, even after a restart`, async () => {
      service = await startService();
      const { manager, managerKeyId, licenseId } = await createLicense(service.client);
      const other = (await issueKey(service.client, 'R')).client;
      const stream = `${category}-${category === 'apiKey' ? managerKeyId : licenseId}`;
      await record(service.dataDir, [{ stream, event }]);
      await expectNobodyAdmitted(service, manager, other);
      const said = service.log.filter((line) => line.includes(stream) && line.includes('key registry'));
      expect(said).to.have.lengthOf(1);
      for (const part of [/"level":"?(error|50)"?/, /position \d+/]) expect(said[0]).to.match(part);
      service = await service.restart();
      await expectNobodyAdmitted(service);
      expect(service.log.join('')).to.include(stream);
    });
  }

  it('acknowledges a revocation only once this node applies it, whatever PROJECTION_WAIT_MS is', async () => {
    service = await startService({ PROJECTION_WAIT_MS: '0' });
    const { client: admin } = service;
    for (let times = 0; times < 5; times++) {
      const { id, client } = await issueKey(admin, 'R');
      await untilStatus(200, () => client.get(CURRENT));
      expectStatus(await admin.delete(`/api/v1/api-keys/${id}`), 204);
      expectProblem(await client.get(CURRENT), 401);
      const { licenseId, manager } = await createLicense(admin);
      const { status } = await admin.patch(`/api/v1/licenses/${licenseId}`, { enabled: false });
      expect(status).to.be.oneOf([200, 202]);
      expectProblem(await manager.get(CURRENT), 401);
    }
  });
});
