import { expect } from 'chai';
import { BUILT_IN, sumOfVersions } from '../../src/service/resources/built-in.ts';
import { orderOf, type ModelVersions } from '../../src/service/projector/model-versions.ts';
import {
  created,
  dropped,
  failed,
  GenerationState,
  initialState,
  isRequested,
  promoted,
  ready,
  requested,
  retired,
  started,
  type GenerationTransition,
} from '../../src/service/projector/generation-state.ts';

const NEXT = `${BUILT_IN}-2`;
const AT = '2026-05-01T20:00:00.000Z';

function versionsOf(models: Readonly<Record<string, number>>): ModelVersions {
  return { version: sumOfVersions(models), models };
}

const VERSIONS = versionsOf({ laps: 50, rigs: 30 });
/** Of another line of releases, with the same sum. */
const OTHERS = versionsOf({ laps: 49, rigs: 31 });

/** The state after some transitions, each of which must change something. */
function after(state: GenerationState, ...transitions: readonly GenerationTransition[]): GenerationState {
  return transitions.reduce((before, transition, n) => {
    const next = transition(before);
    if (next === null) throw new Error(`transition ${n} changes nothing`);
    return next;
  }, state);
}

describe('the state of the generations', () => {
  it('lets only the newest leader promote, and one generation at a time', () => {
    const state: GenerationState = {
      ...initialState(VERSIONS),
      current: { namespace: 'a', ...VERSIONS },
      next: { namespace: 'b', ...VERSIONS, ready: true, keepOld: false },
      kept: 'k',
      made: 2,
      leader: 7,
    };
    expect(promoted('b', 6, AT)(state)).to.equal(null);
    expect(promoted('c', 7, AT)(state)).to.equal(null);
    expect(promoted('b', 7, AT)({ ...state, retiring: { namespace: 'z', keep: false } })).to.equal(null);
    const switched = after(state, promoted('b', 7, AT));
    expect(switched).to.deep.include({ next: null, retiring: { namespace: 'a', keep: false } });
    const alone = after(switched, retired());
    expect(alone).to.deep.include({ retiring: null, kept: null, dropping: ['k', 'a'] });
    expect(dropped('k')(alone)?.dropping).to.deep.equal(['a']);
    expect(dropped('x')(alone)).to.equal(null);
  });

  it('never reuses a name, and replaces a generation that another version has started', () => {
    const state = after(
      initialState(VERSIONS),
      ...[VERSIONS, OTHERS, VERSIONS].map((versions) => created(versions, null)),
    );
    expect(state.next).to.deep.include({ namespace: `${BUILT_IN}-4`, ...VERSIONS });
    expect(state.dropping).to.deep.equal([NEXT, `${BUILT_IN}-3`]);
    expect(created(VERSIONS, null)(state), 'what this version has begun stays').to.equal(null);
    expect(created(VERSIONS, `${BUILT_IN}-4`)(state)?.next?.namespace).to.equal(`${BUILT_IN}-5`);
  });

  it('is read as an older release wrote it, without a requested rebuild', () => {
    const { request, progress, ...older } = initialState(VERSIONS);
    expect(GenerationState.parse(older)).to.deep.equal({ ...older, request, progress });
  });
});

describe('requested rebuilds', () => {
  const ask = (id: string): GenerationTransition =>
    requested({ id, requestedAt: AT, requestId: 'desk-2', apiKeyId: 'key', licenseId: 'licence' });
  const later = '2026-05-01T20:01:00.000Z';
  const asked = after(initialState(VERSIONS), ask('first'));
  const begun = after(asked, created(VERSIONS, null), started(NEXT, AT));

  it('are carried out one at a time', () => {
    expect(asked.request).to.deep.include({ id: 'first', generation: null, startedAt: null, endedAt: null });
    for (const state of [asked, begun]) {
      expect(isRequested(state)).to.equal(true);
      expect(ask('second')(state)).to.equal(null);
    }
    const ended = after(begun, failed('no room', later));
    expect(after(ended, ask('second')).request).to.include({
      id: 'second',
      startedAt: null,
      endedAt: null,
      error: null,
    });
  });

  it('are under way until their generation is current, in the same write', () => {
    expect(begun.request).to.include({ generation: NEXT, startedAt: AT });
    expect(started(NEXT, later)(begun), 'again').to.equal(null);
    const switched = after(begun, ready(NEXT, false), promoted(NEXT, 0, later));
    expect(switched.request).to.include({ id: 'first', generation: NEXT, endedAt: later, error: null });
    expect(isRequested(switched)).to.equal(false);
    for (const late of [started('x', later), failed('late', later)]) expect(late(switched)).to.equal(null);
  });

  it('continue in another namespace if the first one cannot be continued', () => {
    const again = after(begun, created(VERSIONS, NEXT), started(`${BUILT_IN}-3`, later));
    expect(again.request).to.include({ generation: `${BUILT_IN}-3`, startedAt: AT, endedAt: null });
  });

  it('fail with the reason', () => {
    const ended = after(begun, failed('e'.repeat(1_000), later));
    expect(ended.request).to.include({ generation: NEXT, endedAt: later, error: 'e'.repeat(500) });
    expect(isRequested(ended)).to.equal(false);
  });

  it('are not affected by a rebuild that was not requested', () => {
    for (const transition of [started(NEXT, AT), failed('no room', AT)]) {
      expect(transition(initialState(VERSIONS))).to.equal(null);
    }
    const unasked = after(
      initialState(VERSIONS),
      created(VERSIONS, null),
      ready(NEXT, false),
      ask('late'),
      promoted(NEXT, 0, later),
    );
    expect(unasked.request, 'asked for too late').to.include({ generation: null, endedAt: null });
  });
});

describe('the versions of read models', () => {
  const orders: readonly (readonly [string, ModelVersions, ReturnType<typeof orderOf>])[] = [
    ['the same', versionsOf({ laps: 50, rigs: 30 }), 'same'],
    ['older', versionsOf({ laps: 50, rigs: 29 }), 'older'],
    ['older: one is missing', versionsOf({ laps: 50 }), 'older'],
    ['newer', versionsOf({ laps: 50, rigs: 31 }), 'newer'],
    ['newer: there is one more', versionsOf({ laps: 50, rigs: 30, teams: 1 }), 'newer'],
    ['of another line, with the same sum', OTHERS, 'other'],
    ['of another line, with a greater sum', versionsOf({ laps: 49, rigs: 90 }), 'other'],
    ['known by an equal sum only', { version: VERSIONS.version }, 'older'],
    ['known by a smaller sum only', { version: VERSIONS.version - 1 }, 'older'],
    ['known by a greater sum only', { version: VERSIONS.version + 1 }, 'newer'],
    ['of a state that an earlier release has changed', { ...VERSIONS, version: VERSIONS.version + 1 }, 'newer'],
    ['not known', { version: 0 }, 'older'],
  ];
  for (const [what, versions, order] of orders) {
    it(`are compared one by one: ${what}`, () => {
      expect(orderOf(versions, VERSIONS)).to.equal(order);
    });
  }

  it('are read even if a release wrote only their sum, and kept if it wrote each one', () => {
    const older = { ...initialState(VERSIONS), current: { namespace: BUILT_IN, version: 47 } };
    expect(GenerationState.parse(older).current).to.deep.equal({ namespace: BUILT_IN, version: 47 });
    expect(GenerationState.parse(initialState(VERSIONS)).current).to.deep.equal({ namespace: BUILT_IN, ...VERSIONS });
  });
});
