import type { ImportRig } from './import-rig.ts';

/** An import whose laps the service has. */
export interface PastImport {
  readonly importId: string;
  /** When its last lap was recorded, ISO 8601. */
  readonly recordedAt: string;
  readonly eventId: string;
  readonly eventName: string;
  /** Laps that were found so far. */
  readonly laps: number;
  /** Those of them that count. */
  readonly counting: number;
}

/** The newest imports of a licence. */
export interface PastImports {
  readonly imports: readonly PastImport[];
  /** Whether the rig has more laps: then the last import may have more of them, and others may be behind it. */
  readonly hasMore: boolean;
}

/**
 * The newest imports, found from the laps of their rig: the service keeps no list of them.
 * @param pages how many pages of laps are read at most
 * @throws {Refused}
 */
export async function pastImports(rig: ImportRig, pages: number): Promise<PastImports> {
  const found = new Map<string, PastImport>();
  let hasMore = rig.id !== null;
  for (let page = 0; page < pages && hasMore; page += 1) {
    const read = await rig.newestLaps(page);
    for (const { sequence, createdAt, eventId, eventName, valid } of read.laps) {
      if (sequence === null) continue;
      const importId = sequence.boot;
      const known = found.get(importId);
      found.set(importId, {
        importId,
        recordedAt: known?.recordedAt ?? createdAt,
        eventId: known?.eventId ?? eventId,
        eventName: known?.eventName ?? eventName,
        laps: (known?.laps ?? 0) + 1,
        counting: (known?.counting ?? 0) + (valid ? 1 : 0),
      });
    }
    hasMore = read.hasMore;
  }
  return { imports: [...found.values()], hasMore };
}
