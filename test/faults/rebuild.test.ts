import { expect } from 'chai';
import { expectCode } from '../support/processes/command-process.ts';
import { OWN_VERSIONS } from '../../src/service/projector/model-versions.ts';
import { BUILT_IN_VERSION } from '../../src/service/resources/built-in.ts';
import type { GenerationState } from '../../src/service/projector/generation-state.ts';
import { expectStatus } from '../support/api/client.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { caughtUp, until, untilStatus } from '../support/processes/waits.ts';
import { declareAtOnce, onSite, type Site } from '../support/processes/at-once.ts';
import { RETIRE_AFTER_MS, World } from '../support/processes/world.ts';
import { depth } from '../support/depth.ts';
import { report } from '../support/reliability.ts';
import {
  expectAsRebuilt,
  generation,
  recordLaps,
  startStopping,
  timingApart,
  untilState,
  withStores,
} from '../support/processes/rebuilding.ts';
import { createVenue } from '../support/api/venue.ts';

/** Enough laps for many transactions. */
const MANY = depth({ short: 1_000, deep: 20_000 });
/** Where in the history a rebuild is killed, from 0 to 1. */
const KILLS_AT = depth({ short: [0.3, 0.8], deep: Array.from({ length: 20 }, (_, n) => (n + 0.5) / 21) });
/** Enough laps for a rebuild to take some time. */
const SOME = depth({ short: 200, deep: 5_000 });

describe('a rebuild that is interrupted', () => {
  const world = new World();
  after(() => world.clean());

  it(`resumes where it was killed, ${KILLS_AT.length} times`, async () => {
    const dataDir = world.directory();
    await recordLaps(dataDir, MANY);
    await withServiceHere(dataDir, async ({ admin }) => {
      await caughtUp(admin);
      let left = 0;
      for (const share of KILLS_AT) left = await killAt(dataDir, share);
      expect(left).to.be.within(1, MANY * 0.3);
      const { out } = await expectCode(0, timingApart(dataDir, 'rebuild', '--json'));
      const result = JSON.parse(out) as { readonly events: number };
      expect(result).to.include({ result: 'done', namespace: generation(2), resumed: true });
      expect(result.events, 'not from the beginning').to.be.within(1, left + 100);
    });
    const documents = await expectAsRebuilt(dataDir);
    expect(documents).to.be.greaterThan(MANY);
    report('kill -9 of a rebuild, which then goes on', {
      kills: KILLS_AT.length,
      events: MANY,
      documents,
      different: 0,
    });
  });

  describe('around the change of generations', () => {
    declareAtOnce({
      'starts by itself after an upgrade, logs so, and serves the old read models meanwhile': onSite(followsAnUpgrade),
      'is the way back from a newer release, whose read models are otherwise left alone': onSite(leadsBack),
    });
  });
});

/** Kills a rebuild right before it passes `share` of the history; resolves to the number of remaining positions. */
async function killAt(dataDir: string, share: number): Promise<number> {
  const head = (await withStores(dataDir, ({ store }) => store.head())) ?? 0;
  const running = await startStopping(dataDir, share * head, 'rebuild');
  await running.end('SIGKILL');
  return withStores(dataDir, async ({ generations }) => {
    const { next } = await generations.refresh();
    expect(next).to.include({ namespace: generation(2), ready: false });
    return head - ((await (await generations.open(generation(2))).checkpoint()) ?? 0);
  });
}

function isSettled({ next, retiring, dropping }: GenerationState): boolean {
  return next === null && retiring === null && dropping.length === 0;
}

async function followsAnUpgrade({ dataDir }: Site): Promise<void> {
  const { lapId } = await withServiceHere(dataDir, async ({ admin }) => {
    const venue = await createVenue(admin);
    await recordLaps(dataDir, SOME);
    await caughtUp(admin);
    return venue;
  });
  await madeByVersion(dataDir, BUILT_IN_VERSION - 1);
  await withServiceHere(
    { DATA_DIR: dataDir, LOG_LEVEL: 'info', RETIRE_AFTER_MS: String(RETIRE_AFTER_MS) },
    async ({ admin, log }) => {
      const said = (pattern: RegExp) => until(() => pattern.test(log.join('')));
      expectStatus(await admin.get(`/api/v1/laps/${lapId}`), 200);
      const versions = `"from":${BUILT_IN_VERSION - 1},"to":${BUILT_IN_VERSION}`;
      await said(new RegExp(`${versions},"msg":"The read models are of an older version and are being `));
      expectStatus(await admin.get(`/api/v1/laps/${lapId}`), 200);
      await said(/"namespace":"built-in-2","msg":"The rebuilt read models are the current ones now"/);
      expectStatus(await admin.get(`/api/v1/laps/${lapId}`), 200);
      const { current } = await untilState(dataDir, isSettled);
      expect(current).to.deep.equal({ namespace: generation(2), ...OWN_VERSIONS });
    },
  );
  expect(await expectAsRebuilt(dataDir)).to.be.greaterThan(SOME);
}

async function leadsBack({ dataDir }: Site): Promise<void> {
  const untilHealth = (wanted: number) =>
    withServiceHere(dataDir, ({ admin }) => untilStatus(wanted, () => admin.get('/actuator/health')));
  await withServiceHere(dataDir, ({ admin }) => createVenue(admin));
  await madeByVersion(dataDir, BUILT_IN_VERSION + 1);
  expect((await untilHealth(503)).text).to.match(/made by a newer release.*timing rebuild/s);
  await expectCode(0, timingApart(dataDir, 'rebuild'));
  await untilHealth(200);
  await expectAsRebuilt(dataDir);
}

function madeByVersion(dataDir: string, version: number) {
  return withStores(dataDir, ({ generations }) =>
    generations.update((state) => ({ ...state, current: { ...state.current, version } })),
  );
}
