import type { Document } from '../../service/kernel/ports/read-store.ts';

/** Writes rows to a file in a format. */
export interface Encoder {
  /** Rows that are held in memory: many, where a format wants them in groups. */
  readonly held: number;
  add(document: Document): void;
  /** Writes the rows that are held. */
  flush(): void;
  /** Writes what the format has at the end of a file. */
  finish(): void;
}
