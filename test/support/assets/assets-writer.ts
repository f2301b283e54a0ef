import { openFilesystemAssets } from '../../../infra/filesystem/assets.ts';

/**
 * A process of its own that begins to put an asset, says `half` to its parent, and never comes to the end.
 * Usage: `assets-writer <directory>`.
 */
async function main(directory: string): Promise<void> {
  const assets = await openFilesystemAssets(directory);
  await assets.put({ key: 'LOGO/a', contentType: 'image/png', size: 200_000, content: endless() });
}

async function* endless(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(100_000);
  process.send?.('half');
  await new Promise((resolve) => process.once('disconnect', resolve));
}

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: assets-writer <directory>');
await main(directory);
