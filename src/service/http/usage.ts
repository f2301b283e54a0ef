import type { ChangeUsage, Usage } from './requester.ts';
import type { Accounts, Client } from './clients.ts';

/** Amounts of a long read that count as one unit of a quota: documents that are visited, bytes of bodies that are made. */
const DOCUMENTS_PER_UNIT = 50;
const BYTES_PER_UNIT = 32_768;
/** Bytes that count as one unit where they were made before, and are only sent. */
const SENT_PER_UNIT = 131_072;

/** Least bytes of an answer that is kept for it to be charged: sending fewer costs no more than its request. */
export const LEAST_CHARGED = 65_536;

/** The usage of the long reads of a request. Without a client, to which no limit applies, nobody is charged. */
export class ClientUsage implements Usage {
  documents = 0;
  bytes = 0;
  sent = 0;
  readonly #client: Client | null;
  readonly #key: Accounts | null;

  constructor(client: Client | null, key: Accounts | null) {
    this.#client = client;
    this.#key = key;
  }

  requireShare(): void {
    this.#client?.requireReading(this.#key);
  }

  settle(): void {
    const visited = this.documents / DOCUMENTS_PER_UNIT;
    const made = this.bytes / BYTES_PER_UNIT;
    this.#client?.chargeReading(visited + made + this.sent / SENT_PER_UNIT, this.#key);
    this.documents = 0;
    this.bytes = 0;
    this.sent = 0;
  }

  shareMs(): number {
    return this.#client?.shareMs(this.#key) ?? 0;
  }

  restMs(): number {
    return this.#client?.restMs(this.#key) ?? 0;
  }

  worked(ms: number): void {
    this.#client?.worked(ms);
  }
}

/** Documents that a change lets others write, or read, which count as one unit of a quota. */
const CHANGED_DOCUMENTS_PER_UNIT = 10;

/** The usage of the change of a request. Without a client nobody is charged. */
export class ClientChanges implements ChangeUsage {
  readonly #client: Client | null;
  readonly #key: Accounts | null;

  constructor(client: Client | null, key: Accounts | null) {
    this.#client = client;
    this.#key = key;
  }

  requireShare(): void {
    this.#client?.requireChanging(this.#key);
  }

  charge(documents: number): void {
    this.#client?.chargeChanging(documents / CHANGED_DOCUMENTS_PER_UNIT, this.#key);
  }
}
