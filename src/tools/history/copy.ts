import type { Position } from '../../kernel/ports/event-store.ts';
import { copyAfter, type CopiedEvents, type CopyAfterOptions } from './append.ts';
import { compareHistories, CopyRefused, NOTHING_IN_COMMON, type CommonHistory } from './compare.ts';

/** Phase of a copy: comparing what the target holds already, copying what it lacks, checking what was copied. */
export type CopyPhase = 'compare' | 'copy' | 'check';

export interface CopyProgress {
  readonly phase: CopyPhase;
  /** Events compared, copied or checked in this phase. */
  readonly events: number;
  /** Part of the phase that is done, from 0 to 1: an estimate from positions. */
  readonly share: number;
}

export interface CopyOptions extends CopyAfterOptions {
  readonly onProgress: (progress: CopyProgress) => void;
}

export interface CopyResult {
  /** False when it was interrupted: the next run resumes it. */
  readonly complete: boolean;
  /** Events that the target held already, and events copied by this run. */
  readonly there: number;
  readonly copied: number;
  /** Events and streams that the final check found in the target; null without one (`complete` is false). */
  readonly checked: { readonly events: number; readonly streams: number } | null;
  /** Whether events were written to the source during the final check. */
  readonly behind: boolean;
}

/**
 * Makes the target a copy of the source: compares what it holds, copies the rest until the source has no more, and
 * compares that too. The target's events must be the first of the source's, in the same order, so a copy that was
 * interrupted at any point resumes, and a store that holds anything else is refused.
 * @throws {CopyRefused} when the target holds something that the source does not.
 * @throws {StoreUnavailable}
 */
export async function copyHistory(options: CopyOptions): Promise<CopyResult> {
  const isStopped = (): boolean => options.signal.aborted;
  const start = await runComparePhase(options, 'compare', NOTHING_IN_COMMON);
  let result: CopyResult = { complete: false, there: sizeOf(start), copied: 0, checked: null, behind: false };
  if (isStopped()) return result;
  const copied = await runCopyPhase(options, start);
  result = { ...result, copied: copied.events };
  if (isStopped()) return result;
  const end = await runComparePhase(options, 'check', start);
  if (isStopped()) return result;
  const events = start.events + copied.events - copied.newestOnly;
  await expectComplete(options, end, { events, upTo: copied.upTo });
  const checked = { events: sizeOf(end), streams: end.streams + end.newestIds.size };
  return { ...result, complete: true, checked, behind: await hasMore(options, copied.upTo) };
}

function sizeOf({ events, newestIds }: CommonHistory): number {
  return events + newestIds.size;
}

/** The common beginning; a part of it when the signal aborts. */
async function runComparePhase(options: CopyOptions, phase: CopyPhase, from: CommonHistory): Promise<CommonHistory> {
  const head = await options.target.head();
  let common = from;
  for await (common of compareHistories(options, from)) {
    const share = shareOf(common.target, from.target, head);
    options.onProgress({ phase, events: sizeOf(common) - sizeOf(from), share });
    if (options.signal.aborted) break;
  }
  return common;
}

async function runCopyPhase(options: CopyOptions, common: CommonHistory): Promise<CopiedEvents> {
  const { source, onProgress } = options;
  let head = await source.head();
  let copied: CopiedEvents = { events: 0, newestOnly: 0, upTo: common.source };
  for await (copied of copyAfter(options, common)) {
    // The source may have grown since.
    if ((copied.upTo ?? 0) > (head ?? 0)) head = await source.head();
    const share = shareOf(copied.upTo, common.source, head);
    onProgress({ phase: 'copy', events: copied.events, share });
  }
  return copied;
}

function shareOf(at: Position | null, from: Position | null, to: Position | null): number {
  const whole = (to ?? 0) - (from ?? 0);
  return whole <= 0 ? 1 : Math.min(1, ((at ?? 0) - (from ?? 0)) / whole);
}

/** Checks the number of events, and that streams that keep only their newest event have the one of the source. */
async function expectComplete(
  { source }: CopyOptions,
  { events, newestIds }: CommonHistory,
  expected: { readonly events: number; readonly upTo: Position | null },
): Promise<void> {
  if (events < expected.events)
    throw new CopyRefused(`the target holds ${events} events instead of ${expected.events}`);
  for (const [stream, id] of newestIds) {
    const newest = await source.readNewest(stream);
    const isNewer = newest !== null && newest.position > (expected.upTo ?? 0);
    if (newest?.id !== id && !isNewer) {
      throw new CopyRefused(`the target holds event ${id} in stream ${stream}, where the source has another or none`);
    }
  }
}

async function hasMore({ source }: CopyOptions, after: Position | null): Promise<boolean> {
  for await (const _ of source.readAll(after)) return true;
  return false;
}
