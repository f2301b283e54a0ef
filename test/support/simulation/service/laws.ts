import { expect } from 'chai';
import { rigSeatDecider } from '../../../../commands/rig-seats.ts';
import { builtInProjections } from '../../../../src/service/resources/built-in.ts';
import { KEY_CLAIMED } from '../../../../src/kernel/aggregate/claims.ts';
import type { Decider } from '../../../../src/kernel/aggregate/decider.ts';
import { categoryOf, idOf } from '../../../../src/kernel/stream-names.ts';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { parkingCollectionsOf } from '../../../../src/kernel/projection/projection-runner.ts';
import { ENTRIES } from '../../resources/entries.ts';
import { productOf } from '../../resources/product.ts';
import { expectSameModels, projectedAtOnce, readAll } from '../../kernel/projecting.ts';
import type { Node, SimulatedAnswer, SimulatedRequest } from './node.ts';
import { mayBeNothing, LAPS_OF_A_BATCH } from './requests.ts';
import type { SharedStores } from './stores.ts';

/** Deciders of resources that hold unique keys. */
const KEY_HOLDERS = await Promise.all(
  [...ENTRIES]
    .filter(([, { unique }]) => unique !== undefined)
    .map(async ([noun, entry]) => (await productOf(noun, entry)).decider),
);

/** A request that a client repeats until it is settled. */
export interface Wanted {
  readonly request: SimulatedRequest;
  /** True if other clients may send the same request and carry it out. */
  readonly contended: boolean;
  /** `X-Request-Id` of each attempt. */
  readonly attempts: string[];
  /** The answer that settled it, or null. */
  answer: SimulatedAnswer | null;
}

/** Checks what must always hold for the events. */
export function expectSoundEvents({ events: { all } }: SharedStores): void {
  for (const decider of KEY_HOLDERS) expectUniqueKeys(all, decider);
  // Nobody sits on two rigs.
  expectUniqueKeys(all, rigSeatDecider);
  expectWholeCommands(all);
  expectLicensesAfterCheckIns(all);
}

/** No licence of a check-in is there before the participant. */
function expectLicensesAfterCheckIns(all: readonly RecordedEvent[]): void {
  const checkedIn = checkedInOf(all);
  for (const { type, stream, data, position } of all) {
    const { name } = data;
    if (type !== 'LicenseIssued' || typeof name !== 'string' || !name.startsWith('check-in-')) continue;
    const at = checkedIn.get(idOf(stream)) ?? Infinity;
    if (at > position) expect.fail(`${stream} is issued at ${position}, before its participant`);
  }
}

/** The positions of check-ins by the ids of the participants. */
function checkedInOf(all: readonly RecordedEvent[]): ReadonlyMap<string, number> {
  return new Map(
    all
      .filter(({ type }) => type === 'ParticipantCheckedIn')
      .map(({ stream, position }) => [idOf(stream), position] as const),
  );
}

/** Whether every check-in has its licence, and waits for its event. */
export function areCheckInsComplete({ events: { all } }: SharedStores): boolean {
  const issued = new Set(all.filter(({ type }) => type === 'LicenseIssued').map(({ stream }) => idOf(stream)));
  const queued = new Set(all.filter(({ type }) => type === 'DriverQueued').map(({ data }) => data['participantId']));
  return [...checkedInOf(all).keys()].every((id) => issued.has(id) && queued.has(id));
}

/** No two aggregates of a category hold the same key at any moment. */
function expectUniqueKeys<S>(all: readonly RecordedEvent[], { claim, ...decider }: KeyHolder<S>): void {
  const states = new Map<string, S>();
  const holders = new Map<string, string>();
  const keyIn = (state: S): string | null => claim?.key(state) ?? null;
  for (const event of all) {
    const { stream } = event;
    if (categoryOf(stream) !== decider.category || event.metadata.version > 1) continue;
    const before = states.get(stream) ?? decider.initial;
    const after = decider.replay(before, event);
    states.set(stream, after);
    if (keyIn(before) !== keyIn(after)) hand(holders, { given: keyIn(before), gained: keyIn(after), event });
  }
}

type KeyHolder<S> = Pick<Decider<S, never>, 'category' | 'initial' | 'replay' | 'claim'>;

/** Releases one key and takes another, which must be free. */
function hand(
  holders: Map<string, string>,
  { given, gained, event: { stream, position } }: { given: string | null; gained: string | null; event: RecordedEvent },
): void {
  if (given !== null && holders.get(given) === stream) holders.delete(given);
  if (gained === null) return;
  const holder = holders.get(gained);
  if (holder !== undefined) expect.fail(`${stream} gains ${gained} at ${position}, but ${holder} has it`);
  holders.set(gained, stream);
}

/** The events of a command are adjacent in one stream, and no event occurs twice. */
function expectWholeCommands(all: readonly RecordedEvent[]): void {
  const ids = new Set<string>();
  const last = new Map<string, RecordedEvent>();
  for (const event of all) {
    if (ids.has(event.id)) expect.fail(`event ${event.id} is there twice, again at ${event.position}`);
    ids.add(event.id);
    if (event.type === KEY_CLAIMED) continue;
    const before = last.get(event.metadata.commandId);
    last.set(event.metadata.commandId, event);
    if (before === undefined) continue;
    const follows = before.stream === event.stream && before.revision + 1 === event.revision;
    if (!follows)
      expect.fail(`a command is torn: ${before.stream}@${before.revision}, ${event.stream}@${event.revision}`);
  }
}

/** What was acknowledged is recorded once. */
export function expectRecorded(
  { events: { all } }: SharedStores,
  { request, attempts, answer, contended }: Wanted,
): void {
  const { operation } = request;
  const own = all.filter(({ metadata, type }) => attempts.includes(metadata.correlationId) && type !== KEY_CLAIMED);
  const isCreate = /^(create|register)/.test(operation);
  const begun = own.filter(({ revision, stream }) => revision === 0 && !stream.startsWith('apiKey'));
  const wanted = operation === 'createLaps' ? LAPS_OF_A_BATCH : 1;
  if (isCreate && begun.length > wanted) expect.fail(`${operation} was carried out ${begun.length} times`);
  const isAcknowledged = answer !== null && answer.status < 300;
  if (isAcknowledged && !contended && !mayBeNothing(operation) && own.length < wanted)
    expect.fail(`${operation} was acknowledged and is not recorded`);
}

/** The current read models equal a clean rebuild, document by document. */
export async function expectAsRebuilt(shared: SharedStores, { stores: { generations } }: Node): Promise<void> {
  const {
    current: { namespace },
  } = await generations.refresh();
  const models = await shared.readStore.namespace(namespace, parkingCollectionsOf(builtInProjections));
  const rebuilt = await projectedAtOnce(shared.events.all, builtInProjections, { parks: true });
  expectSameModels(await readAll(models, builtInProjections), await readAll(rebuilt, builtInProjections));
}
