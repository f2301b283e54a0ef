import { once } from 'node:events';
import { readdirSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { openFilesystemAssets } from '../../infra/filesystem/assets.ts';
import { chunks } from '../support/assets/content.ts';
import { useDirectories } from '../support/directories.ts';
import { filesBelow } from '../support/processes/memory.ts';
import { forkScript } from '../support/processes/script.ts';
import { assetsContract } from './assets.ts';

const home = useDirectories()();

assetsContract({ name: 'filesystem', open: () => openFilesystemAssets(join(home, 'contract')) });

describe('assets on the filesystem', () => {
  it('shows no file that a killed process left half-written, and removes it', async () => {
    const directory = join(home, 'killed');
    const child = forkScript('assets/assets-writer', [directory]);
    await once(child, 'message');
    expect(readdirSync(join(directory, 'incoming'))).to.have.length(1);
    const beside = await openFilesystemAssets(directory);
    expect(readdirSync(join(directory, 'incoming')), 'of a process that lives').to.have.length(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await beside.get('LOGO/a')).to.equal(null);
    await openFilesystemAssets(directory);
    expect(readdirSync(join(directory, 'incoming')), 'its death is not known yet').to.have.length(1);
    const longAgo = new Date(Date.now() - 3_600_000);
    for (const name of readdirSync(join(directory, 'incoming'))) {
      utimesSync(join(directory, 'incoming', name), longAgo, longAgo);
    }
    await openFilesystemAssets(directory);
    expect(readdirSync(join(directory, 'incoming'))).to.deep.equal([]);
    expect(readdirSync(directory)).to.deep.equal(['incoming']);
  });

  it('maps no key to a path outside its directory', async () => {
    const directory = join(home, 'keys');
    const assets = await openFilesystemAssets(directory);
    await assets.put({ key: '../../../escaped', contentType: 'a/b', ...chunks('x') });
    expect(
      filesBelow(directory)
        .map((path) => basename(path))
        .join(),
    ).to.match(/^[0-9a-f]{64}$/);
  });
});
