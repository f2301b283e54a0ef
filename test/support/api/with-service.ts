import { expect } from 'chai';
import type { Client } from './client.ts';
import { resourcesOf, type Resource } from './resources.ts';
import { startService, type Service } from './service.ts';
import { createVenue, type Venue } from './venue.ts';

type Environment = Readonly<Record<string, string>>;

function found<T>(value: T | null | undefined, what: string): T {
  return value ?? expect.fail(`there is no ${what}`);
}

/** A service that runs for the length of a `describe`. */
export class Running {
  #service: Service | null = null;

  constructor(environment: Environment) {
    before(async () => {
      this.#service = await startService(environment);
    });
    after(() => this.#service?.close());
  }

  get service(): Service {
    return found(this.#service, 'service before the first test');
  }

  /** Closes the service and starts it again on the same data: clients of before are of no use any more. */
  async restart(environment?: Environment): Promise<void> {
    this.#service = await this.service.restart(environment);
  }

  /** Calls with the root ADMIN key. */
  get admin(): Client {
    return this.service.client;
  }

  /** Calls without a key. */
  get anyone(): Client {
    return this.service.client.as(null);
  }
}

/** A running service with one of everything in it. */
export class Furnished extends Running {
  #venue: Venue | null = null;

  constructor(environment: Environment) {
    super(environment);
    before(async () => {
      this.#venue = await createVenue(this.admin);
    });
  }

  get venue(): Venue {
    return found(this.#venue, 'venue before the first test');
  }

  resource(name: string): Resource {
    return found(resourcesOf(this.venue, this.admin).get(name), `resource ${name}`);
  }
}

/** Starts a service before the tests of the enclosing `describe`, and closes it after them. */
export function useService(environment: Environment = {}): Running {
  return new Running(environment);
}

/** The same, with one of everything. */
export function useVenue(environment: Environment = {}): Furnished {
  return new Furnished(environment);
}
