import { expect } from 'chai';
import { CatchUp } from '../../src/service/projector/catch-up.ts';

describe('the way of a projection to the head', () => {
  it('is told in percent and seconds, from where it began, as the head moves on', () => {
    const catchUp = new CatchUp();
    const at = (checkpoint: number | null, head: number | null, now: number) =>
      catchUp.progress({ checkpoint, head, now });
    expect(at(1_000, 5_000, 10_000)).to.deep.equal({ percent: 0, readyInSeconds: null });
    expect(at(2_000, 5_000, 12_000)).to.deep.equal({ percent: 25, readyInSeconds: 6 });
    expect(at(3_000, 9_000, 14_000)).to.deep.equal({ percent: 25, readyInSeconds: 12 });
    expect(at(9_000, 9_000, 20_000)).to.deep.equal({ percent: 100, readyInSeconds: 0 });
    catchUp.end();
    expect(at(9_000, 10_000, 30_000)).to.deep.equal({ percent: 0, readyInSeconds: null });
  });

  it('is at its end where there is nothing', () => {
    expect(new CatchUp().progress({ checkpoint: null, head: null, now: 0 })).to.deep.equal({
      percent: 100,
      readyInSeconds: 0,
    });
  });
});
