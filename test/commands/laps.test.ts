import { expect } from 'chai';
import { changeLap, lapDecider, recordLap } from '../../commands/laps.ts';
import { given, happened } from '../support/kernel/given.ts';

const ADA = '00000000-0000-7000-8000-0000000000a1';
const RIG = '00000000-0000-7000-8000-0000000000b1';
const CUP = '00000000-0000-7000-8000-0000000000c1';
const CAR = '00000000-0000-7000-8000-0000000000d1';
const SPA = '00000000-0000-7000-8000-0000000000e1';

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
      .when(...changeLap.commands({ drivenAt: NOON }, {}))
      .then(happened('LapDrivenAtCorrected', { to: NOON }));
    given(lapDecider, driven, happened('LapDrivenAtCorrected', { to: EVENING }))
      .when(...changeLap.commands({ drivenAt: NOON }, {}))
      .then(happened('LapDrivenAtCorrected', { to: NOON }));
    for (const data of [{ drivenAt: NOON }, {}])
      given(lapDecider, driven)
        .when(...changeLap.commands(data, {}))
        .thenNothing();
  });
});

describe('lap bodies', () => {
  it('change a lap of before that has more sectors', () => {
    const long = { ...lap, sectors: Array.from({ length: 100 }, () => 1) };
    const corrected = lapDecider.decide(long, { type: 'CorrectLapTimes', data: { totalTime: 5 } });
    expect(corrected).to.deep.equal([{ type: 'LapCorrected', data: { sectors: long.sectors, totalTime: 5 } }]);
  });

  it('keep the reason of a change out of the command, up to 255 characters', () => {
    const { body, commands, reason } = changeLap;
    for (const said of ['', 'Cut the chicane', '🏁'.repeat(255)]) {
      const change = body.parse({ valid: false, reason: said });
      expect(commands(change, {})).to.deep.equal([{ type: 'InvalidateLap', data: {} }]);
      expect(reason?.(change)).to.equal(said);
    }
    expect(reason?.(body.parse({ valid: false }))).to.equal(undefined);
    for (const wrong of ['x'.repeat(256), null, 7]) expect(body.safeParse({ reason: wrong }).success).to.equal(false);
    expect(recordLap.body.parse({ ...lap, reason: 'None' })).to.deep.equal(lap);
  });
});
