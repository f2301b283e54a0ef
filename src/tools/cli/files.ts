import { fileDecider, type File } from '../../../commands/files.ts';
import { fileKeyOf } from '../../domain/file-path.ts';
import { sha256Of } from '../../service/stores/sha256.ts';
import { categoryOf } from '../../kernel/stream-names.ts';
import type { Assets } from '../../kernel/ports/assets.ts';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import { openAssets } from '../../service/stores/assets.ts';
import { checkEventsIn, withStoreAt } from '../../service/stores/stores.ts';

/** What a check of a whole history found: of its pages and events, and of the uploaded files that these name. */
export type CheckedHistory = Awaited<ReturnType<typeof checkHistory>>;

/** Checks an embedded store, and the bytes of every file that it names: in the bucket, else at its location. */
export async function checkHistory(location: { readonly dataDir: string }, config: Parameters<typeof openAssets>[0]) {
  const files = new Set<string>();
  const checked = await checkEventsIn({ ...config, ...location }, ({ stream }) => {
    if (categoryOf(stream) === fileDecider.category) files.add(stream);
  });
  /** Files without the bytes that the events name, a line each: `LOGO/a.png is missing`. Empty if events are damaged. */
  const faults: string[] = [];
  if (files.size === 0 || checked.damage.length > 0) return { ...checked, faults };
  const assets = await openAssets({ ...config, ...location });
  await withStoreAt(location, config.storeTimeoutMs, async (store) => {
    for (const stream of files) faults.push(...(await faultsOfFile(store, assets, stream)));
  });
  return { ...checked, faults };
}

/** What is wrong with a file, if anything. One that was replaced meanwhile is looked at again. */
async function faultsOfFile(store: EventStore, assets: Assets, stream: string): Promise<readonly string[]> {
  let before = '';
  while (true) {
    const newest = await store.readNewest(stream);
    const file = newest === null ? null : fileDecider.replay(null, newest);
    if (file === null) return [];
    const fault = await faultOfBytes(assets, file);
    if (fault === null) return [];
    if (file._content === before) return [`${fileKeyOf(file)} ${fault}`];
    before = file._content;
  }
}

async function faultOfBytes(assets: Assets, { _content, sha256 }: File): Promise<string | null> {
  const asset = await assets.get(_content);
  if (asset === null) return 'is missing';
  return (await sha256Of(asset.content)) === sha256 ? null : 'is damaged';
}
