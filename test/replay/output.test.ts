import { expect } from 'chai';
import { csvHeader, csvDocument } from '../../src/tools/replay/output.ts';

const META = { _created: 1, _position: 1, _revision: 0 };

describe('CSV of a replay', () => {
  it('holds no cell that a spreadsheet would run', () => {
    const header = new Set(['id', 'name', 'ms', '=field']);
    expect(csvHeader(header)).to.equal("id,name,ms,'=field\r\n");
    expect(csvDocument({ ...META, id: 'a', name: '=1+1', ms: -5 }, header)).to.equal("a,'=1+1,-5,\r\n");
    expect(csvDocument({ ...META, id: 'a', name: 'A-B = C', ms: 5 }, header)).to.equal('a,A-B = C,5,\r\n');
  });
});
