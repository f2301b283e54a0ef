import { expect } from 'chai';
import { ceilings } from './ceilings.ts';
import { measureWays, type Way, type WayName } from './way.ts';

describe('the way of a request', () => {
  it('runs through no more of our own code than it did', async () => {
    const ways = await measureWays();
    const longer = Object.entries(ways).flatMap(([name, way]) =>
      (['files', 'functions', 'calls'] as const satisfies readonly (keyof Way)[]).flatMap((count) => {
        // Each of the names.
        const ceiling = ceilings[name as WayName][count];
        return way[count] > ceiling ? [`${name}: ${way[count]} ${count}, at most ${ceiling}`] : [];
      }),
    );
    expect(longer, 'npm run way -- --files shows where; a ceiling is raised only for what users gain').to.deep.equal(
      [],
    );
  });
});
