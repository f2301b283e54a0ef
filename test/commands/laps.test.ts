import { expect } from 'chai';
import { changeLap, lapDecider, recordLap } from '../../commands/laps.ts';
import { bodies } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const ADA = '00000000-0000-7000-8000-0000000000a1';
const NIKI = '00000000-0000-7000-8000-0000000000a2';
const RIG = '00000000-0000-7000-8000-0000000000b1';
const OTHER_RIG = '00000000-0000-7000-8000-0000000000b2';
const CUP = '00000000-0000-7000-8000-0000000000c1';
const TROPHY = '00000000-0000-7000-8000-0000000000c2';
const CAR = '00000000-0000-7000-8000-0000000000d1';
const OTHER_CAR = '00000000-0000-7000-8000-0000000000d2';
const SPA = '00000000-0000-7000-8000-0000000000e1';
const MONZA = '00000000-0000-7000-8000-0000000000e2';

const lap = {
  participantId: ADA,
  rigId: RIG,
  eventId: CUP,
  sectors: [31_000, 42_000, 35_000],
  totalTime: 108_000,
  valid: true,
  carId: CAR,
  trackId: SPA,
};
const NOON = '2026-05-01T12:00:00.000Z';
const EVENING = '2026-05-01T20:15:00.123Z';
const recorded = happened('LapRecorded', lap);

describe('lap', () => {
  it('is recorded', () => {
    given(lapDecider).when({ type: 'RecordLap', data: lap }).then(recorded);
  });

  it('is recorded with times that do not add up, and without sectors', () => {
    for (const times of [
      { sectors: [1, 2], totalTime: 9 },
      { sectors: [], totalTime: 0 },
    ]) {
      const odd = { ...lap, ...times };
      given(lapDecider).when({ type: 'RecordLap', data: odd }).then(happened('LapRecorded', odd));
    }
  });

  it('is recorded with the moment when it was driven, which may be said later, and again', () => {
    const driven = happened('LapRecorded', { ...lap, drivenAt: NOON });
    given(lapDecider)
      .when({ type: 'RecordLap', data: { ...lap, drivenAt: NOON } })
      .then(driven);
    given(lapDecider, recorded)
      .when({ type: 'ChangeLap', data: { drivenAt: NOON } })
      .then(happened('LapDrivenAtCorrected', { to: NOON }));
    given(lapDecider, driven, happened('LapDrivenAtCorrected', { to: EVENING }))
      .when({ type: 'ChangeLap', data: { drivenAt: NOON } })
      .then(happened('LapDrivenAtCorrected', { to: NOON }));
    for (const data of [{ drivenAt: NOON }, {}])
      given(lapDecider, driven).when({ type: 'ChangeLap', data }).thenNothing();
  });

  it('says what changed, and where it moved from', () => {
    given(lapDecider, recorded)
      .when({
        type: 'ChangeLap',
        data: {
          participantId: NIKI,
          rigId: OTHER_RIG,
          eventId: TROPHY,
          sectors: [107_000],
          totalTime: 107_000,
          valid: false,
          carId: OTHER_CAR,
          trackId: MONZA,
          drivenAt: NOON,
        },
      })
      .then(
        happened('LapCorrected', { sectors: [107_000], totalTime: 107_000 }),
        happened('LapInvalidated'),
        happened('LapReassigned', { from: ADA, to: NIKI }),
        happened('LapMovedToRig', { from: RIG, to: OTHER_RIG }),
        happened('LapMovedToEvent', { from: CUP, to: TROPHY }),
        happened('LapCarCorrected', { from: CAR, to: OTHER_CAR }),
        happened('LapTrackCorrected', { from: SPA, to: MONZA }),
        happened('LapDrivenAtCorrected', { to: NOON }),
      );
  });

  it('says each change alone', () => {
    const changes = [
      [{ totalTime: 108_001 }, 'LapCorrected', { sectors: lap.sectors, totalTime: 108_001 }],
      [{ valid: false }, 'LapInvalidated', {}],
      [{ participantId: NIKI }, 'LapReassigned', { from: ADA, to: NIKI }],
      [{ rigId: OTHER_RIG }, 'LapMovedToRig', { from: RIG, to: OTHER_RIG }],
      [{ eventId: TROPHY }, 'LapMovedToEvent', { from: CUP, to: TROPHY }],
      [{ carId: OTHER_CAR }, 'LapCarCorrected', { from: CAR, to: OTHER_CAR }],
      [{ trackId: MONZA }, 'LapTrackCorrected', { from: SPA, to: MONZA }],
      [{ drivenAt: NOON }, 'LapDrivenAtCorrected', { to: NOON }],
    ] as const;
    for (const [data, type, says] of changes) {
      given(lapDecider, recorded).when({ type: 'ChangeLap', data }).then(happened(type, says));
    }
  });

  it('replaces the sectors as a whole', () => {
    for (const sectors of [[], [42_000], [31_000, 35_000, 42_000], [31_000, 42_000, 35_000, 0]]) {
      given(lapDecider, recorded)
        .when({ type: 'ChangeLap', data: { sectors } })
        .then(happened('LapCorrected', { sectors, totalTime: 108_000 }));
    }
  });

  it('remembers where it moved to', () => {
    const moved = [
      happened('LapReassigned', { from: ADA, to: NIKI }),
      happened('LapMovedToRig', { from: RIG, to: OTHER_RIG }),
      happened('LapMovedToEvent', { from: CUP, to: TROPHY }),
      happened('LapCarCorrected', { from: CAR, to: OTHER_CAR }),
      happened('LapTrackCorrected', { from: SPA, to: MONZA }),
    ];
    given(lapDecider, recorded, ...moved)
      .when({ type: 'ChangeLap', data: lap })
      .then(
        happened('LapReassigned', { from: NIKI, to: ADA }),
        happened('LapMovedToRig', { from: OTHER_RIG, to: RIG }),
        happened('LapMovedToEvent', { from: TROPHY, to: CUP }),
        happened('LapCarCorrected', { from: OTHER_CAR, to: CAR }),
        happened('LapTrackCorrected', { from: MONZA, to: SPA }),
      );
  });

  it('records nothing when nothing changes', () => {
    given(lapDecider, recorded)
      .when({ type: 'ChangeLap', data: { ...lap, sectors: [...lap.sectors] } })
      .thenNothing();
    given(lapDecider, recorded).when({ type: 'ChangeLap', data: {} }).thenNothing();
  });

  it('is invalidated once, and validated again', () => {
    const invalidated = happened('LapInvalidated');
    given(lapDecider, recorded, invalidated)
      .when({ type: 'ChangeLap', data: { valid: false } })
      .thenNothing();
    given(lapDecider, recorded, invalidated)
      .when({ type: 'ChangeLap', data: { valid: true } })
      .then(happened('LapValidated'));
  });

  it('cannot be changed before it exists', () => {
    given(lapDecider)
      .when({ type: 'ChangeLap', data: { valid: false } })
      .thenRejected('NOT_FOUND');
  });

  it('claims nothing, and refers to all that it names; the track is a layout', () => {
    expect(lapDecider.claim).to.equal(null);
    for (const { references } of [recordLap, changeLap]) {
      expect(references).to.deep.equal({
        participantId: 'participant',
        rigId: 'rig',
        eventId: 'event',
        carId: 'car',
        trackId: 'trackLayout',
      });
    }
  });
});

