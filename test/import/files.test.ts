import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { filesIn } from '../../src/clients/import/files.ts';
import { UnreadableSource } from '../../src/clients/import/unreadable-source.ts';
import { useWorld } from '../support/processes/world.ts';
import { zipOf, type ZipEntry } from '../support/zip.ts';

const MAX_FILE_BYTES = 100_000;

describe('files of an import', () => {
  const world = useWorld();

  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
  const found = async (...paths: readonly string[]): Promise<readonly (readonly [string, string])[]> => {
    const files: (readonly [string, string])[] = [];
    for await (const { path, bytes } of filesIn(paths, MAX_FILE_BYTES)) {
      files.push([path.slice(world.dataDir.length), Buffer.from(bytes).toString()]);
    }
    return files;
  };
  const reasonOf = async (path: string): Promise<string> => {
    try {
      await found(path);
    } catch (error) {
      if (error instanceof UnreadableSource) return error.message;
      throw error;
    }
    return expect.fail(`${path} was read`);
  };
  const archive = async (entries: readonly ZipEntry[]): Promise<string> => {
    await mkdir(world.dataDir, { recursive: true });
    const path = join(world.dataDir, 'results.zip');
    await writeFile(path, zipOf(entries));
    return path;
  };

  it('are those that are named, those in folders, and those in archives, in the order of their paths', async () => {
    await mkdir(join(world.dataDir, 'season/may'), { recursive: true });
    await writeFile(join(world.dataDir, 'season/may/b.json'), 'b');
    await writeFile(join(world.dataDir, 'season/a.json'), 'a');
    const zip = [
      { name: 'deep/c.json', bytes: bytesOf('c') },
      { name: '__MACOSX/._c.json', bytes: bytesOf('no') },
    ];
    await writeFile(join(world.dataDir, 'season/z.json'), zipOf(zip));
    expect(await found(join(world.dataDir, 'season'))).to.deep.equal([
      ['/season/a.json', 'a'],
      ['/season/may/b.json', 'b'],
      ['/season/z.json:deep/c.json', 'c'],
    ]);
  });

  it('are refused where an archive hides how large they are', async () => {
    const bomb = new Uint8Array(50_000_000);
    expect(await reasonOf(await archive([{ name: 'a', bytes: bomb }]))).to.include('50000000 bytes; at most 100000');
    const lie = await reasonOf(await archive([{ name: 'a', bytes: bomb, saysBytes: 1_000 }]));
    expect(lie).to.match(/results\.zip:a cannot be read: it has more than the 1000 bytes that the archive says/);
  });

  it('are refused where an archive is broken, leads out of its folder, or has too many', async () => {
    const path = await archive([{ name: '../up.json', bytes: bytesOf('x') }]);
    expect(await reasonOf(path)).to.include('results.zip cannot be read: invalid relative path');
    await writeFile(path, zipOf([{ name: 'a', bytes: bytesOf('x') }]).subarray(0, 40));
    expect(await reasonOf(path)).to.include('results.zip cannot be read:');
    const many = Array.from({ length: 1_001 }, (_, index) => ({ name: `${index}`, bytes: bytesOf('x') }));
    expect(await reasonOf(await archive(many))).to.include('there are more than 1000 files');
    expect(await reasonOf(join(world.dataDir, 'missing'))).to.include('ENOENT');
  });
});
