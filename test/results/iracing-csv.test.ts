import { expect } from 'chai';
import { FILES, IRACING_CSV, latin1, utf8 } from './fixtures.ts';
import { onlySession, planOf, reasonOf } from './reading.ts';

describe('CSV exports of iRacing', () => {
  it('reads the result by the names of columns', () => {
    const plan = planOf(FILES['iracingCsv'] ?? new Uint8Array());
    expect(plan).to.include({ format: 'iracing-results-csv', encoding: 'utf-8' });
    expect(onlySession(plan)).to.deep.equal({
      session: 'race',
      name: null,
      track: 'Lime Rock Park - Grand Prix',
      layout: null,
      laps: [],
      classification: [
        { position: 1, driver: 'Gus Hale', laps: 18, bestMs: 91_208, totalMs: null },
        { position: 2, driver: 'Amy "AP" Pike', laps: 17, bestMs: null, totalMs: null },
      ],
    });
    expect(plan.warnings).to.deep.equal([
      'A CSV export of iRacing does not say which session it is of; it was read as the race.',
    ]);
  });

  it('has one row for a team, with its drivers', () => {
    const { classification } = onlySession(planOf(FILES['iracingTeamCsv'] ?? new Uint8Array()));
    expect(classification).to.deep.equal([
      { position: 1, driver: 'Team Heron', drivers: ['Gus Hale', 'Amy Pike'], laps: 40, bestMs: 90_000, totalMs: null },
    ]);
  });

  it('reads names in Windows-1252, and says so', () => {
    const plan = planOf(latin1(IRACING_CSV.replace('Gus Hale', 'Zo\u00EB \u0080')));
    expect(plan.encoding).to.equal('windows-1252');
    expect(onlySession(plan).classification[0]).to.include({ driver: 'Zoë €' });
    expect(plan.warnings[0]).to.match(
      /^The file is not UTF-8 \(see line 5, column \d+\); it was read as Windows-1252\.$/,
    );
  });

  it('names the row of a quote that is not closed, and of a name that is too long', () => {
    expect(reasonOf(utf8(`${IRACING_CSV}\r\n"3`))).to.match(/^the CSV is broken in row \d+: /);
    const long = IRACING_CSV.replace('Gus Hale', 'G'.repeat(10_000));
    expect(reasonOf(utf8(long))).to.equal('row 5 has 10000 letters in the column Name; a name has 256 at most');
  });
});
