import { expect } from 'chai';
import { csvHeader, csvDocument } from '../../src/tools/replay/output.ts';

const META = { _created: 1, _position: 1, _revision: 0 };

describe('CSV of a replay', () => {
  it('holds no cell that a spreadsheet would run', () => {
    const header = new Set(['id', 'name', 'ms', '=field']);
    expect(csvHeader(header)).to.equal("id,name,ms,'=field\r\n");
    for (const name of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']) {
      const line = csvDocument({ ...META, id: 'a', name, ms: -5 }, header);
      expect(line.replaceAll('"', '')).to.equal(`a,'${name},-5,\r\n`);
    }
    expect(csvDocument({ ...META, id: 'a', name: 'A-B = C', ms: 5 }, header)).to.equal('a,A-B = C,5,\r\n');
  });
});
