import { expect } from 'chai';
import { FILES, IRACING_LAPS } from './fixtures.ts';
import { onlySession, planOf, planOfJson } from './reading.ts';

describe('lap data of iRacing', () => {
  it('reads laps, of which 0 is the out lap', () => {
    const plan = planOf(FILES['iracingLaps'] ?? new Uint8Array());
    expect(plan.format).to.equal('iracing-lap-data-json');
    const gus = { driver: 'Gus Hale', driverId: '6001', car: null };
    expect(onlySession(plan)).to.deep.equal({
      session: 'unknown',
      name: null,
      track: null,
      layout: null,
      laps: [
        { ...gus, lap: 0, ms: null, sectors: null, valid: null, out: true },
        { ...gus, lap: 1, ms: 107_929, sectors: null, valid: true },
        { ...gus, lap: 2, ms: 106_365, sectors: null, valid: true },
        { ...gus, lap: 3, ms: 106_100, sectors: null, valid: false },
      ],
      classification: [],
    });
    expect(plan.warnings).to.include('Lap data of iRacing do not say which session they are of.');
  });

  it('reads the session from an object around the laps', () => {
    const session_info = {
      simsession_type: 6,
      simsession_type_name: 'Race',
      simsession_name: 'RACE',
      track: { track_name: 'Oval' },
    };
    const session = onlySession(planOfJson({ session_info, laps: IRACING_LAPS }));
    expect(session).to.include({ session: 'race', name: 'RACE', track: 'Oval' });
    expect(session.laps).to.have.length(IRACING_LAPS.length);
  });
});
