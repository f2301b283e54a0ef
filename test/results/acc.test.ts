import { expect } from 'chai';
import { ACC_CLIENT, ACC_RACE, FILES, utf16, utf8 } from './fixtures.ts';
import { onlySession, planOf, planOfJson } from './reading.ts';

describe('result files of ACC', () => {
  it('reads a race of a server: laps counted by car, drivers by index, sentinels as null', () => {
    const plan = planOf(FILES['accServer'] ?? new Uint8Array());
    expect(plan).to.include({ format: 'acc-results-json-server', encoding: 'utf-16le' });
    const { laps, classification, ...head } = onlySession(plan);
    expect(head).to.deep.equal({ session: 'race', name: 'R1', track: 'spa', layout: null });
    expect(laps).to.deep.equal([
      lap('Ann Orr', 'S1001', '32', 1, 142_600, [45_000, 61_000, 36_600], true),
      lap('Cygne', 'S1003', '30', 1, null, [46_000, null], null),
      lap('Ann Orr', 'S1001', '32', 2, 140_023, null, false),
      lap('Bo Lind', 'S1002', '32', 3, 137_500, [41_000, 60_000, 36_500], true),
      lap(null, null, null, 1, 150_000, [50_000, 50_000, 50_000], true),
    ]);
    expect(classification).to.deep.equal([
      { position: 1, driver: 'Bo Lind', drivers: ['Ann Orr', 'Bo Lind'], laps: 3, bestMs: 137_500, totalMs: 420_123 },
      { position: 2, driver: 'Cygne', laps: 1, bestMs: null, totalMs: null },
    ]);
    expect(plan.warnings).to.deep.equal([
      'Lap 1 of a race in ACC counts from the moment of joining the server; it stands as in the file.',
      'A lap has no known driver (at laps[4]).',
    ]);
  });

  it('reads a file of the game itself, which names neither the track nor the validity of laps', () => {
    const plan = planOf(FILES['accClient'] ?? new Uint8Array());
    expect(plan).to.include({ format: 'acc-results-json-client', encoding: 'utf-16le' });
    const { session, name, track, laps, classification } = onlySession(plan);
    expect({ session, name, track }).to.deep.equal({ session: 'race', name: '10', track: null });
    expect(laps.map(({ ms, valid }) => ({ ms, valid }))).to.deep.equal([
      { ms: 103_000, valid: null },
      { ms: 101_000, valid: null },
    ]);
    expect(classification).to.deep.equal([
      { position: 1, driver: 'Ann Orr', laps: 2, bestMs: 101_000, totalMs: 204_000 },
    ]);
    expect(plan.warnings).to.include('The file does not name the track.');
  });

  it('gives the total time in races only', () => {
    for (const sessionType of ['FP', 'Q2', 0, 4]) {
      const [row] = onlySession(planOfJson({ ...ACC_RACE, sessionType })).classification;
      expect(row, `${sessionType}`).to.include({ totalMs: null });
    }
  });

  it('knows sessions by letters and by numbers', () => {
    const kinds = [
      ['FP1', 'practice'],
      ['P', 'practice'],
      ['Q', 'qualifying'],
      ['R2', 'race'],
      [0, 'practice'],
      [4, 'qualifying'],
      [9, 'qualifying'],
      [10, 'race'],
      [11, 'hotlap'],
      [12, 'hotlap'],
      [14, 'unknown'],
      ['X', 'unknown'],
    ] as const;
    for (const [sessionType, kind] of kinds) {
      expect(onlySession(planOfJson({ ...ACC_RACE, sessionType })).session, `${sessionType}`).to.equal(kind);
    }
  });

  it('leaves the best time alone from which a penalty has taken a lap, and corrects others', () => {
    const line = {
      ...ACC_RACE.sessionResult.leaderBoardLines[0],
      timing: { bestLap: 139_000, totalTime: 1, lapCount: 3 },
    };
    const file = { ...ACC_RACE, sessionType: 'Q', sessionResult: { leaderBoardLines: [line] } };
    const corrected = planOfJson(file);
    expect(onlySession(corrected).classification[0]).to.include({ bestMs: 137_500 });
    expect(corrected.warnings.join('\n')).to.include('139000 ms, is slower than a listed lap; 137500 ms was taken');
    const penalised = planOfJson({ ...file, penalties: [{ carId: 1_001, penalty: 'RemoveBestLaptime' }] });
    expect(onlySession(penalised).classification[0]).to.include({ bestMs: 139_000 });
  });

  it('reads every encoding that occurs, with CRLF as with LF', () => {
    const text = JSON.stringify(ACC_RACE, null, 4).replaceAll('\n', '\r\n');
    const expected = planOfJson(ACC_RACE).sessions;
    const files = {
      'utf-8': utf8(text),
      'utf-8-bom': utf8(`\uFEFF${text}`),
      'utf-16le': utf16(text, 'little-endian'),
      'utf-16be': utf16(text, 'big-endian'),
    };
    for (const [encoding, bytes] of Object.entries(files)) {
      const plan = planOf(bytes);
      expect(plan.encoding).to.equal(encoding);
      expect(plan.sessions, encoding).to.deep.equal(expected);
    }
    expect(planOf(utf16(`\uFEFF${text}`, 'little-endian')).encoding).to.equal('utf-16le');
    expect(planOf(utf16(`\uFEFF${text}`, 'big-endian')).encoding).to.equal('utf-16be');
  });

  it('says that a session with laps has no leaderboard', () => {
    const plan = planOfJson({ ...ACC_RACE, sessionResult: {} });
    expect(onlySession(plan).classification).to.deep.equal([]);
    expect(plan.warnings).to.include('The session R1 has laps, but no result in the file.');
    const { sessions } = planOfJson({ ...ACC_CLIENT, snapShot: {}, laps: [] });
    expect(sessions).to.deep.equal([]);
  });
});

function lap(
  driver: string | null,
  driverId: string | null,
  car: string | null,
  number: number,
  ms: number | null,
  sectors: readonly (number | null)[] | null,
  valid: boolean | null,
) {
  return { driver, driverId, car, lap: number, ms, sectors, valid };
}
