import { expect } from 'chai';
import { changeLap, lapDecider, recordLap } from '../../commands/laps.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { given, happened } from '../support/kernel/given.ts';

const DRIVER = '00000000-0000-7000-8000-0000000000a1';
const OTHER_DRIVER = '00000000-0000-7000-8000-0000000000a2';
const RIG = '00000000-0000-7000-8000-0000000000b1';
const OTHER_RIG = '00000000-0000-7000-8000-0000000000b2';
const EVENT = '00000000-0000-7000-8000-0000000000c1';
const CAR = '00000000-0000-7000-8000-0000000000d1';
const LAYOUT = '00000000-0000-7000-8000-0000000000e1';

const SIX = '2026-03-06T18:00:00.000Z';

const lap = {
  participantId: DRIVER,
  rigId: RIG,
  eventId: EVENT,
  carId: CAR,
  trackId: LAYOUT,
  sectors: [31_000, 42_000, 35_000],
  totalTime: 108_000,
  valid: true,
};
const recorded = happened('LapRecorded', lap);
const invalidated = happened('LapInvalidated');

/** The commands that a body with a new lap comes to. */
function record(body: JsonObject) {
  return recordLap.commands(recordLap.body.parse(body), {});
}

/** The commands that a body with a change comes to. */
function change(body: JsonObject) {
  return changeLap.commands(changeLap.body.parse(body), {});
}

describe('recording a lap', () => {
  it('records it as it was sent', () =>
    given(lapDecider)
      .when(...record(lap))
      .then(recorded));

  it('records when it was driven, and its number, where they are sent', () => {
    const numbered = { ...lap, drivenAt: SIX, sequence: { boot: 'monday', number: 37 } };
    given(lapDecider)
      .when(...record(numbered))
      .then(happened('LapRecorded', numbered));
  });

  it('refuses one of nobody, which is left without a driver or an event, unless it is recorded already', () => {
    const { participantId: _, ...noDriver } = lap;
    const { eventId: __, ...noEvent } = lap;
    given(lapDecider)
      .when(...record(noDriver))
      .thenRejected('UNKNOWN_REFERENCE', '/participantId');
    given(lapDecider)
      .when(...record(noEvent))
      .thenRejected('UNKNOWN_REFERENCE', '/eventId');
    given(lapDecider, recorded)
      .when(...record(noDriver))
      .thenNothing();
  });

  it('fills in what it leaves out by who sat on the rig, and nothing else', () => {
    const { participantId: _, eventId: __, ...sent } = lap;
    const sitting = { participantId: OTHER_DRIVER, eventId: OTHER_RIG };
    const fillIn = (body: JsonObject) => recordLap.seat?.fillIn(recordLap.body.parse(body), sitting);
    expect(fillIn(sent)).to.deep.equal({ ...lap, ...sitting });
    expect(fillIn({ ...sent, participantId: DRIVER })).to.deep.equal({ ...lap, eventId: OTHER_RIG });
    expect(fillIn(lap)).to.deep.equal(lap);
  });

  it('does not compare the time of the lap with the sum of its sectors', () => {
    const penalized = { ...lap, totalTime: 118_000 };
    given(lapDecider)
      .when(...record(penalized))
      .then(happened('LapRecorded', penalized));
  });
});

describe('changing a lap', () => {
  const changes = [
    [{ totalTime: 108_500 }, happened('LapCorrected', { sectors: [31_000, 42_000, 35_000], totalTime: 108_500 })],
    [{ valid: false }, invalidated],
    [{ participantId: OTHER_DRIVER }, happened('LapReassigned', { from: DRIVER, to: OTHER_DRIVER })],
    [{ rigId: OTHER_RIG }, happened('LapMovedToRig', { from: RIG, to: OTHER_RIG })],
    [{ drivenAt: SIX }, happened('LapDrivenAtCorrected', { to: SIX })],
    [
      { valid: false, participantId: OTHER_DRIVER, reason: 'Driver change not entered' },
      invalidated,
      happened('LapReassigned', { from: DRIVER, to: OTHER_DRIVER }),
    ],
    [{ valid: true, totalTime: 108_000, rigId: RIG }],
    [{ reason: 'Nothing to correct' }],
    [{}],
  ] as const;
  for (const [body, ...events] of changes) {
    it(`records what changed, and only that: ${JSON.stringify(body)}`, () =>
      given(lapDecider, recorded)
        .when(...change(body))
        .then(...events));
  }

  it('makes an invalid lap valid again', () =>
    given(lapDecider, recorded, invalidated)
      .when(...change({ valid: true }))
      .then(happened('LapValidated')));

  it('corrects a lap of release 0.1.0 that has more sectors than are accepted now', () => {
    const sectors = Array.from({ length: 100 }, () => 1);
    given(lapDecider, happened('LapRecorded', { ...lap, sectors }))
      .when(...change({ totalTime: 5 }))
      .then(happened('LapCorrected', { sectors, totalTime: 5 }));
  });

  it('refuses a lap that does not exist', () => {
    for (const body of [{ totalTime: 108_500 }, { valid: false }, { participantId: OTHER_DRIVER }, {}])
      given(lapDecider)
        .when(...change(body))
        .thenRejected('NOT_FOUND');
  });
});

describe('the reason of a change', () => {
  it('is no part of its commands', () =>
    expect(change({ valid: false, reason: 'Cut the chicane' })).to.deep.equal([{ type: 'InvalidateLap', data: {} }]));

  it('has up to 255 characters', () => {
    const { body, reason } = changeLap;
    for (const text of ['', 'Cut the chicane', '🏁'.repeat(255)])
      expect(reason?.(body.parse({ valid: false, reason: text }))).to.equal(text);
    expect(reason?.(body.parse({ valid: false }))).to.equal(undefined);
    for (const wrong of ['x'.repeat(256), null, 7]) expect(body.safeParse({ reason: wrong }).success).to.equal(false);
  });

  it('is dropped from a lap that is recorded', () =>
    expect(recordLap.body.parse({ ...lap, reason: 'None' })).to.deep.equal(lap));
});
