import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CaptureRecords, encodeRecord } from '../../src/clients/bridge/capture.ts';
import { nameOfCapture } from '../../src/clients/bridge/replay-capture.ts';
import { useDirectories } from '../support/directories.ts';
import { captureBytes } from './captures.ts';

describe('captures', () => {
  const directories = useDirectories();

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

  it('are named after their beginning, of which alone is read', async () => {
    const directory = directories();
    const { signal } = new AbortController();
    const nameOf = async (file: string, bytes: Uint8Array): Promise<string> => {
      const path = join(directory, file);
      writeFileSync(path, bytes);
      return nameOfCapture(path, signal);
    };
    const records = Array.from({ length: 40 }, (_, at) => ({ at, payload: randomBytes(60_000) }));
    const whole = captureBytes(records);
    const name = await nameOf('whole.gz', whole);
    expect(name).to.match(/^[0-9a-f]{16}$/);
    expect(await nameOf('cut.gz', whole.subarray(0, whole.length / 2)), 'cut off').to.equal(name);
    // Whoever reads on fails.
    const damaged = Uint8Array.from(whole).fill(0xff, whole.length / 2);
    expect(await nameOf('damaged.gz', damaged), 'damaged later').to.equal(name);
    const other = captureBytes(records.slice(1));
    expect(await nameOf('other.gz', other), 'another capture').to.not.equal(name);
    const short = await nameOf('short.gz', captureBytes([{ at: 0, payload: Uint8Array.of(1) }]));
    expect(short).to.match(/^[0-9a-f]{16}$/);
  });
});
