import { expect } from 'chai';
import { ceilings } from './ceilings.ts';
import { exceeded, measureWays, type WayName } from './way.ts';

describe('the way of a request', () => {
  it('runs through no more of our own code than it did', async () => {
    const ways = await measureWays(ceilings);
    const longer = Object.entries(ways).flatMap(([name, way]) => {
      // Each of the names.
      const ceiling = ceilings[name as WayName];
      const files = way.byFile.map(({ file, functions, calls }) => `${file} ${functions} ${calls}`).join(', ');
      return exceeded(way, ceiling).map((n) => `${name}: ${way[n]} ${n}, at most ${ceiling[n]}: ${files}`);
    });
    expect(longer, 'npm run way -- --files shows where; a ceiling is raised only for what users gain').to.deep.equal(
      [],
    );
  });
});
