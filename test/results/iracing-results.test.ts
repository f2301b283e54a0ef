import { expect } from 'chai';
import { FILES } from './fixtures.ts';
import { onlySession, planOf } from './reading.ts';

describe('result files of iRacing (JSON)', () => {
  it('reads results in the order of the file, times in 1/10000 s rounded half up, and no laps', () => {
    const plan = planOf(FILES['iracingEvent'] ?? new Uint8Array());
    expect(plan.format).to.equal('iracing-event-result-json');
    const head = { track: 'Lime Rock Park', layout: 'Grand Prix', laps: [] };
    expect(plan.sessions).to.deep.equal([
      {
        session: 'race',
        name: 'RACE',
        ...head,
        classification: [
          { position: 1, driver: 'Amy Pike', laps: 5, bestMs: 129_621, totalMs: null },
          { position: 2, driver: 'Gus Hale', laps: 5, bestMs: null, totalMs: null },
        ],
      },
      {
        session: 'qualifying',
        name: 'QUALIFY',
        ...head,
        classification: [{ position: 1, driver: 'Amy Pike', laps: 5, bestMs: 129_620, totalMs: null }],
      },
    ]);
    expect(plan.warnings).to.deep.equal([]);
  });

  it('reads the export of the member site, with one row for a team', () => {
    const { layout, classification } = onlySession(planOf(FILES['iracingTeams'] ?? new Uint8Array()));
    expect(layout).to.equal(null);
    expect(classification).to.deep.equal([
      { position: 1, driver: 'Team Heron', drivers: ['Gus Hale', 'Amy Pike'], laps: 40, bestMs: 90_000, totalMs: null },
    ]);
  });
});
