import { factsOf, laps, type LapDocument, type LapFacts } from '../laps.ts';
import { lapEvents } from '../../commands/laps.ts';
import type { DataOf } from '../../src/kernel/event-types.ts';
import type { DocumentMeta } from '../../src/kernel/ports/read-store.ts';
import type { Revision } from '../../src/kernel/ports/event-store.ts';
import { projection, readModel, type Lookup, type Project } from '../../src/kernel/projection/projection.ts';

/**
 * A lap after one of its events (`<lapId>:<revision>`), except the first, whose values are in the document of the lap.
 * It is written once, so the document of a lap does not grow, however often the lap is changed.
 */
export type LapVersionDocument = DocumentMeta &
  LapFacts & {
    /** When the event happened, ISO 8601; never before the one that it follows. */
    readonly at: string;
    readonly cause: LapChangeType;
  };

/** The types of the events that change a lap. */
export type LapChangeType = Exclude<keyof typeof lapEvents, 'LapRecorded'>;

export const lapVersions = readModel<LapVersionDocument>('lapVersions', {
  category: 'lapVersion',
  version: 2,
  indexes: [],
});

type FactsChange<K extends keyof typeof lapEvents> = (data: DataOf<(typeof lapEvents)[K]>) => Partial<LapFacts>;

/** The facts that each event of a lap changes. */
export const lapChanges: { readonly [K in LapChangeType]: FactsChange<K> } = {
  LapCorrected: ({ sectors, totalTime }) => ({ sectors, totalTime }),
  LapValidated: () => ({ valid: true }),
  LapInvalidated: () => ({ valid: false }),
  LapReassigned: ({ to }) => ({ participantId: to }),
  LapMovedToRig: ({ to }) => ({ rigId: to }),
  LapMovedToEvent: ({ to }) => ({ eventId: to }),
  LapCarCorrected: ({ to }) => ({ car: to }),
  LapTrackCorrected: ({ to }) => ({ trackId: to }),
  LapDrivenAtCorrected: ({ to }) => ({ drivenAt: to }),
};

export const lapVersionsProjection = projection(
  lapVersions,
  { own: {}, others: lapEvents },
  {
    LapCorrected: versionBy('LapCorrected'),
    LapValidated: versionBy('LapValidated'),
    LapInvalidated: versionBy('LapInvalidated'),
    LapReassigned: versionBy('LapReassigned'),
    LapMovedToRig: versionBy('LapMovedToRig'),
    LapMovedToEvent: versionBy('LapMovedToEvent'),
    LapCarCorrected: versionBy('LapCarCorrected'),
    LapTrackCorrected: versionBy('LapTrackCorrected'),
    LapDrivenAtCorrected: versionBy('LapDrivenAtCorrected'),
  },
);

function versionBy<K extends LapChangeType>(cause: K): Project<DataOf<(typeof lapEvents)[K]>> {
  const changesOf: FactsChange<K> = lapChanges[cause];
  return async ({ data, id, at, recorded: { revision } }, lookup) => {
    const before = await lapBefore(lookup, id, revision);
    if (before === null) return null;
    return lapVersions.insert(versionId(id, revision), { ...before, ...changesOf(data), at, cause });
  };
}

/** The facts of a lap just before its event of this revision, however far ahead of that event its document is. */
export async function lapBefore(lookup: Lookup, id: string, revision: Revision): Promise<LapFacts | null> {
  const version = await versionAt(lookup, id, revision - 1);
  if (version !== null) return factsOf(version);
  const lap = await lookup(laps, id);
  return lap === null ? null : recordedAs(lap);
}

export function recordedAs(lap: LapDocument): LapFacts {
  return lap._recorded ?? factsOf(lap);
}

/** The version after the event of a revision. Unknown events leave the version unchanged. */
async function versionAt(lookup: Lookup, id: string, revision: Revision): Promise<LapVersionDocument | null> {
  for (let at = revision; at > 0; at -= 1) {
    const version = await lookup(lapVersions, versionId(id, at));
    if (version !== null) return version;
  }
  return null;
}

/** Id of the version after the event of a revision. */
export function versionId(lapId: string, revision: Revision): string {
  return `${lapId}:${revision}`;
}

/** A lap that was in an event once and was moved to another (`<lapId>:<eventId>`); it may have come back since. */
export type LapDepartureDocument = DocumentMeta & {
  readonly lapId: string;
  /** The event that it left. */
  readonly eventId: string;
};

export const lapDepartures = readModel<LapDepartureDocument>('lapDepartures', {
  category: 'lapDeparture',
  indexes: [['eventId']],
});

export const lapDeparturesProjection = projection(
  lapDepartures,
  { own: {}, others: lapEvents },
  { LapMovedToEvent: ({ data: { from }, id }) => lapDepartures.insert(`${id}:${from}`, { lapId: id, eventId: from }) },
);