describe('lap bodies', () => {
  const { takes, refuses, needsOnly } = bodies(recordLap, changeLap, lap);

  it('need every field, and keep no other', () => {
    expect(recordLap.body.parse({ ...lap, car: OTHER_CAR, createdAt: 'now' })).to.deep.equal(lap);
    needsOnly('participantId', 'rigId', 'eventId', 'sectors', 'totalTime', 'valid', 'carId', 'trackId');
  });

  it('hold every field to its bounds', () => {
    takes('totalTime', 0, 1, Number.MAX_SAFE_INTEGER);
    refuses('totalTime', -1, 0.5, Number.MAX_SAFE_INTEGER + 1, NaN, Infinity, '1', null);
    takes(
      'sectors',
      [],
      [0],
      [0, 1, Number.MAX_SAFE_INTEGER],
      Array.from({ length: 64 }, () => 1),
    );
    refuses(
      'sectors',
      Array.from({ length: 65 }, () => 1),
    );
    refuses('sectors', [-1], [1, -1], [0.5], [null], ['1'], [[1]], [Number.MAX_SAFE_INTEGER + 1], 1, null);
    refuses('valid', null, 'true', 1);
    takes('drivenAt', NOON, '2026-05-01T14:00:00+02:00', '0000-01-01T00:00:00Z');
    refuses('drivenAt', null, '', 'noon', '2026-05-01', '2026-05-01T12:00:00', 1, '9999-12-31T23:59:59-01:00');
    for (const field of ['participantId', 'rigId', 'eventId', 'carId', 'trackId']) {
      takes(field, NIKI, NIKI.toUpperCase());
      refuses(field, null, '', 'lap', `${NIKI}0`, NIKI.slice(1), [NIKI]);
    }
  });

  it('change a lap of before that has more sectors', () => {
    const long = { ...lap, sectors: Array.from({ length: 100 }, () => 1) };
    const corrected = lapDecider.decide(long, { type: 'ChangeLap', data: { totalTime: 5 } });
    expect(corrected).to.deep.equal([{ type: 'LapCorrected', data: { sectors: long.sectors, totalTime: 5 } }]);
  });

  it('keep the reason of a change out of the command, up to 255 characters', () => {
    const { body, command, reason } = changeLap;
    for (const said of ['', 'Cut the chicane', '🏁'.repeat(255)]) {
      const change = body.parse({ valid: false, reason: said });
      expect(command(change, {})).to.deep.equal({ type: 'ChangeLap', data: { valid: false } });
      expect(reason?.(change)).to.equal(said);
    }
    expect(reason?.(body.parse({ valid: false }))).to.equal(undefined);
    for (const wrong of ['x'.repeat(256), null, 7]) expect(body.safeParse({ reason: wrong }).success).to.equal(false);
    expect(recordLap.body.parse({ ...lap, reason: 'None' })).to.deep.equal(lap);
  });

  it('keep moments in UTC with milliseconds', () => {
    expect(changeLap.body.parse({ drivenAt: '2026-05-01T14:00:00+02:00' })).to.deep.equal({ drivenAt: NOON });
  });

  it('keep ids in lower case', () => {
    expect(changeLap.body.parse({ carId: CAR.toUpperCase() })).to.deep.equal({ carId: CAR });
  });
});
