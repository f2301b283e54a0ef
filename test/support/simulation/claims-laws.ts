import { expect } from 'chai';
import type { CommandSuccess } from '../../../src/service/kernel/aggregate/command-handler.ts';
import type { RecordedEvent } from '../../../src/service/kernel/ports/event-store.ts';
import { canonicalJson } from '../../../src/service/kernel/json.ts';
import { Rejection } from '../../../src/service/kernel/aggregate/decider.ts';
import { textOf, type Attempt, type ClaimsHistory } from './claims.ts';
import { thing, type Thing } from './things.ts';

/** A period in which a thing holds a key, between two positions. */
interface KeyHolding {
  readonly key: string;
  readonly stream: string;
  readonly from: number;
  to: number;
}

/** The things of a history: their events, and their states after each. */
interface ThingHistories {
  readonly events: ReadonlyMap<string, readonly RecordedEvent[]>;
  readonly states: ReadonlyMap<string, readonly (Thing | null)[]>;
  readonly holdings: readonly KeyHolding[];
}

/** Checks what must hold for every history, whatever its faults. */
export function expectConsistent(history: ClaimsHistory): void {
  const lives = historiesOf(history.events.filter(({ stream }) => stream.startsWith('thing-')));
  const recorded = [...lives.events.values()].flat();
  for (const asked of history.asked) {
    const own = recorded.filter(({ metadata }) => metadata.correlationId === asked.name);
    expectWhole(asked, own, history);
    if (asked.answer === null) continue;
    const { outcome } = asked.answer;
    if (outcome instanceof Rejection) expectRefused(asked, own, outcome);
    else if (outcome.outcome === 'taken') expectTaken(asked, own, { owner: outcome.owner, holdings: lives.holdings });
    else expectDone(asked, own, { done: outcome, lives });
    expectToMeetItself(asked, lives);
  }
}

/** Replays the things, no two of which may hold a key at the same position. */
function historiesOf(recorded: readonly RecordedEvent[]): ThingHistories {
  const events = new Map<string, RecordedEvent[]>();
  const states = new Map<string, (Thing | null)[]>();
  const holdings: KeyHolding[] = [];
  for (const event of recorded) {
    const { stream } = event;
    const before = states.get(stream)?.at(-1) ?? null;
    const after = thing.replay(before, event);
    states.set(stream, [...(states.get(stream) ?? []), after]);
    events.set(stream, [...(events.get(stream) ?? []), event]);
    transferKey(holdings, { given: before?.key ?? null, gained: after?.key ?? null, event });
  }
  return { events, states, holdings };
}

interface KeyTransfer {
  readonly given: string | null;
  readonly gained: string | null;
  readonly event: RecordedEvent;
}

/** Releases one key and takes another, which must be free. */
function transferKey(holdings: KeyHolding[], { given, gained, event: { stream, position } }: KeyTransfer): void {
  if (given === gained) return;
  const lasting = (wanted: string | null) => holdings.find(({ key, to }) => key === wanted && to === Infinity);
  const last = lasting(given);
  if (last !== undefined) last.to = position;
  if (gained === null) return;
  const holder = lasting(gained);
  if (holder !== undefined) expect.fail(`${stream} gains ${gained} at ${position}, but ${holder.stream} has it`);
  holdings.push({ key: gained, stream, from: position, to: Infinity });
}

/** Either all events of an attempt are recorded once, adjacent and as decided, in its stream, or none is. */
function expectWhole(
  { name, stream, request }: Attempt,
  own: readonly RecordedEvent[],
  { decided }: ClaimsHistory,
): void {
  for (const event of own) {
    if (event.stream !== stream) expect.fail(`${name} for ${stream} has an event in ${event.stream}`);
    if (decided.get(event.id) !== textOf(event)) expect.fail(`${name} did not decide ${textOf(event)}`);
  }
  const first = own[0]?.revision ?? 0;
  const types = own.map(({ type }) => type);
  if (own.some(({ revision }, n) => revision !== first + n) || new Set(types).size !== types.length) {
    expect.fail(`${name} is twice or torn in ${stream}: ${types.join()}`);
  }
  const notes = own.filter(({ type }) => type === 'ThingNoted').map(({ data }) => data['note']);
  const { note } = request.command.data;
  if (own.length > 0) expect(notes, name).to.deep.equal(note === undefined ? [] : [note]);
}

function expectRefused({ name }: Attempt, own: readonly RecordedEvent[], { code }: Rejection): void {
  if (own.length > 0) expect.fail(`${name} was refused (${code}), but recorded`);
}

/** Another thing held the key at some moment between request and answer. */
function expectTaken(
  { name, stream, request, askedAt, answer }: Attempt,
  own: readonly RecordedEvent[],
  { owner, holdings }: { readonly owner: string; readonly holdings: readonly KeyHolding[] },
): void {
  if (own.length > 0) expect.fail(`${name} was told TAKEN, but recorded`);
  const until = answer?.at ?? 0;
  const justified = holdings.some(
    ({ key, stream: holder, from, to }) =>
      key === request.command.data.key && holder === owner && holder !== stream && from <= until && to > askedAt,
  );
  if (!justified) expect.fail(`${name}: ${owner} did not hold ${request.command.data.key} in ${askedAt}..${until}`);
}

/** What was acknowledged is recorded, and the answer showed the state at its revision. */
function expectDone(
  { name, stream, request: { command } }: Attempt,
  own: readonly RecordedEvent[],
  { done, lives }: { readonly done: CommandSuccess<Thing | null>; readonly lives: ThingHistories },
): void {
  expect(done.recorded, `recorded of ${name}, with ${own.length} events`).to.equal(own.length > 0);
  const events = lives.events.get(stream) ?? [];
  const states = lives.states.get(stream) ?? [];
  expect(events[done.revision]?.position, name).to.equal(done.position);
  expect(canonicalJson({ ...done.state }), `state after ${name}`).to.equal(canonicalJson({ ...states[done.revision] }));
  if (command.type === 'MakeThing') return;
  const { key, note } = command.data;
  if (note !== undefined) expect(done.recorded, `${name} was to be noted`).to.equal(true);
  const seen = states[own.at(-1)?.revision ?? done.revision];
  if (key !== undefined) expect(seen?.key, `key after ${name}`).to.equal(key);
}

/** A repeated create with the same body is done, whoever holds the key now; with another body it is refused. */
function expectToMeetItself({ name, stream, request, askedAt, answer }: Attempt, lives: ThingHistories): void {
  const [born] = lives.events.get(stream) ?? [];
  const { fingerprint } = request;
  if (fingerprint === undefined || born === undefined || answer === null) return;
  const { outcome } = answer;
  const reused = outcome instanceof Rejection && outcome.code === 'KEY_REUSED';
  const same = born.metadata.fingerprint === fingerprint;
  if (born.position <= askedAt && same) expect(outcome, `${name} again`).to.include({ outcome: 'done' });
  else if (born.position <= askedAt || reused) expect([reused, same], name).to.deep.equal([true, false]);
}
