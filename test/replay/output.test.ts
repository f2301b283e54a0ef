import { expect } from 'chai';
import { csv } from '../../src/tools/replay/output.ts';

const META = { _created: 1, _position: 1, _revision: 0 };

describe('CSV of a replay', () => {
  it('holds no cell that a spreadsheet would run', async () => {
    async function* documents() {
      yield [{ ...META, id: 'a', name: '=1+1', ms: -5 }];
      yield [{ ...META, id: 'b', name: 'A-B = C', ms: 5, '=field': 0 }];
    }
    let text = '';
    for await (const piece of csv(documents)) text += piece.text;
    expect(text).to.equal("id,name,ms,'=field\r\na,'=1+1,-5,\r\nb,A-B = C,5,0\r\n");
  });
});
