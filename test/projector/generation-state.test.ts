import { expect } from 'chai';
import { BUILT_IN } from '../../src/service/resources/read-models.ts';
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
      ...initialState(1),
      current: { namespace: 'a', version: 1 },
      next: { namespace: 'b', version: 1, ready: true, keepOld: false },
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

  it('never uses a name again, and replaces what another version has started', () => {
    const state = after(initialState(1), ...[1, 2, 1].map((version) => created(version, null)));
    expect(state.next).to.include({ namespace: `${BUILT_IN}-4`, version: 1 });
    expect(state.dropping).to.deep.equal([NEXT, `${BUILT_IN}-3`]);
    expect(created(1, null)(state), 'what this version has begun stays').to.equal(null);
    expect(created(1, `${BUILT_IN}-4`)(state)?.next?.namespace).to.equal(`${BUILT_IN}-5`);
  });

  it('is read as an older release wrote it, without a requested rebuild', () => {
    const { request, progress, ...older } = initialState(1);
    expect(GenerationState.parse(older)).to.deep.equal({ ...older, request, progress });
  });
});

describe('requested rebuilds', () => {
  const ask = (id: string): GenerationTransition =>
    requested({ id, requestedAt: AT, requestId: 'desk-2', apiKeyId: 'key', licenseId: 'licence' });
  const later = '2026-05-01T20:01:00.000Z';
  const asked = after(initialState(1), ask('first'));
  const begun = after(asked, created(1, null), started(NEXT, AT));

  it('are one at a time', () => {
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
    const again = after(begun, created(1, NEXT), started(`${BUILT_IN}-3`, later));
    expect(again.request).to.include({ generation: `${BUILT_IN}-3`, startedAt: AT, endedAt: null });
  });

  it('fail with the reason', () => {
    const ended = after(begun, failed('e'.repeat(1_000), later));
    expect(ended.request).to.include({ generation: NEXT, endedAt: later, error: 'e'.repeat(500) });
    expect(isRequested(ended)).to.equal(false);
  });

  it('are not affected by a rebuild that was not requested', () => {
    for (const transition of [started(NEXT, AT), failed('no room', AT)]) {
      expect(transition(initialState(1))).to.equal(null);
    }
    const unasked = after(initialState(1), created(1, null), ready(NEXT, false), ask('late'), promoted(NEXT, 0, later));
    expect(unasked.request, 'asked for too late').to.include({ generation: null, endedAt: null });
  });
});
