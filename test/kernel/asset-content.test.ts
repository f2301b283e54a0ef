import { expect } from 'chai';
import { assetContent } from '../../src/kernel/ports/assets.ts';

describe('the content of an asset', () => {
  /** Content of two pieces, then the end or an error, and how often it was closed. */
  function content(failure?: Error) {
    const pieces = [new Uint8Array([1]), new Uint8Array([2])];
    const file = { closed: 0 };
    const read = async (): Promise<Uint8Array | null> => {
      const piece = pieces.shift() ?? null;
      if (piece === null && failure !== undefined) throw failure;
      return piece;
    };
    return { file, read: assetContent(read, () => void (file.closed += 1)) };
  }

  it('yields all pieces, and is closed once at its end', async () => {
    const { file, read } = content();
    const pieces: number[] = [];
    for await (const piece of read) pieces.push(...piece);
    await read.return();
    expect({ pieces, ...file }).to.deep.equal({ pieces: [1, 2], closed: 1 });
  });

  it('is closed when its reader stops, also before the first piece', async () => {
    for (const steps of [0, 1, 2]) {
      const { file, read } = content();
      for (let step = 0; step < steps; step += 1) await read.next();
      expect(file.closed).to.equal(0);
      await read.return();
      expect(file.closed, `after ${steps} pieces`).to.equal(1);
      expect(await read.next()).to.deep.equal({ done: true, value: undefined });
    }
  });

  it('is closed when it cannot be read, and the error says why', async () => {
    const failure = new Error('gone');
    const { file, read } = content(failure);
    await read.next();
    await read.next();
    expect(await read.next().catch((error: unknown) => error)).to.equal(failure);
    expect(file.closed).to.equal(1);
  });
});
