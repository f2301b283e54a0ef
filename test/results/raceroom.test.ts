import { expect } from 'chai';
import { FILES } from './fixtures.ts';
import { planOf } from './reading.ts';

describe('result files of RaceRoom', () => {
  const plan = planOf(FILES['raceRoom'] ?? new Uint8Array());

  it('reads sessions with laps or a result, and leaves out empty ones', () => {
    expect(plan.format).to.equal('raceroom-server-json');
    const heads = plan.sessions.map(({ session, name, track, layout }) => ({ session, name, track, layout }));
    const place = { track: 'Zandvoort', layout: 'Club Circuit' };
    expect(heads).to.deep.equal([
      { session: 'qualifying', name: 'Qualify', ...place },
      { session: 'race', name: 'Race2', ...place },
    ]);
    expect(plan.sessions[0]).to.deep.include({
      laps: [],
      classification: [{ position: 1, driver: 'Ole Dahl', laps: 0, bestMs: 97_000, totalMs: null }],
    });
  });

  it('takes sectors apart, which the file adds up, and -1000 as no time', () => {
    const pia = { driver: 'Pia Holt', driverId: '4002', car: 'Audi TCR' };
    const ole = { driver: 'Ole Dahl', driverId: '4001', car: 'Cupra TCR' };
    expect(plan.sessions[1]?.laps).to.deep.equal([
      { ...pia, lap: 1, ms: 98_000, sectors: [22_000, 38_000, 38_000], valid: true },
      { ...pia, lap: 2, ms: 97_500, sectors: [21_000, 38_500, 38_000], valid: false },
      { ...pia, lap: 3, ms: null, sectors: [22_500, 38_500, null], valid: null },
      { ...pia, lap: 4, ms: null, sectors: null, valid: null },
      { ...ole, lap: 1, ms: 104_000, sectors: null, valid: null },
      { ...ole, lap: 2, ms: 96_000, sectors: null, valid: null },
    ]);
  });

  it('takes the fastest valid lap where the best time of the file is slower, with a warning', () => {
    expect(plan.sessions[1]?.classification).to.deep.equal([
      { position: 1, driver: 'Ole Dahl', laps: 2, bestMs: 96_000, totalMs: 200_000 },
      { position: 2, driver: 'Pia Holt', laps: 4, bestMs: 98_000, totalMs: null },
    ]);
    expect(plan.warnings).to.deep.equal([
      'The session Race2: the best time of Pia Holt in the file, 99000 ms, is slower than a listed lap; 98000 ms was taken.',
    ]);
  });
});
