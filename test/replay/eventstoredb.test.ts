import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEventStore } from '../../src/service/stores/stores.ts';
import { callCommand } from '../support/processes/command-process.ts';
import type { EventStoreDouble } from '../support/eventstore-double/double.ts';
import { useDoubles } from '../support/eventstore-double/use-doubles.ts';
import { jsonLines } from '../support/json-lines.ts';
import { PATIENCE_MS } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';
import { bestOf, laps, lapTime, plainModuleOf } from '../support/history/replaying.ts';

describe('sim-racing-timing replay from EventStoreDB', () => {
  const world = useWorld();
  const doubles = useDoubles();
  let double: EventStoreDouble;
  let folder = '';
  let file = '';
  let out = '';

  beforeEach(async () => {
    double = await doubles.start();
    folder = world.directory();
    file = join(folder, 'best.js');
    out = join(folder, 'best.ndjson');
    writeFileSync(file, plainModuleOf());
    await record(0, 20);
  });

  async function record(first: number, count: number): Promise<void> {
    const store = await openEventStore({ dataDir: '', eventStoreUrl: double.url, storeTimeoutMs: PATIENCE_MS }, null);
    for (const { stream, event } of laps(count, first)) await store.append(stream, [event], 'no_stream');
    await store.close();
  }
  const rows = () => jsonLines(readFileSync(out, 'utf8'));

  it('reads it, named by EVENTSTORE_URL or --from, up to a time, and appends nothing', async () => {
    const { appends } = double.counters.counts;
    const env = { EVENTSTORE_URL: double.url, DATA_DIR: folder };
    const whole = await callCommand(['replay', file, '--out', out, '--json'], env);
    expect(whole.code, whole.err).to.equal(0);
    expect(JSON.parse(whole.out)).to.include({ result: 'done', events: 20 });
    expect(rows()).to.deep.equal(bestOf(20));
    const some = await callCommand(['replay', file, '--out', out, '--from', double.url, '--until', lapTime(9)]);
    expect(some.code, some.err).to.equal(0);
    expect(rows()).to.deep.equal(bestOf(10));
    expect(double.counters.counts.appends).to.equal(appends);
    expect(existsSync(join(folder, 'events'))).to.equal(false);
  });

  it('says so when the server is not there', async () => {
    const { url } = double;
    await double.close();
    const { code, err } = await callCommand(['replay', file, '--out', out, '--from', url], { STORE_TIMEOUT_MS: '500' });
    expect(code).to.equal(1);
    expect(err)
      .to.match(/^sim-racing-timing replay: .+\n$/m)
      .and.not.to.match(/^ +at /m);
  });
});
