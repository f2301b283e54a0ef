import { z } from 'zod';
import { announcedSequences, eventBoots, numberedLaps } from '../projections/sequences.ts';
import type { AnnouncedSequenceDocument } from '../projections/sequences.ts';
import { streamAll } from '../src/domain/documents.ts';
import { reference } from '../src/domain/references.ts';
import { described } from '../src/domain/fields.ts';
import { ENTRIES_PER_DOCUMENT, type QueryBounds, type ReadModels } from '../src/kernel/ports/read-store.ts';
import { Allowance } from './leaderboards/sources.ts';

const number = z.int().min(1);
const count = z.int().min(0);

/** Which numbered laps of a rig have arrived since one start of its software. */
const BootCompletenessView = z
  .object({
    boot: described(z.string(), 'One start of the software of the rig.', '2026-05-01T17:55:00Z'),
    received: described(count, 'How many different numbers were received.', 37),
    expected: described(count, 'How many were expected.', 40),
    missing: described(
      z.array(z.array(number).min(2).max(2).readonly()).readonly(),
      'Numbers that were not received: ranges, first and last number of each, ascending.',
      [
        [12, 12],
        [39, 40],
      ],
    ),
    late: described(z.array(number).readonly(), 'Numbers received after a higher one, ascending.', [20, 21]),
    conflicts: described(
      z.array(number).readonly(),
      'Numbers received with different laps, ascending: two rigs use one identity.',
      [],
    ),
  })
  .meta({ id: 'BootCompleteness', description: 'Which numbered laps were received since one start of a rig.' });

/** Which numbered laps of a rig have arrived, for each start of its software. */
export const RigCompletenessView = z
  .object({
    rigId: reference('rig', 'The rig that recorded the laps.'),
    boots: z.array(BootCompletenessView).readonly().meta({ description: 'The starts of its software, oldest first.' }),
  })
  .meta({ id: 'RigCompleteness', description: 'Which numbered laps of a rig were received.' });

export type BootCompleteness = z.output<typeof BootCompletenessView>;
export type RigCompleteness = z.output<typeof RigCompletenessView>;

type Boot = Pick<AnnouncedSequenceDocument, 'rigId' | 'boot' | 'since' | 'upTo'>;

/** Bounds of a review. Its documents are small, so the budget counts ENTRIES_PER_DOCUMENT of them as one. */
type CompletenessBounds = QueryBounds & { readonly budget: number };

/**
 * Completeness of a rig, or of one start (`boot`) of its software; null: of all.
 * @throws {OverBudget}
 */
export async function completenessOfRig(
  models: ReadModels,
  rigId: string,
  boot: string | null,
  bounds: CompletenessBounds,
): Promise<RigCompleteness> {
  const boots = new Map<string, Boot>();
  const reads = readsOf(models, bounds);
  const query = { where: { rigId }, ...reads.unbounded };
  for await (const batch of streamAll(models, announcedSequences, query)) batch.forEach((one) => addBoot(boots, one));
  for await (const batch of streamAll(models, eventBoots, query)) batch.forEach((one) => addBoot(boots, one));
  const shown = inOrder(boots).filter((one) => boot === null || one.boot === boot);
  return { rigId, boots: await reviewed(reads, shown, null) };
}

/**
 * Completeness of all rigs from which numbered laps have arrived for an event.
 * @throws {OverBudget}
 */
