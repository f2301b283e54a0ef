import { expect } from 'chai';
import { AC_SERVER, FILES } from './fixtures.ts';
import { onlySession, planOf, planOfJson } from './reading.ts';

describe('result files of an Assetto Corsa server', () => {
  it('reads a race: laps counted by driver and car, valid without cuts', () => {
    const plan = planOf(FILES['acServer'] ?? new Uint8Array());
    expect(plan).to.include({ format: 'ac-server-json', encoding: 'utf-8' });
    const { laps, ...session } = onlySession(plan);
    expect(session).to.include({ session: 'race', name: 'RACE', track: 'imola', layout: 'chicane' });
    const ida = { driver: 'Ida Moor', driverId: '2001', car: 'ks_mazda' };
    const eli = { driver: 'Eli Stern', driverId: '2002', car: 'ks_mazda' };
    expect(laps).to.deep.equal([
      { ...ida, lap: 1, ms: 97_000, sectors: [48_000, 49_000], valid: true },
      { ...eli, lap: 1, ms: 97_500, sectors: [48_500, 49_000], valid: true },
      { ...ida, lap: 2, ms: 95_000, sectors: [47_000, 48_000], valid: true },
      { ...eli, lap: 2, ms: 96_500, sectors: null, valid: false },
    ]);
  });

  it('leaves out unused slots and repeated rows without laps, with one warning, and counts positions without them', () => {
    const plan = planOf(FILES['acServer'] ?? new Uint8Array());
    expect(onlySession(plan).classification).to.deep.equal([
      { position: 1, driver: 'Ida Moor', laps: 2, bestMs: 95_000, totalMs: 192_000 },
      { position: 2, driver: 'Eli Stern', laps: 2, bestMs: 96_500, totalMs: 194_000 },
      { position: 3, driver: 'Zed Null', laps: 0, bestMs: null, totalMs: null },
    ]);
    expect(plan.warnings).to.deep.equal([
      'The session RACE: rows of the result were left out: 1 without a name, 2 that repeat a driver without laps.',
    ]);
  });

  it('knows what the server manager writes, and gives no total time in a qualifying', () => {
    const plan = planOf(FILES['acServerManager'] ?? new Uint8Array());
    expect(plan.format).to.equal('ac-server-json-manager');
    const { session, classification } = onlySession(plan);
    expect(session).to.equal('qualifying');
    expect(classification.map(({ totalMs }) => totalMs)).to.deep.equal([null, null, null]);
  });

  it('takes 999999999 and 0 as no time, and an empty layout as none', () => {
    const Laps = [999_999_999, 0, -1].map((LapTime) => ({ ...AC_SERVER.Laps[0], LapTime }));
    const { laps, layout } = onlySession(planOfJson({ ...AC_SERVER, Laps, TrackConfig: '' }));
    expect(laps.map(({ ms, valid }) => ({ ms, valid }))).to.deep.equal(Laps.map(() => ({ ms: null, valid: null })));
    expect(layout).to.equal(null);
  });
});
