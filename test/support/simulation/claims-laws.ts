import { expect } from 'chai';
import type { CommandSuccess } from '../../../src/kernel/aggregate/command-handler.ts';
import type { RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import { canonicalJson } from '../../../src/kernel/json.ts';
import { Rejection } from '../../../src/kernel/aggregate/rejections.ts';
import { textOf, type Asked, type ClaimsHistory } from './claims.ts';
import { thing, type Thing } from './things.ts';

/** A key in somebody's hands, from the event that gained it to the one that gave it up. */
interface Tenure {
  readonly key: string;
  readonly stream: string;
  readonly from: number;
  to: number;
}

/** The things of a history: their events, and their states after each. */
interface Lives {
  readonly events: ReadonlyMap<string, readonly RecordedEvent[]>;
  readonly states: ReadonlyMap<string, readonly (Thing | null)[]>;
  readonly tenures: readonly Tenure[];
}

/** What must be true of every history, whatever luck its processes had. */
export function expectLawful(history: ClaimsHistory): void {
  const lives = livesOf(history.events.filter(({ stream }) => stream.startsWith('thing-')));
  const recorded = [...lives.events.values()].flat();
  for (const asked of history.asked) {
    const own = recorded.filter(({ metadata }) => metadata.correlationId === asked.name);
    expectWhole(asked, own, history);
    if (asked.answer === null) continue;
    const { outcome } = asked.answer;
    if (outcome instanceof Rejection) expectRefused(asked, own, outcome);
    else if (outcome.outcome === 'taken') expectTaken(asked, own, { owner: outcome.owner, tenures: lives.tenures });
    else expectDone(asked, own, { done: outcome, lives });
    expectToMeetItself(asked, lives);
  }
}

/** Replays the things; no two may hold a key at one position. */
function livesOf(recorded: readonly RecordedEvent[]): Lives {
  const events = new Map<string, RecordedEvent[]>();
  const states = new Map<string, (Thing | null)[]>();
  const tenures: Tenure[] = [];
  for (const event of recorded) {
    const { stream } = event;
    const before = states.get(stream)?.at(-1) ?? null;
    const after = thing.replay(before, event);
    states.set(stream, [...(states.get(stream) ?? []), after]);
    events.set(stream, [...(events.get(stream) ?? []), event]);
    passOn(tenures, { given: before?.key ?? null, gained: after?.key ?? null, event });
  }
  return { events, states, tenures };
}

interface Passing {
  readonly given: string | null;
  readonly gained: string | null;
  readonly event: RecordedEvent;
}

/** Ends the tenure of the key given up and begins that of the key gained, which nobody else may have. */
function passOn(tenures: Tenure[], { given, gained, event: { stream, position } }: Passing): void {
  if (given === gained) return;
  const lasting = (wanted: string | null) => tenures.find(({ key, to }) => key === wanted && to === Infinity);
  const last = lasting(given);
  if (last !== undefined) last.to = position;
  if (gained === null) return;
  const holder = lasting(gained);
  if (holder !== undefined) expect.fail(`${stream} gains ${gained} at ${position}, but ${holder.stream} has it`);
  tenures.push({ key: gained, stream, from: position, to: Infinity });
}

/** An attempt's events are there once, as it decided them, together and in its own stream; or none is. */
function expectWhole(
  { name, stream, request }: Asked,
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

function expectRefused({ name }: Asked, own: readonly RecordedEvent[], { code }: Rejection): void {
  if (own.length > 0) expect.fail(`${name} was refused (${code}), but recorded`);
}

/** Somebody else held the key at some moment between question and answer. */
function expectTaken(
  { name, stream, request, askedAt, answer }: Asked,
  own: readonly RecordedEvent[],
  { owner, tenures }: { readonly owner: string; readonly tenures: readonly Tenure[] },
): void {
  if (own.length > 0) expect.fail(`${name} was told TAKEN, but recorded`);
  const until = answer?.at ?? 0;
  const justified = tenures.some(
    ({ key, stream: holder, from, to }) =>
      key === request.command.data.key && holder === owner && holder !== stream && from <= until && to > askedAt,
  );
  if (!justified) expect.fail(`${name}: ${owner} did not hold ${request.command.data.key} in ${askedAt}..${until}`);
}

/** What was acknowledged is there, and the answer told the state as it was at its revision. */
function expectDone(
  { name, stream, request: { command } }: Asked,
  own: readonly RecordedEvent[],
  { done, lives }: { readonly done: CommandSuccess<Thing | null>; readonly lives: Lives },
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

/** An id that was used before answers the same create as done, whoever holds the key by now, and another as reused. */
function expectToMeetItself({ name, stream, request, askedAt, answer }: Asked, lives: Lives): void {
  const [born] = lives.events.get(stream) ?? [];
  const { fingerprint } = request;
  if (fingerprint === undefined || born === undefined || answer === null) return;
  const { outcome } = answer;
  const reused = outcome instanceof Rejection && outcome.code === 'KEY_REUSED';
  const same = born.metadata.fingerprint === fingerprint;
  if (born.position <= askedAt && same) expect(outcome, `${name} again`).to.include({ outcome: 'done' });
  else if (born.position <= askedAt || reused) expect([reused, same], name).to.deep.equal([true, false]);
}
