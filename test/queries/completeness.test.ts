import { expect } from 'chai';
import {
  announcedSequencesProjection,
  eventBootsProjection,
  numberedLapsProjection,
} from '../../projections/sequences.ts';
import { completenessOfEvent, completenessOfRig } from '../../queries/completeness.ts';
import { OverBudget } from '../../src/service/kernel/ports/errors.ts';
import { ENTRIES_PER_DOCUMENT } from '../../src/service/kernel/ports/read-store.ts';
import { plainRig, type Came, type Numbered, type Said } from '../support/completeness.ts';
import { depth } from '../support/depth.ts';
import { recorded, told } from '../support/history/lap-events.ts';
import { givenHistory, minute, type HistoryEvent } from '../support/kernel/projecting.ts';
import { chancesOf, type RandomSource } from '../support/simulation/random.ts';

const GROUP = [numberedLapsProjection, eventBootsProjection, announcedSequencesProjection];
const RIGS = ['rig-a', 'rig-b'] as const;
const EVENTS = ['cup', 'final'] as const;
const BOOTS = ['2026-01-01', '~', 'B'] as const;
const HIGHEST = 14;

const HISTORIES = depth({ short: 300, deep: 20_000 });

const NO_BOUNDS = { budget: 1_000_000, signal: new AbortController().signal };

interface Story extends Numbered {
  readonly history: readonly HistoryEvent[];
}

/** A history of laps with and without numbers, corrections and announcements, some at the same time. */
function randomStory(random: RandomSource): Story {
  const history: HistoryEvent[] = [];
  const laps: Came[] = [];
  const said: Said[] = [];
  for (let place = random.below(40); place > 0; place -= 1) {
    const at = minute(Math.floor(history.length / 3));
    const [rigId, boot, eventId] = [random.pick(RIGS), random.pick(BOOTS), random.pick(EVENTS)];
    const lapId = `${history.length}`;
    if (random.oneIn(5)) {
      const before = said.filter((one) => one.rigId === rigId && one.boot === boot).map(({ upTo }) => upTo);
      const upTo = Math.max(-1, ...before) + 1 + random.below(5);
      said.push({ rigId, boot, upTo, at });
      history.push({ ...told(`sequence-${rigId}:${boot}`, 'SequenceAnnounced', { rigId, boot, upTo }), at });
    } else if (random.oneIn(8)) {
      history.push({ ...recorded(lapId, [60_000], { rigId, eventId }), at });
    } else if (history.length > 0 && random.oneIn(9)) {
      history.push({ ...correction(random, history), at });
    } else {
      const number = 1 + random.below(HIGHEST);
      laps.push({ rigId, boot, number, eventId, place: history.length, at });
      history.push({ ...recorded(lapId, [60_000], { rigId, eventId, sequence: { boot, number } }), at });
    }
  }
  return { history, laps, said };
}

/** A correction of a lap, which changes no number. */
function correction(random: RandomSource, history: readonly HistoryEvent[]): HistoryEvent {
  const [first] = history.filter(({ type }) => type === 'LapRecorded');
  if (first === undefined) return recorded('first', [60_000]);
  const { stream } = first;
  return random.pick([
    told(stream, 'LapInvalidated'),
    told(stream, 'LapMovedToRig', { from: RIGS[0], to: RIGS[1] }),
    told(stream, 'LapMovedToEvent', { from: EVENTS[0], to: EVENTS[1] }),
  ]);
}

describe('completeness', () => {
  it('is what a plain model says, of rigs and of events, over random histories', async () => {
    const seen = { missing: 0, late: 0, conflicts: 0 };
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const story = randomStory(chancesOf(seed));
      const { models } = await givenHistory(GROUP, ...story.history);
      for (const rigId of RIGS) {
        const whole = await completenessOfRig(models, { rigId }, NO_BOUNDS);
        expect(whole, `${rigId} in history ${seed}`).to.deep.equal(plainRig(story, rigId, null));
        for (const boot of BOOTS) {
          const { boots } = await completenessOfRig(models, { rigId, boot }, NO_BOUNDS);
          expect(boots).to.deep.equal(whole.boots.filter((one) => one.boot === boot));
        }
        for (const { missing, late, conflicts } of whole.boots) {
          seen.missing += missing.length;
          seen.late += late.length;
          seen.conflicts += conflicts.length;
        }
      }
      for (const eventId of EVENTS) {
        const expected = RIGS.map((rigId) => plainRig(story, rigId, eventId)).filter(({ boots }) => boots.length > 0);
        const found = await completenessOfEvent(models, eventId, NO_BOUNDS);
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
    const failure = async (query: Promise<unknown>): Promise<unknown> => query.catch((error: unknown) => error);
    const [rigId] = RIGS;
    expect(await failure(completenessOfRig(models, { rigId }, within(needed)))).not.to.be.instanceOf(Error);
    expect(await failure(completenessOfRig(models, { rigId }, within(1)))).to.be.instanceOf(OverBudget);
    expect(await failure(completenessOfEvent(models, 'cup', within(2 * needed)))).not.to.be.instanceOf(Error);
    expect(await failure(completenessOfEvent(models, 'cup', within(needed)))).to.be.instanceOf(OverBudget);
  });
});
