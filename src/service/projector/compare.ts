import { isDeepStrictEqual } from 'node:util';
import { wrongBoards, type Difference } from '../../../projections/leaderboards/wrong-boards.ts';
import { builtInProjections, REPLACEABLE_FIELDS } from '../resources/built-in.ts';
import { deadLetters } from '../../kernel/projection/dead-letters.ts';
import { roughBytesOf } from '../../kernel/json.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import { collectionsOf } from '../../kernel/projection/projection-runner.ts';
import type { Document, ReadModels } from '../../kernel/ports/read-store.ts';

export type CompareResult = ReturnType<Findings['result']>;

export interface CompareOptions {
  readonly live: ReadModels;
  readonly replayed: ReadModels;
  /** Brings the replayed documents to the checkpoint of the live ones, and returns it; null when `signal` aborts. */
  readonly catchUp: () => Promise<Position | null>;
  /** Position of the newest event: no document can be past it. */
  readonly head: () => Promise<Position | null>;
  readonly signal: AbortSignal;
}

/** Most differences that are listed, and about how many bytes they take. */
const MAX_DIFFERENCES = 1_000;
const MAX_DIFFERENCES_BYTES = 16_777_216;

/** How often documents that the live side changed meanwhile are compared again. */
const MAX_RECHECKS = 10;

/**
 * Compares document by document; null when `signal` aborts. The live side keeps changing, the replayed side does not:
 * documents that have changed are compared again after the replayed side has caught up.
 */
export async function compare(options: CompareOptions): Promise<CompareResult | null> {
  const { live, head, signal } = options;
  const findings = createFindings((await live.count(deadLetters.collection, {})) === 0);
  let at = await options.catchUp();
  if (at === null || !(await compareLists(options, findings, at))) return null;
  for (let round = 0; round < MAX_RECHECKS && findings.toRecheck.length > 0 && !signal.aborted; round += 1) {
    at = await options.catchUp();
    if (at === null) return null;
    for (const key of findings.toRecheck.splice(0)) findings.add(await readPair(options, key), at);
  }
  if (signal.aborted) return null;
  const newest = (await head()) ?? 0;
  for (const key of findings.toRecheck.splice(0)) findings.addFinal(await readPair(options, key), at, newest);
  return findings.result();
}

/** Compares all collections; false when `signal` aborts. */
async function compareLists({ live, replayed, signal }: CompareOptions, findings: Findings, at: Position) {
  for (const { name: collection } of collectionsOf(builtInProjections)) {
    for await (const pair of pairById(live.stream(collection, BY_ID), replayed.stream(collection, BY_ID))) {
      if (signal.aborted) return false;
      findings.count();
      findings.add({ ...pair, collection }, at);
    }
  }
  for await (const wrong of wrongBoards(replayed)) findings.addDifference(wrong);
  return !signal.aborted;
}

async function readPair({ live, replayed }: CompareOptions, { collection, id }: DocumentKey): Promise<Difference> {
  return { collection, id, live: await live.get(collection, id), replayed: await replayed.get(collection, id) };
}

type DocumentKey = Pick<Difference, 'collection' | 'id'>;

type Findings = ReturnType<typeof createFindings>;

/**
 * Creates the findings of a comparison. Positions count only when it is `exact`, without dead letters: a retried event has
 * different positions on the two sides, and a document that several streams write to may have been created by a different
 * event. Nor does the use of keys count then: it was left out while a document was parked, until the next use.
 */
function createFindings(exact: boolean) {
  const comparable = (document: Document | null): object | null =>
    exact || document === null ? document : { ...withoutUse(document), _created: 0 };
  const isEqual = ({ live, replayed }: Difference): boolean =>
    isDeepStrictEqual(comparable(live), comparable(replayed));
  /** Documents that are newer on the live side, to be compared again. */
  const toRecheck: DocumentKey[] = [];
  const differences: Difference[] = [];
  let documents = 0;
  let different = 0;
  let unsettled = 0;
  /** About how many bytes the listed differences take. */
  let bytes = 0;
  /** Adds a pair that is certainly different. */
  function addDifference(pair: Difference): void {
    different += 1;
    if (differences.length >= MAX_DIFFERENCES || bytes >= MAX_DIFFERENCES_BYTES) return;
    differences.push(pair);
    bytes += roughBytesOf(pair.live) + roughBytesOf(pair.replayed);
  }
  return {
    toRecheck,
    addDifference,
    count(): void {
      documents += 1;
    },
    /** `differences` are the first of them; `unsettled` documents kept changing, and could not be compared. */
    result: () => ({ documents, different, differences, unsettled }),
    /** Adds a pair whose replayed document is as of a position. */
    add(pair: Difference, at: Position): void {
      const { collection, id, live } = pair;
      if (isEqual(pair)) return;
      if ((live?._position ?? 0) > at || differsInUseOnly(pair)) toRecheck.push({ collection, id });
      else addDifference(pair);
    },
    /**
     * Adds a pair after the last check, which went up to `at`. A pair that still differs is certainly wrong only if the
     * live document is past the newest event, or if only key usage differs and there was no event since.
     */
    addFinal(pair: Difference, at: Position, head: Position): void {
      if (isEqual(pair)) return;
      const isWrong = (pair.live?._position ?? 0) > head || (differsInUseOnly(pair) && at >= head);
      if (isWrong) addDifference(pair);
      else unsettled += 1;
    },
  };
}

/**
 * Whether two documents differ only in fields set by events that later ones replace: a live side that lags has seen an
 * event that is gone now, and its replacement is past the end of the replay.
 */
function differsInUseOnly({ live, replayed }: Difference): boolean {
  if (live === null || replayed === null) return false;
  return isDeepStrictEqual(withoutUse(live), withoutUse(replayed));
}

/** A document without what events set that later ones replace. */
function withoutUse(document: Document): object {
  const ignored = Object.fromEntries([...REPLACEABLE_FIELDS, '_position'].map((field) => [field, null]));
  return { ...document, ...ignored };
}

const BY_ID = { where: {}, isById: true } as const;

/** Joins two lists that are ordered by id. */
async function* pairById(
  live: AsyncIterable<readonly Document[]>,
  replayed: AsyncIterable<readonly Document[]>,
): AsyncGenerator<Omit<Difference, 'collection'>> {
  const left = documentsOf(live);
  const right = documentsOf(replayed);
  let one = await nextOf(left);
  let two = await nextOf(right);
  while (true) {
    const first = firstOf(one, two);
    if (first === null) return;
    const { id } = first;
    const pair = { id, live: one?.id === id ? one : null, replayed: two?.id === id ? two : null };
    yield pair;
    if (pair.live !== null) one = await nextOf(left);
    if (pair.replayed !== null) two = await nextOf(right);
  }
}

async function nextOf(documents: AsyncGenerator<Document, undefined>): Promise<Document | null> {
  return (await documents.next()).value ?? null;
}

/** The document with the smaller id, in the order of the stores: by code point. */
function firstOf(one: Document | null, two: Document | null): Document | null {
  if (one === null || two === null) return one ?? two;
  return Buffer.compare(Buffer.from(one.id), Buffer.from(two.id)) <= 0 ? one : two;
}

async function* documentsOf(batches: AsyncIterable<readonly Document[]>): AsyncGenerator<Document, undefined> {
  for await (const batch of batches) yield* batch;
  return undefined;
}
