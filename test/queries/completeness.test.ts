import { expect } from 'chai';
import {
  announcedSequencesProjection,
  eventBootsProjection,
  numberedLapsProjection,
} from '../../projections/sequences.ts';
import { completenessOfEvent, completenessOfRig } from '../../queries/completeness.ts';
import { OverBudget } from '../../src/kernel/ports/errors.ts';
import { ENTRIES_PER_DOCUMENT } from '../../src/kernel/ports/read-store.ts';
import { plainRig } from '../support/completeness.ts';
import { depth } from '../support/depth.ts';
import { failureOf } from '../support/failure.ts';
import { recorded } from '../support/history/lap-events.ts';
import { givenHistory, projectedAtOnce } from '../support/kernel/projecting.ts';
import { numberedIn } from '../support/seasons/history.ts';
import { instantOf, lapHistory, BOOTS, world } from '../support/simulation/laps.ts';
import { chancesOf } from '../support/simulation/random.ts';

const GROUP = [numberedLapsProjection, eventBootsProjection, announcedSequencesProjection];
const RIGS = ['rig-a', 'rig-b'] as const;

const HISTORIES = depth({ short: 60, deep: 4_000 });
const EVENTS = 90;

const NO_BOUNDS = { budget: 1_000_000, signal: new AbortController().signal };

describe('completeness', () => {
  it('equals a plain model, of rigs and of events, over random histories', async () => {
    const seen = { missing: 0, late: 0, conflicts: 0 };
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const history = await lapHistory(chancesOf(seed), EVENTS);
      // Some at the same time.
      const events = history.map((event, n) => {
        return { ...event, metadata: { ...event.metadata, occurredAt: instantOf(Math.floor(n / 3)) } };
      });
      const models = await projectedAtOnce(events, GROUP);
      const numbered = numberedIn(events);
      for (const rigId of world.rigIds) {
        const whole = await completenessOfRig(models, rigId, null, NO_BOUNDS);
        expect(whole, `${rigId} in history ${seed}`).to.deep.equal(plainRig(numbered, rigId, null));
        for (const boot of BOOTS) {
          const { boots } = await completenessOfRig(models, rigId, boot, NO_BOUNDS);
          expect(boots).to.deep.equal(whole.boots.filter((one) => one.boot === boot));
        }
        for (const { missing, late, conflicts } of whole.boots) {
          seen.missing += missing.length;
          seen.late += late.length;
          seen.conflicts += conflicts.length;
        }
      }
      for (const eventId of world.eventIds) {
        const rigs = world.rigIds.map((rigId) => plainRig(numbered, rigId, eventId));
        const found = await completenessOfEvent(models, eventId, NO_BOUNDS);
        const expected = rigs.filter(({ boots }) => boots.length > 0);
        expect(found, `${eventId} in history ${seed}`).to.deep.equal(expected);
      }
    }
    for (const [what, times] of Object.entries(seen)) expect(times, what).to.be.greaterThan(HISTORIES / 10);
  });

  it('visits no more numbers than its budget allows, in all starts and of all rigs together', async () => {
    const laps = [1, 2, 3].flatMap((number) =>
      RIGS.map((rigId) => recorded(`${rigId}-${number}`, [60_000], { rigId, sequence: { boot: 'b', number } })),
    );
    const { models } = await givenHistory(GROUP, ...laps);
    const within = (budget: number) => ({ ...NO_BOUNDS, budget });
    // A boot counts as a document, and numbers as index entries.
    const needed = 1 + 3 / ENTRIES_PER_DOCUMENT;
    const [rigId] = RIGS;
    await completenessOfRig(models, rigId, null, within(needed));
    expect(await failureOf(completenessOfRig(models, rigId, null, within(1)))).to.be.instanceOf(OverBudget);
    await completenessOfEvent(models, 'cup', within(2 * needed));
    expect(await failureOf(completenessOfEvent(models, 'cup', within(needed)))).to.be.instanceOf(OverBudget);
  });
});
