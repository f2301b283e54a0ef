import { EventEmitter, once } from 'node:events';

/** A lap that was asked for. Its total time is a number that no other lap has, so that it can be counted. */
export interface LapEntry {
  readonly marker: number;
  readonly lane: Lane;
  readonly key: string | null;
  /** Set when it was acknowledged. */
  id: string | null;
  /** Highest version of its times that was acknowledged, and that was asked for. */
  readonly versions: { acknowledged: number; asked: number };
}

/** A rig that was asked for. */
export interface RigEntry {
  readonly lane: Lane;
  readonly hardwareId: string;
  readonly key: string;
  id: string | null;
  token: string | null;
}

/** A participant that was asked for: one per licence. */
export interface ParticipantEntry {
  licenseId: string | null;
  id: string | null;
}

/** A key that was issued, and whether its revocation was asked for or acknowledged. */
export interface KeyEntry {
  readonly name: string;
  id: string | null;
  token: string | null;
  revocation: 'none' | 'asked' | 'acknowledged';
}

/** A thing with a name that laps show: the value acknowledged last and those asked for since. */
export interface Named {
  readonly path: string;
  /** Body of a PATCH that gives it this name. */
  readonly renaming: (name: string) => { readonly [field: string]: string };
  name: string;
  asked: string[];
}

/** What one connection works with; nobody else changes it. */
export interface Lane {
  readonly number: number;
  readonly participantId: string;
  readonly rigId: string;
  readonly named: readonly Named[];
  /** Its laps that were acknowledged. */
  readonly laps: LapEntry[];
}

/** All that was asked for and what of it was acknowledged. */
export class Ledger {
  readonly laps = new Map<number, LapEntry>();
  readonly rigs: RigEntry[] = [];
  readonly participants: ParticipantEntry[] = [];
  readonly keys: KeyEntry[] = [];
  /** Answers that no crash explains. */
  readonly surprises: string[] = [];
  acknowledged = 0;
  /** Requests whose answer did not come. */
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

  /** Waits for this many more acknowledgements; fails when there is a surprise. */
  async more(count: number): Promise<void> {
    for (const goal = this.acknowledged + count; this.acknowledged < goal;) {
      if (this.surprises.length > 0) throw new Error(this.surprises.join('\n'));
      await once(this.#events, 'news');
    }
  }
}
