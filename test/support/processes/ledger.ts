import { EventEmitter, once } from 'node:events';

/** A requested lap. Its total time is unique, so that it can be counted. */
export interface LapEntry {
  readonly marker: number;
  readonly lane: Lane;
  readonly key: string | null;
  /** Null until it is acknowledged. */
  id: string | null;
  /** Highest acknowledged and requested version of its times. */
  readonly versions: { acknowledged: number; asked: number };
}

/** A requested rig. */
export interface RigEntry {
  readonly lane: Lane;
  readonly hardwareId: string;
  readonly key: string;
  id: string | null;
  token: string | null;
}

/** A requested participant, one per licence. */
export interface ParticipantEntry {
  licenseId: string | null;
  id: string | null;
}

/** A requested key, and whether its revocation was requested or acknowledged. */
export interface KeyEntry {
  readonly name: string;
  id: string | null;
  token: string | null;
  revocation: 'none' | 'asked' | 'acknowledged';
}

/** A resource whose name laps show: the last acknowledged name and those requested since. */
export interface Named {
  readonly path: string;
  /** Body of a PATCH to this name. */
  readonly renaming: (name: string) => { readonly [field: string]: string };
  name: string;
  asked: string[];
}

/** The resources of one connection; no other connection changes them. */
export interface Lane {
  readonly number: number;
  readonly participantId: string;
  readonly rigId: string;
  readonly named: readonly Named[];
  /** Acknowledged laps. */
  readonly laps: LapEntry[];
}

/** Everything that was requested and acknowledged. */
export class Ledger {
  readonly laps = new Map<number, LapEntry>();
  readonly rigs: RigEntry[] = [];
  readonly participants: ParticipantEntry[] = [];
  readonly keys: KeyEntry[] = [];
  /** Answers that no crash can explain. */
  readonly surprises: string[] = [];
  acknowledged = 0;
  /** Requests without an answer. */
  unknown = 0;
  /** Repeats of a request with an `Idempotency-Key`. */
  retried = 0;
  readonly #events = new EventEmitter();

  acknowledge(): void {
    this.acknowledged += 1;
    this.#events.emit('news');
  }

  surprise(answer: string): void {
    this.surprises.push(answer);
    this.#events.emit('news');
  }

  /** Waits for this many more acknowledgements; fails at a surprise. */
  async more(count: number): Promise<void> {
    for (const goal = this.acknowledged + count; this.acknowledged < goal;) {
      if (this.surprises.length > 0) throw new Error(this.surprises.join('\n'));
      await once(this.#events, 'news');
    }
  }
}
