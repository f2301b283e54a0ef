import { expect } from 'chai';
import { AC_CLIENT, FILES } from './fixtures.ts';
import { planOf, planOfJson } from './reading.ts';

describe('result files of Assetto Corsa itself', () => {
  it('reads each session that has something, with laps from 1', () => {
    const plan = planOf(FILES['acClient'] ?? new Uint8Array());
    expect(plan.format).to.equal('ac-client-race_out-json');
    const ned = { driver: 'Ned Vale', driverId: null, car: 'abarth500' };
    const una = { driver: 'Una Frost', driverId: null, car: 'abarth500_s1' };
    expect(plan.sessions).to.deep.equal([
      {
        session: 'practice',
        name: 'Practice',
        track: 'magione',
        layout: null,
        laps: [
          { ...ned, lap: 1, ms: 93_000, sectors: [30_000, 31_000, 32_000], valid: true },
          { ...ned, lap: 2, ms: null, sectors: [29_000, 30_000, 31_000], valid: null },
          { ...una, lap: 1, ms: 92_000, sectors: null, valid: null },
        ],
        classification: [
          { position: 1, driver: 'Una Frost', laps: 1, bestMs: 92_000, totalMs: null },
          { position: 2, driver: 'Ned Vale', laps: 2, bestMs: 93_000, totalMs: null },
        ],
      },
      {
        session: 'race',
        name: 'Quick Race',
        track: 'magione',
        layout: null,
        laps: [{ ...una, lap: 1, ms: 96_000, sectors: [31_000, 32_000, 33_000], valid: false }],
        classification: [
          { position: 1, driver: 'Una Frost', laps: 1, bestMs: 96_000, totalMs: null },
          { position: 2, driver: 'Ned Vale', laps: 0, bestMs: null, totalMs: null },
        ],
      },
    ]);
    expect(plan.warnings).to.deep.equal([]);
  });

  it('reads the layout of what Content Manager keeps', () => {
    const plan = planOf(FILES['contentManager'] ?? new Uint8Array());
    expect(plan.format).to.equal('ac-content-manager-json');
    expect(plan.sessions.map(({ layout }) => layout)).to.deep.equal(['club', 'club']);
    expect(plan.sessions[0]?.laps).to.deep.equal(planOfJson(AC_CLIENT).sessions[0]?.laps);
  });

  it('does not guess whose a lap is', () => {
    const [practice] = AC_CLIENT.sessions;
    const laps = [{ lap: 0, car: 7, sectors: [], time: 90_000 }];
    const plan = planOfJson({ ...AC_CLIENT, sessions: [{ ...practice, laps }] });
    expect(plan.sessions[0]?.laps[0]).to.include({ driver: null, car: null, ms: 90_000 });
    expect(plan.warnings).to.include('A lap has no known driver (at sessions[0].laps[0]).');
  });
});
