import { v5 } from 'uuid';
import { lapEvents } from '../commands/laps.ts';
import { sequenceEvents } from '../commands/sequences.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/** A numbered lap, as it was received. Its id is that of the lap, its position that of `LapRecorded`. */
export type NumberedLapDocument = DocumentMeta & {
  readonly rigId: string;
  readonly boot: string;
  readonly number: number;
  readonly eventId: string;
};

export const numberedLaps = readModel<NumberedLapDocument>('numberedLaps', {
  category: 'numberedLap',
  indexes: [['rigId', 'boot', 'number']],
});

/** A number belongs to the rig and the event that the lap was received with, so corrections change nothing here. */
export const numberedLapsProjection = projection(
  numberedLaps,
  { own: {}, others: lapEvents },
  {
    LapRecorded: ({ data: { rigId, eventId, sequence }, id }) =>
      sequence === undefined ? null : numberedLaps.insert(id, { rigId, ...sequence, eventId }),
  },
);

/** A start of a rig's software since which laps of an event were received. Its id is derived from all three. */
export type EventBootDocument = DocumentMeta & {
  readonly eventId: string;
  readonly rigId: string;
  readonly boot: string;
  /** When the first of these laps was received, ISO 8601. */
  readonly since: string;
};

export const eventBoots = readModel<EventBootDocument>('eventBoots', {
  category: 'eventBoot',
  indexes: [['rigId'], ['eventId']],
});

export const eventBootsProjection = projection(
  eventBoots,
  { own: {}, others: lapEvents },
  {
    LapRecorded: async ({ data: { eventId, rigId, sequence }, at }, look) => {
      if (sequence === undefined) return null;
      const { boot } = sequence;
      // Joined, the three may be longer than an id may be.
      const id = v5(`urn:boot:${eventId}:${rigId}:${boot}`, v5.URL);
      return (await look(eventBoots, id)) === null ? eventBoots.insert(id, { eventId, rigId, boot, since: at }) : null;
    },
  },
);

/** An announcement of a rig: how many laps it has sent since one start of its software. */
export type AnnouncedSequenceDocument = DocumentMeta & {
  readonly rigId: string;
  readonly boot: string;
  readonly upTo: number;
  /** When the rig first announced it, ISO 8601. */
  readonly since: string;
};

export const announcedSequences = readModel<AnnouncedSequenceDocument>('announcedSequences', {
  category: 'sequence',
  indexes: [['rigId']],
});

export const announcedSequencesProjection = projection(
  announcedSequences,
  { own: sequenceEvents },
  {
    SequenceAnnounced: ({ data, id, at, recorded }) =>
      recorded.revision === 0
        ? announcedSequences.insert(id, { ...data, since: at })
        : announcedSequences.set(id, { upTo: data.upTo }),
  },
);
