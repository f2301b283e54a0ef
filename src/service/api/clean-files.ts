import { fileDecider, isFilePath } from '../../../commands/files.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import { hasAsset, type Assets } from '../../kernel/ports/assets.ts';
import { pause, type Clock, type Ids } from '../../kernel/ports/system.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { Logger } from '../observability/log.ts';
import { createOutageLog } from '../observability/outage-log.ts';
import {
  DAY_MS,
  fileIdOf,
  noteAsset,
  noteKeyOf,
  ownContentPrefix,
  parseSetAsideKey,
  SET_ASIDE_DAYS,
  setAsideKeyOf,
} from './file-bytes.ts';

/** Time, in ms, for which bytes may be there without their event: far longer than any upload takes. */
const MAX_UPLOAD_MS = DAY_MS;

/** Interval, in ms, at which bytes of uploads that came to nothing are looked for, and after how many where a store failed. */
const CLEAN_EVERY_MS = DAY_MS;
const CLEAN_RETRY_MS = 60_000;

interface CleanFilesOptions {
  readonly assets: Assets;
  readonly aggregates: Aggregates;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'derived'>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Sets aside what killed uploads left in the store of files, and removes it later: at the start, and once a day. */
export async function cleanFiles(options: CleanFilesOptions): Promise<void> {
  const { clock, log, signal } = options;
  const outage = createOutageLog(log, 'The search for bytes of no file');
  while (!signal.aborted) {
    try {
      await setAsideLeftovers(options);
      outage.recovered();
      await pause(clock, CLEAN_EVERY_MS, signal);
    } catch (error) {
      outage.failed(error);
      await pause(clock, CLEAN_RETRY_MS, signal);
    }
  }
}

/**
 * Sets aside bytes that are no file (any more): of uploads that were killed before their event, or after it. Bytes of
 * other histories, of events that this one may get back, and what is no file of ours, stay.
 */
async function setAsideLeftovers(options: CleanFilesOptions): Promise<void> {
  const { assets, clock, log, signal } = options;
  const own = await ownContentPrefix(options.aggregates);
  const notes = await clearSetAside(own, options);
  let missing = 0;
  for await (const { key, storedAt } of assets.list('')) {
    if (signal.aborted) return;
    const use = await useOf(key, own, options);
    if (use === 'file' && key.startsWith(own) && !notes.has(noteKeyOf(key))) await assets.put(noteAsset(key));
    if (use !== 'left' || storedAt > clock.now() - MAX_UPLOAD_MS) continue;
    if (notes.has(noteKeyOf(key)) && !(await isReplaced(key, own, options))) {
      missing += 1;
      continue;
    }
    await assets.move(key, setAsideKeyOf(key, clock.now()));
    await assets.remove(noteKeyOf(key));
    log.info({ key }, 'Bytes of no file are set aside and will be removed in seven days');
  }
  if (missing > 0)
    log.warn(
      { count: missing },
      'The store of files holds uploads that are missing in the events; their bytes are kept',
    );
}

/**
 * Looks at what was set aside: what the events name again is moved back, what was there long enough is removed. Resolves
 * to the keys of all notes of the own history.
 */
async function clearSetAside(own: string, options: CleanFilesOptions): Promise<ReadonlySet<string>> {
  const { assets, clock, log, signal } = options;
  const notes = new Set<string>();
  const ownNotes = noteKeyOf(own);
  for await (const { key: found } of assets.list('')) {
    if (signal.aborted) break;
    if (found.startsWith(ownNotes)) notes.add(found);
    const setAside = parseSetAsideKey(found);
    if (setAside === null) continue;
    const { key, since } = setAside;
    // The store of files may have those of other histories, too, which only their own services judge.
    const use = await useOf(key, own, options);
    if (use === 'file' && !(await hasAsset(assets, key))) {
      await assets.move(found, key);
      log.info({ key }, 'The bytes of a file that were set aside are back: the events name them again');
    } else if (use !== 'foreign' && since + (SET_ASIDE_DAYS + 1) * DAY_MS <= clock.now()) {
      await assets.remove(found);
      log.info({ key }, 'Bytes of no file that were set aside seven days ago are removed');
    }
  }
  return notes;
}

/** The relation of bytes to the events: of a current file, of no file (any more), or of another history. */
async function useOf(
  key: string,
  own: string,
  { aggregates, ids }: Pick<CleanFilesOptions, 'aggregates' | 'ids'>,
): Promise<'file' | 'left' | 'foreign'> {
  if (key.startsWith(own)) {
    const [id = ''] = key.slice(own.length).split('/');
    const { state } = await aggregates.load(fileDecider, streamOf(fileDecider.category, id));
    return state?._content === key ? 'file' : 'left';
  }
  const [type = '', ...rest] = key.split('/');
  const path = { type, name: rest.join('/') };
  if (!isFilePath(path)) return 'foreign';
  const { state } = await aggregates.load(fileDecider, streamOf(fileDecider.category, fileIdOf(ids, path)));
  return state === null ? 'file' : 'left';
}

/** Whether an event of the history tells of these bytes, which is not the newest one of the file. */
async function isReplaced(
  key: string,
  own: string,
  { aggregates }: Pick<CleanFilesOptions, 'aggregates'>,
): Promise<boolean> {
  const [id = ''] = key.slice(own.length).split('/');
  for await (const batch of aggregates.read(streamOf(fileDecider.category, id))) {
    if (batch.some(({ data }) => data['content'] === key)) return true;
  }
  return false;
}