export async function completenessOfEvent(models: ReadModels, eventId: string, bounds: CompletenessBounds) {
  const rigs = new Map<string, Map<string, Boot>>();
  const reads = readsOf(models, bounds);
  for await (const batch of streamAll(models, eventBoots, { where: { eventId }, ...reads.unbounded })) {
    for (const found of batch) {
      const boots = rigs.get(found.rigId) ?? new Map<string, Boot>();
      rigs.set(found.rigId, boots);
      addBoot(boots, found);
    }
  }
  const all: RigCompleteness[] = [];
  for (const [rigId, boots] of [...rigs].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    all.push({ rigId, boots: await reviewed(reads, inOrder(boots), eventId) });
  return all;
}

/** Adds a start. If it is known already, the earlier moment and the higher number count. */
function addBoot(
  boots: Map<string, Boot>,
  { rigId, boot, since, upTo = 0 }: Omit<Boot, 'upTo'> & Partial<Pick<Boot, 'upTo'>>,
): void {
  const known = boots.get(boot);
  const first = known === undefined || since < known.since ? since : known.since;
  boots.set(boot, { rigId, boot, since: first, upTo: Math.max(upTo, known?.upTo ?? 0) });
}

function inOrder(boots: ReadonlyMap<string, Boot>): readonly Boot[] {
  const key = ({ since, boot }: Boot): string => `${since} ${boot}`;
  return [...boots.values()].toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The read models of a request, and its allowance, which counts numbers (small documents). */
function readsOf(models: ReadModels, { budget, ...unbounded }: CompletenessBounds) {
  return { models, unbounded, allowance: new Allowance({ ...unbounded, budget: budget * ENTRIES_PER_DOCUMENT }) };
}

/** Reviews the laps that arrived under an event; null: under any. */
async function reviewed(
  { models, unbounded, allowance }: ReturnType<typeof readsOf>,
  boots: readonly Boot[],
  eventId: string | null,
): Promise<BootCompleteness[]> {
  const all: BootCompleteness[] = [];
  for (const { rigId, boot, upTo } of boots) {
    const arrivals = new Map<number, Arrival>();
    allowance.spend(ENTRIES_PER_DOCUMENT);
    for await (const batch of streamAll(models, numberedLaps, { where: { rigId, boot }, ...unbounded })) {
      allowance.spend(batch.length);
      for (const lap of batch) {
        const isOwn = eventId === null || lap.eventId === eventId;
        const known = arrivals.get(lap.number) ?? { laps: 0, at: Infinity, isOwn };
        const { laps, at } = known;
        arrivals.set(lap.number, { laps: laps + 1, at: Math.min(at, lap._position), isOwn: isOwn || known.isOwn });
      }
    }
    all.push({ boot, ...review(arrivals, eventId === null ? upTo : null) });
  }
  return all;
}

/** The laps that have arrived with one number. */
interface Arrival {
  /** How many there are. */
  readonly laps: number;
  /** Position of the first of them. */
  readonly at: number;
  /** Whether any of them is of the event. */
  readonly isOwn: boolean;
}

/**
 * Goes through the numbers since one start, from the highest to the lowest. For an event, numbers that arrived under
 * another event are not missing, and those above its own highest are ignored.
 * @param upTo up to which number all are expected; null: up to the highest of the event
 */
function review(arrivals: ReadonlyMap<number, Arrival>, upTo: number | null): Omit<BootCompleteness, 'boot'> {
  let received = 0;
  const missing: [number, number][] = [];
  const late: number[] = [];
  const conflicts: number[] = [];
  /** The next number is expected to be this minus one; null: nothing is expected yet. */
  let above = upTo === null ? null : upTo + 1;
  /** Position at which the earliest of the higher numbers arrived. */
  let earliestAbove = Infinity;
  function expectAfter(number: number): void {
    if (above !== null && number < above - 1) missing.push([number + 1, above - 1]);
  }
  for (const [number, { laps, at, isOwn }] of [...arrivals].toSorted(([a], [b]) => b - a)) {
    if (isOwn) received += 1;
    if (isOwn && at > earliestAbove) late.push(number);
    if (isOwn && laps > 1) conflicts.push(number);
    expectAfter(number);
    if (above !== null || isOwn) above = number;
    earliestAbove = Math.min(earliestAbove, at);
  }
  expectAfter(0);
  const missed = missing.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return {
    received,
    expected: received + missed,
    missing: missing.toReversed(),
    late: late.toReversed(),
    conflicts: conflicts.toReversed(),
  };
}
