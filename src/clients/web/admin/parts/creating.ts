import { createContext } from 'preact';
import type { Resource } from '../api/model.ts';

/** A record that somebody adds where it is to be chosen. */
export interface WantedRecord {
  readonly resource: Resource;
  /** What was typed: the name of the record; empty: nothing. */
  readonly typed: string;
  /** Gets the id of the record that was made. */
  readonly onCreated: (id: string) => void;
}

export interface Creating {
  /** Asks for a new record in a dialog. */
  readonly create: (wanted: WantedRecord) => void;
  /** Number of records that were made so: lists to choose from are read again for each. */
  readonly made: number;
}

/** How choosers add what they lack. The dialogs are outside the forms that they belong to, as forms cannot be nested. */
export const CreatingContext = createContext<Creating>({ create: () => {}, made: 0 });
