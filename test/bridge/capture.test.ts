import { expect } from 'chai';
import { CaptureRecords, encodeRecord } from '../../src/clients/bridge/capture.ts';

describe('captures', () => {
  it('give back the records that were written, however their pieces are split', () => {
    const records = [
      { at: 0, payload: Uint8Array.of(1, 2, 3) },
      { at: 70_000, payload: new Uint8Array(0) },
      { at: 4_294_967_295, payload: new Uint8Array(65_535).fill(7) },
    ];
    const bytes = Buffer.concat(records.map(encodeRecord));
    for (const size of [1, 5, 6, 7, 1_000, bytes.length]) {
      const reader = new CaptureRecords();
      const read = [];
      for (let at = 0; at < bytes.length; at += size) read.push(...reader.push(bytes.subarray(at, at + size)));
      expect(read.map(({ at, payload }) => ({ at, payload: Buffer.from(payload).toString('hex') }))).to.deep.equal(
        records.map(({ at, payload }) => ({ at, payload: Buffer.from(payload).toString('hex') })),
      );
      expect(reader.remaining).to.equal(0);
    }
  });

  it('keep what is not complete', () => {
    const reader = new CaptureRecords();
    expect(reader.push(encodeRecord({ at: 1, payload: Uint8Array.of(1, 2, 3) }).subarray(0, 8))).to.deep.equal([]);
    expect(reader.remaining).to.equal(8);
  });
});
