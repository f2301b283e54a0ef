import { expect } from 'chai';
import type { DecidedEvent } from '../../../src/kernel/event-types.ts';
import { sameJson, type Json, type JsonObject } from '../../../src/kernel/json.ts';
import { given, happened } from '../kernel/given.ts';
import { sameSet } from '../same-set.ts';
import { keptOf, sampleBody } from './entries.ts';
import { fieldsOf, type Entry } from './entry.ts';
import type { Body, Product } from './product.ts';
import { createdEvent, flagEvents, stepsOf, wholeBody, wholeState, type Step } from './steps.ts';

/** What a body is made with that has what is required. */
const LEAST = { n: '1', ids: () => '00000000-0000-7000-8000-0000000000ab' };

interface Law {
  readonly entry: Entry;
  readonly product: Product;
}

/** Declares what holds of the decider of any resource. */
export function itDecides(entry: Entry, product: Product): void {
  const law = { entry, product };
  const { decider, create, change } = product;
  it('records events of the entry only', () => sameSet(Object.keys(decider.events), Object.keys(entry.events)));
  it('has streams of its category', () => expect(decider.category).to.equal(entry.category));
  it('holds its unique key, if it has one', () => expectClaim(law));
  if (create.commands !== null) it('is made, once', () => expectMade(law));
  if (change.commands === null) return;
  for (const step of changesOf(entry)) it(`says ${step.type}, and only that`, () => expectStep(law, step));
  it('says all that one change does, in order', () => expectAll(law));
  it('forgets what is set to null', () => expectForgotten(law));
  it('records nothing when nothing changes', () => {
    const state = wholeState(entry);
    const same = Object.entries(wholeBody(entry.change)).filter(([name, value = null]) =>
      Object.entries(keptOf(entry.change, { [name]: value })).every(([field, kept]) => sameJson(kept, state[field])),
    );
    expect(same).not.to.be.empty;
    for (const body of [Object.fromEntries(same), {}])
      after(law)
        .when(...changeTo(law, body))
        .thenNothing();
    // Nor does a flag, of either value, get that of a new one.
    for (const { type, data } of stepsOf(entry).filter(({ kind }) => kind === 'flag'))
      after(law, happened(type, data))
        .when(...changeTo(law, {}))
        .thenNothing();
  });
  it('cannot be changed before it exists', () => {
    for (const body of [wholeBody(entry.change), {}]) {
      given(decider)
        .when(...changeTo(law, body))
        .thenRejected('NOT_FOUND');
    }
  });
}

/** What a change of it comes to; other requests make the rest of its events. */
function changesOf(entry: Entry): readonly Step[] {
  return stepsOf(entry).filter(({ change }) => Object.keys(change).every((field) => field in entry.change));
}

/** The decider after the resource was made of a whole body, and what happened then. */
function after({ entry, product: { decider } }: Law, ...more: readonly DecidedEvent[]) {
  return given(decider, createdEvent(entry), ...more);
}

function commandsOf({ schema, commands }: Body, body: JsonObject, params: JsonObject) {
  return commands?.(schema.parse(body), params) ?? expect.fail('it takes more than a body to make this command');
}

function changeTo({ entry, product: { change } }: Law, body: JsonObject) {
  const needed = entry.replaces === true ? sampleBody(entry.change, LEAST) : {};
  return commandsOf(change, { ...needed, ...body }, {});
}

function expectMade({ entry, product: { decider, create } }: Law): void {
  const verdict = given(decider).when(...commandsOf(create, wholeBody(entry.create), wholeBody(entry.inPath)));
  if (entry.maps === undefined) verdict.then(createdEvent(entry));
  else verdict.thenOnce('TAKEN', createdEvent(entry));
}

function expectStep(law: Law, { type, kind, before, change, data }: Step): void {
  const { entry } = law;
  const history = flagEvents(entry, before);
  after(law, ...history)
    .when(...changeTo(law, change))
    .then(happened(type, data));
  if (kind === 'fields') expectFieldsTogether(law, { type, change });
  if (kind !== 'move' || !('from' in data)) return;
  // It remembers where it moved to.
  const back = Object.fromEntries(Object.keys(change).map((name) => [name, data['from'] ?? null]));
  after(law, happened(type, data))
    .when(...changeTo(law, back))
    .then(happened(type, { from: data['to'] ?? null, to: data['from'] ?? null }));
}

/** Of fields that one event carries, each alone makes it, and the others are as they were. */
function expectFieldsTogether(law: Law, { type, change }: Pick<Step, 'type' | 'change'>): void {
  const { entry } = law;
  const state = wholeState(entry);
  const fields = { ...fieldsOf(entry), ...entry.change };
  const names = Object.keys(keptOf(fields, change));
  for (const [name, value = null] of Object.entries(change)) {
    const kept = keptOf(fields, { [name]: value });
    const data = names.map((field): [string, Json] => [field, kept[field] ?? state[field] ?? null]);
    after(law)
      .when(...changeTo(law, { [name]: value }))
      .then(happened(type, Object.fromEntries(data)));
  }
}

function expectAll(law: Law): void {
  const { entry } = law;
  const whole = wholeState(entry);
  const steps = changesOf(entry).filter(({ before }) =>
    Object.entries(before).every(([flag, value]) => whole[flag] === value),
  );
  const body = Object.fromEntries(steps.flatMap(({ change }) => Object.entries(change)));
  after(law)
    .when(...changeTo(law, body))
    .then(...steps.map(({ type, data }) => happened(type, data)));
}

function expectForgotten(law: Law): void {
  const { entry } = law;
  const state = wholeState(entry);
  for (const [name, { nullable }] of Object.entries(entry.change)) {
    const step = stepsOf(entry).find(({ change }) => name in change);
    if (!nullable || step === undefined || state[name] === null) continue;
    const data = Object.keys(step.data).map((field): [string, Json] => [
      field,
      field === name ? null : (state[field] ?? null),
    ]);
    after(law)
      .when(...changeTo(law, { [name]: null }))
      .then(happened(step.type, Object.fromEntries(data)));
  }
}

/** Two resources claim the same key exactly if all fields of it are equal. */
function expectClaim({ entry, product: { decider } }: Law): void {
  const { claim } = decider;
  const { unique } = entry;
  if (unique === undefined || claim === null) {
    expect({ claim: claim?.category }, 'a claim without a law, or a law without a claim').to.deep.equal({
      claim: unique?.category,
    });
    return;
  }
  const state = wholeState(entry);
  const key = claim.key(state);
  expect(claim.category).to.equal(unique.category);
  expect([claim.key(null), key]).to.deep.equal([null, expectedKey(unique.fields, state)]);
  for (const step of stepsOf(entry)) {
    const isOfKey = unique.fields.some((field) => field in step.values);
    expect(claim.key({ ...state, ...step.values }) === key, step.type).to.equal(!isOfKey);
  }
  for (const field of unique.fields) {
    const value = state[field];
    if (typeof value === 'string' && !sameJson(value.toUpperCase(), value))
      expect(claim.key({ ...state, [field]: value.toUpperCase() }), 'case counts').not.to.equal(key);
  }
  expect(claim.taken.code).to.equal('TAKEN');
  expect(claim.taken.faults.map(({ pointer }) => pointer)).to.deep.equal([`/${unique.fields.at(-1)}`]);
}

/** Keys are names of streams: they are stored, so their form stays. */
function expectedKey(fields: readonly string[], state: JsonObject): string {
  const values = fields.map((field) => state[field] ?? null);
  const [only] = values;
  return values.length === 1 && typeof only === 'string' ? only : JSON.stringify(values);
}
