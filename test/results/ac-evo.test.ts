import { expect } from 'chai';
import { AC_EVO, FILES } from './fixtures.ts';
import { onlySession, planOf, planOfJson } from './reading.ts';

describe('result files of AC EVO', () => {
  it('reads a qualifying, and tells ids apart that are the same as numbers', () => {
    const plan = planOf(FILES['acEvo'] ?? new Uint8Array());
    expect(plan.format).to.equal('ac-evo-results-json');
    const { laps, classification, ...head } = onlySession(plan);
    expect(head).to.deep.equal({ session: 'qualifying', name: 'Qualify', track: 'Imola', layout: 'GP' });
    const kit = { driver: 'Kit Barr', driverId: '3001', car: 'Mazda MX-5' };
    expect(laps).to.deep.equal([
      { ...kit, lap: 1, ms: 101_000, sectors: [33_000, 34_000, 34_000], valid: true },
      { ...kit, lap: 2, ms: 100_000, sectors: [33_000, 34_000, 33_000], valid: false },
      {
        driver: 'moss',
        driverId: '3002',
        car: 'Mazda MX-5',
        lap: 1,
        ms: 102_500,
        sectors: [33_000, 34_000, 35_500],
        valid: null,
      },
    ]);
    expect(classification).to.deep.equal([
      { position: 1, driver: 'Kit Barr', laps: 2, bestMs: 101_000, totalMs: null },
      { position: 2, driver: 'moss', laps: 1, bestMs: 102_500, totalMs: null },
      { position: 3, driver: 'Flo Reed', laps: 0, bestMs: null, totalMs: null },
    ]);
    expect(plan.warnings).to.deep.equal([
      'A lap has flags whose meaning is not known; whether it is valid is left open (at laps[2]).',
    ]);
  });

  it('takes the time of a standing as the total of a race', () => {
    const { classification } = onlySession(
      planOfJson({ ...AC_EVO, session_type: 'Race', time_standings: [201_000, 202_500, 0] }),
    );
    expect(classification.map(({ bestMs, totalMs }) => ({ bestMs, totalMs }))).to.deep.equal([
      { bestMs: 101_000, totalMs: 201_000 },
      { bestMs: 102_500, totalMs: 202_500 },
      { bestMs: null, totalMs: null },
    ]);
  });
});
