import { expect } from 'chai';
import { changeLap, lapDecider, recordLap } from '../../commands/laps.ts';

const id = '00000000-0000-7000-8000-0000000000a1';
const lap = {
  ...{ participantId: id, rigId: id, eventId: id, carId: id, trackId: id },
  ...{ sectors: [31_000, 42_000, 35_000], totalTime: 108_000, valid: true },
};

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
