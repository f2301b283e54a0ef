import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openFilesystemAssets } from '../../infra/filesystem/assets.ts';
import { move, moveBlocking, replaceOpenFile, sync, syncBlocking } from '../../infra/system/disk.ts';
import { readIfThere, replaceFile } from '../../src/clients/delivery/durable-file.ts';
import { LapQueue } from '../../src/clients/delivery/lap-queue.ts';
import { createTable } from '../../src/tools/export/table.ts';
import { createPartFile } from '../../src/tools/replay/part-file.ts';
import { chunks } from '../support/assets/content.ts';
import { useDirectories } from '../support/directories.ts';

const newDirectory = useDirectories();

/** These run on Windows too (`npm run test:windows`), where a directory cannot be synced, nor a file opened for reading. */
describe('files on every system', () => {
  it('are synced, and so are directories', async () => {
    const directory = newDirectory();
    const file = join(directory, 'file');
    writeFileSync(file, 'content');
    for (const path of [file, directory]) {
      await sync(path);
      syncBlocking(path);
    }
    const missing = join(directory, 'missing');
    await sync(missing).then(
      () => expect.fail('a missing file was synced'),
      (error: unknown) => expect(error).to.have.property('code', 'ENOENT'),
    );
    expect(() => syncBlocking(missing)).to.throw('ENOENT');
    expect(readFileSync(file, 'utf8')).to.equal('content');
  });

  it('can be replaced while a reader continues with the previous bytes', async () => {
    const directory = newDirectory();
    const draft = join(directory, 'draft');
    const file = join(directory, 'file');
    writeFileSync(file, 'old');
    writeFileSync(draft, 'new');
    const reader = openSync(file, 'r');
    const bytes = Buffer.alloc('old'.length);
    await replaceOpenFile(draft, file);
    readSync(reader, bytes, 0, bytes.length, 0);
    closeSync(reader);
    expect([bytes.toString(), readFileSync(file, 'utf8')]).to.deep.equal(['old', 'new']);
    expect(readdirSync(directory)).to.deep.equal(['file']);
  });

  it('can be renamed, as can directories, and a missing one is an error at once', async () => {
    const directory = newDirectory();
    mkdirSync(join(directory, 'a'));
    await move(join(directory, 'a'), join(directory, 'b'));
    moveBlocking(join(directory, 'b'), join(directory, 'c'));
    expect(readdirSync(directory)).to.deep.equal(['c']);
    expect(() => moveBlocking(join(directory, 'a'), join(directory, 'b'))).to.throw('ENOENT');
  });

  it('hold the laps of the rig, what exports and replays write, and uploads that are replaced while they are sent', async () => {
    const directory = newDirectory();
    replaceFile(join(directory, 'rig.json'), '1');
    replaceFile(join(directory, 'rig.json'), '2');
    expect(readIfThere(join(directory, 'rig.json'))).to.equal('2');
    const queue = new LapQueue(directory);
    queue.putAside([{ reason: 'a test' }]);
    queue.settle([]);
    expect(new LapQueue(directory).waiting).to.equal(0);

    const part = createPartFile(join(directory, 'laps.csv'));
    part.write('id\n');
    part.end();
    part.publish();
    const table = createTable('csv', [], () => join(directory, 'export', 'laps.csv'));
    table.open(join(directory, 'export', 'laps.csv'));
    table.finish();
    expect(table.publish()).to.have.length(1);
    expect(existsSync(join(directory, 'export', 'laps.csv'))).to.equal(true);

    const assets = await openFilesystemAssets(join(directory, 'assets'));
    const put = (text: string) => assets.put({ key: 'LOGO/a', contentType: 'text/plain', ...chunks(text) });
    await put('old');
    const stored = await assets.get('LOGO/a');
    await put('new');
    const textOf = async (content: AsyncIterable<Uint8Array> | undefined): Promise<string> => {
      let text = '';
      for await (const chunk of content ?? []) text += Buffer.from(chunk).toString();
      return text;
    };
    expect(await textOf(stored?.content)).to.equal('old');
    expect(await textOf((await assets.get('LOGO/a'))?.content)).to.equal('new');
  });
});
