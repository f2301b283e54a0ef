import { expect } from 'chai';
import { openEventStoreDb } from '../../infra/eventstoredb/event-store.ts';
import { gathered } from '../support/event-store/events.ts';
import { startEventStoreDouble, type EventStoreDouble } from '../support/eventstore-double/double.ts';
import { expectStatus, textOf } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { startService, type Service } from '../support/api/service.ts';
import { until } from '../support/processes/waits.ts';

const LIMITS = { STORE_TIMEOUT_MS: '4000', REQUEST_DEADLINE_MS: '9000' };
const TAKES_NONE = /The event store takes no appends, so writes get 503: the event store did not answer an append/;

describe('an event store that answers reads but fails appends', () => {
  let double: EventStoreDouble;
  let service: Service;
  before(async () => {
    double = await startEventStoreDouble();
    service = await startService({ EVENTSTORE_URL: double.url, ...LIMITS });
    await untilReadiness('UP');
  });
  after(async () => {
    await double.faults.heal();
    await service.close();
    await double.close();
  });

  const untilReadiness = (wanted: 'UP' | 'DOWN') =>
    until(async () => (await service.client.get('/actuator/health/readiness')).body['status'] === wanted);
  let linesBefore = 0;
  const loseMajority = (): void => {
    linesBefore = service.log.length;
    double.faults.loseMajority();
  };
  /** Number of log lines since the majority was lost. */
  const said = (text: RegExp): number => service.log.slice(linesBefore).filter((line) => text.test(line)).length;
  const metric = async (name: string): Promise<string | undefined> =>
    (await service.client.get('/actuator/prometheus')).text.split('\n').find((line) => line.startsWith(`${name} `));
  const expectSaid = async (): Promise<void> => {
    const report = (await service.client.get('/actuator/health')).body;
    expect(report).to.have.property('status', 'DOWN');
    expect(textOf(report, 'components', 'eventStore', 'error')).to.match(/did not answer an append/);
    await until(async () => (await metric('event_store_up')) === 'event_store_up 0');
    expect(said(TAKES_NONE)).to.equal(1);
  };

  it('is DOWN with the reason while requests fail, and UP with the first that works', async () => {
    loseMajority();
    const failing = [1, 2, 3].map(() => service.client.post('/api/v1/tracks', bodies.track()));
    await untilReadiness('DOWN');
    for (const answer of await Promise.all(failing)) expectStatus(answer, 503);
    await expectSaid();
    double.faults.loseMajority(false);
    await service.client.create('/api/v1/tracks', bodies.track());
    await untilReadiness('UP');
    await until(async () => (await metric('event_store_up')) === 'event_store_up 1');
    expect(said(/The event store takes appends again/)).to.equal(1);
  });

  it('is reported by a node without requests, whose probes record nothing', async () => {
    loseMajority();
    await untilReadiness('DOWN');
    await expectSaid();
    double.faults.loseMajority(false);
    await untilReadiness('UP');
    const store = openEventStoreDb({ url: double.url });
    const types = (await gathered(store.readAll(null))).map(({ type }) => type);
    expect(types).to.include('ApiKeyIssued').and.not.include('Probe');
    await store.close();
  });
});
