import { expect } from 'chai';
import { FILES, SMS_STATS, utf8 } from './fixtures.ts';
import { planOf, reasonOf } from './reading.ts';

describe('result files of AMS2 and Project CARS 2', () => {
  const plan = planOf(FILES['smsStats'] ?? new Uint8Array());

  it('reads each stage that has something, between the comments of the server', () => {
    expect(plan.format).to.equal('sms_stats-json');
    expect(plan.sessions.map(({ session, name, track }) => ({ session, name, track }))).to.deep.equal([
      { session: 'qualifying', name: 'qualifying1', track: '-438882031' },
      { session: 'race', name: 'race1', track: '-438882031' },
    ]);
    expect(plan.warnings).to.include('The session qualifying1 has laps, but no result in the file.');
    expect(planOf(utf8(JSON.stringify(SMS_STATS))).sessions).to.deep.equal(plan.sessions);
  });

  it('counts laps from 1, drops resets and doubled laps, and finds names by the id of the lobby', () => {
    expect(plan.sessions[1]?.laps).to.deep.equal([
      {
        driver: 'Ray Finch',
        driverId: '5001',
        car: '-1836',
        lap: 1,
        ms: 92_000,
        sectors: [31_000, 30_500, 30_500],
        valid: true,
      },
      {
        driver: 'Sol Brook',
        driverId: '5002',
        car: '802',
        lap: 1,
        ms: 93_000,
        sectors: [31_500, 31_000, 30_500],
        valid: false,
      },
      { driver: null, driverId: null, car: null, lap: 1, ms: 94_000, sectors: [null, 31_000, 30_500], valid: true },
    ]);
    expect(plan.warnings).to.include('A lap has no known driver (at stats.history[0].stages.race1.events[5]).');
  });

  it('orders the result by position, without rows that name nobody or repeat a driver without laps', () => {
    expect(plan.sessions[1]?.classification).to.deep.equal([
      { position: 1, driver: 'Ray Finch', laps: 2, bestMs: 92_000, totalMs: 250_000 },
      { position: 2, driver: 'Sol Brook', laps: 1, bestMs: null, totalMs: 250_000 },
    ]);
    expect(plan.warnings).to.include(
      'The session race1: rows of the result were left out: 1 without a name, 1 that repeat a driver without laps.',
    );
  });

  it('refuses a stage whose name has 10,000 letters', () => {
    const text = JSON.stringify(SMS_STATS).replace('"race1"', `"${'race'.repeat(2_500)}"`);
    expect(reasonOf(utf8(text))).to.equal('a key in stats.history[0].stages has 10000 letters; a name has 256 at most');
  });

  it('refuses text after the end that is no comment', () => {
    expect(reasonOf(utf8(`${JSON.stringify(SMS_STATS)}\n{}`))).to.match(/text after the end of the JSON, from line 1/);
  });
});
