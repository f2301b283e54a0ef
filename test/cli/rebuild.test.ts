import { OWN_VERSIONS } from '../../src/service/projector/model-versions.ts';
import { expect } from 'chai';
import { expectCode } from '../support/processes/command-process.ts';
import { expectStatus, idOf, type Client } from '../support/api/client.ts';
import { Load, prepare } from '../support/processes/load.ts';
import { caughtUp, until } from '../support/processes/waits.ts';
import { declareAtOnce, onSite, type Site } from '../support/processes/at-once.ts';
import {
  checkpointOf,
  expectAsRebuilt,
  generation,
  endStopped,
  recordLaps,
  startStopping,
  timingApart,
  untilState,
  withStores,
} from '../support/processes/rebuilding.ts';
import { depth } from '../support/depth.ts';

/** Enough laps to keep a rebuild busy for a while. */
const MANY = depth({ short: 1_200, deep: 10_000 });

/** Interval of writes during a rebuild and while the old read models retire, in ms. */
const WRITE_EVERY_MS = 300;
const COUNT_EVERY_MS = 50;

describe('sim-racing-timing rebuild', () => {
  declareAtOnce({
    'is promoted while a service writes, and no reader sees less than before': onSite(goesOver),
    'is promoted without a service, and keeps the old read models on request until the next rebuild':
      onSite(goesOverAlone),
    'is refused while another one runs, which is named; after SIGTERM it can be resumed': onSite(isRefused),
  });
});

async function goesOver({ world, dataDir }: Site): Promise<void> {
  const service = await world.service({ dataDir, env: { RETIRE_AFTER_MS: '3000' } });
  await recordLaps(dataDir, MANY);
  await caughtUp(service.admin);
  const stop = new AbortController();
  const load = new Load(await prepare(service.admin, 4));
  /** Writes until this many more are acknowledged. */
  const write = (count: number) => load.during(service.admin, () => load.ledger.more(count));
  /** Writes at intervals, so that the rebuild gets some of the processors. */
  const writeUntil = (isOver: () => boolean | Promise<boolean>): Promise<boolean> =>
    until(
      async () => {
        await write(5);
        return isOver();
      },
      (over) => over,
      { everyMs: WRITE_EVERY_MS },
    );
  const seen: number[] = [];
  const counting = counts(service.admin, seen, stop.signal);
  await write(50);
  const retiring = untilState(dataDir, (state) => state.retiring !== null);
  let isRebuilt = false;
  const rebuilding = timingApart(dataDir, 'rebuild', '--json').finally(() => (isRebuilt = true));
  await writeUntil(() => isRebuilt);
  const { out } = await expectCode(0, rebuilding);
  expect(JSON.parse(out)).to.include({ result: 'done', namespace: generation(2), resumed: false, parked: 0 });
  await write(100);
  expect(await retiring).to.deep.include({
    current: { namespace: generation(2), ...OWN_VERSIONS },
    retiring: { namespace: generation(1), keep: false },
  });
  await withStores(dataDir, ({ generations }) =>
    writeUntil(async () => {
      const { retiring: old, dropping } = await generations.refresh();
      return old === null && dropping.length === 0;
    }),
  );
  await write(100);
  await until(
    () => seen.length,
    (count) => count > 100,
  );
  stop.abort();
  await counting;

  expect(await checkpointOf(dataDir, generation(1)), 'the old one is dropped').to.equal(null);
  expect(seen, 'counts never fall').to.deep.equal([...seen].sort((a, b) => a - b));
  await caughtUp(service.admin);
  const shown = new Set((await service.admin.list('/api/v1/laps')).map(idOf));
  const lost = [...load.ledger.laps.values()].filter(({ id }) => id !== null && !shown.has(id));
  expect(lost, 'acknowledged, but not shown').to.deep.equal([]);
  expect((await service.process.end('SIGTERM')).code).to.equal(0);
  expect(await expectAsRebuilt(dataDir)).to.be.greaterThan(MANY);
}

async function goesOverAlone({ dataDir }: Site): Promise<void> {
  await recordLaps(dataDir, 100);
  const first = await expectCode(0, timingApart(dataDir, 'rebuild', '--keep-old'));
  const [, head] =
    /^Projected (\d+) events in [\d.]+ s \([\d,]+\/s\); built-in-2 is current\.\n$/.exec(first.out) ?? [];
  expect(Number(head), first.out).to.be.at.least(300);
  expect(first.err).to.include('built-in-2 is current; the one before is left within 1 s.');
  const kept = await untilState(dataDir, () => true);
  const current = { namespace: generation(2), ...OWN_VERSIONS };
  expect(kept).to.deep.include({ current, kept: generation(1), dropping: [] });
  expect(await checkpointOf(dataDir, generation(1)), 'as it was left').to.equal(Number(head));

  await expectCode(0, timingApart(dataDir, 'rebuild'));
  expect(await untilState(dataDir, () => true)).to.deep.include({
    current: { namespace: generation(3), ...OWN_VERSIONS },
    next: null,
    retiring: null,
    kept: null,
    dropping: [],
  });
  for (const old of [1, 2]) expect(await checkpointOf(dataDir, generation(old))).to.equal(null);
  expect(await expectAsRebuilt(dataDir)).to.be.greaterThan(100);
}

async function isRefused({ dataDir }: Site): Promise<void> {
  await recordLaps(dataDir, 500);
  const first = await startStopping(dataDir, 500, 'rebuild');
  const second = await timingApart(dataDir, 'rebuild', '--json');
  expect({ code: second.code, out: second.out }).to.deep.equal({ code: 1, out: '' });
  const named = `sim-racing-timing rebuild: refused: process ${first.pid} on `;
  expect(second.err.startsWith(named), second.err).to.equal(true);
  expect(second.err).to.match(/ on \S+ \(since \d{4}-[\d-]+T[\d:.]+Z\) is running it already\n$/);

  expect((await endStopped(first, 'SIGTERM')).code, first.err).to.equal(130);
  expect(first.err).to.include('the same command resumes from here');
  expect((await timingApart(dataDir, 'rebuild', '--json')).out).to.include('"resumed":true');
  expect(await expectAsRebuilt(dataDir)).to.be.greaterThan(500);
}

/** Requests the number of laps repeatedly. */
function counts(client: Client, seen: number[], stop: AbortSignal): Promise<unknown> {
  return until(
    async () => {
      const { body } = expectStatus(await client.get('/api/v1/laps/paged?size=1'), 200);
      seen.push(Number(body['totalElements']));
    },
    () => stop.aborted,
    { everyMs: COUNT_EVERY_MS },
  );
}
