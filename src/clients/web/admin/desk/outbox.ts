import { Unanswered } from '../api/client.ts';

/** Somebody who has come. */
export interface Arrival {
  /** Name of the request, under which it may be sent again. */
  readonly key: string;
  /** As it was typed, or as it is shown. */
  readonly name: string;
  readonly who: Newcomer | Regular | 'unknown';
}

/** Somebody who was never here. */
export interface Newcomer {
  /** Empty: none. */
  readonly email: string;
}

export interface Regular {
  readonly participantId: string;
}

/** An arrival that the service has not confirmed. */
export interface Unconfirmed {
  readonly arrival: Arrival;
  /** `unanswered`: it is sent again. */
  readonly state: 'sending' | 'unanswered' | 'refused';
  /** Why it was refused; null: it was not. */
  readonly problem: unknown;
}

export interface OutboxPorts {
  /** @throws {Unanswered} when it has to be sent again; anything else: it is refused */
  readonly send: (arrival: Arrival) => Promise<void>;
  readonly pause: () => Promise<void>;
  readonly onChange: (unconfirmed: readonly Unconfirmed[]) => void;
}

/**
 * Arrivals on their way to the service, one after the other, in the order in which they came. One without an answer is
 * sent again until there is one; one that was refused waits for people, and holds up nobody.
 */
export class Outbox {
  readonly #ports: OutboxPorts;
  #unconfirmed: readonly Unconfirmed[] = [];
  #isRunning = false;
  #isStopped = false;

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
  }

  add(arrival: Arrival): void {
    this.#show([...this.#unconfirmed, { arrival, state: 'sending', problem: null }]);
    void this.#run();
  }

  /** Sends one that was refused once more. */
  retry(key: string): void {
    this.#set(key, 'sending', null);
    void this.#run();
  }

  /** Says who it is that was in doubt, and sends them. */
  identify(key: string, who: Newcomer | Regular): void {
    this.#show(
      this.#unconfirmed.map((one) => (one.arrival.key === key ? { ...one, arrival: { ...one.arrival, who } } : one)),
    );
    this.retry(key);
  }

  discard(key: string): void {
    this.#show(this.#unconfirmed.filter(({ arrival }) => arrival.key !== key));
  }

  /** Sends nothing more. */
  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    let next = this.#next();
    while (next !== undefined) {
      await this.#send(next);
      next = this.#next();
    }
    this.#isRunning = false;
  }

  #next(): Arrival | undefined {
    if (this.#isStopped) return undefined;
    return this.#unconfirmed.find(({ state }) => state !== 'refused')?.arrival;
  }

  async #send(arrival: Arrival): Promise<void> {
    const { send, pause } = this.#ports;
    try {
      await send(arrival);
      this.discard(arrival.key);
    } catch (error) {
      if (error instanceof Unanswered) {
        this.#set(arrival.key, 'unanswered', null);
        await pause();
      } else {
        this.#set(arrival.key, 'refused', error);
      }
    }
  }

  #set(key: string, state: Unconfirmed['state'], problem: unknown): void {
    this.#show(this.#unconfirmed.map((one) => (one.arrival.key === key ? { ...one, state, problem } : one)));
  }

  #show(unconfirmed: readonly Unconfirmed[]): void {
    this.#unconfirmed = unconfirmed;
    this.#ports.onChange(unconfirmed);
  }
}
