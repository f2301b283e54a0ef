import { expect } from 'chai';
import { sharesOf } from '../support/performance/profile.ts';

/** A node of a profile. */
function node(id: number, [functionName, url]: readonly [string, string], children: readonly number[] = []) {
  return { id, callFrame: { functionName, url, lineNumber: 1 }, children };
}

describe('summary of CPU profiles', () => {
  it('says what each part took by itself, without idling and the start of the process', () => {
    const nodes = [
      node(1, ['(root)', ''], [2, 3, 4, 6]),
      node(2, ['(idle)', '']),
      node(3, ['handle', 'file:///app/dist/src/service/http/server.js'], [5]),
      node(4, ['compile', 'node:internal/modules/esm/utils'], [7]),
      node(5, ['get', 'file:///app/node_modules/@scope/lib/index.js']),
      node(6, ['writev', '']),
      node(7, ['createDocument', 'file:///app/dist/src/service/app/service.js']),
    ];
    const samples = [2, 3, 4, 5, 6, 7, 3];
    const shares = sharesOf(JSON.stringify({ nodes, samples, timeDeltas: [9, 3, 9, 2, 2, 9, 3] }));
    expect(shares).to.deep.equal([
      { part: 'src/service/http', share: 0.6 },
      { part: '@scope/lib', share: 0.2 },
      { part: 'writev', share: 0.2 },
    ]);
  });
});
