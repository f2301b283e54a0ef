import type { Resource } from './resources.ts';
import type { Client } from './client.ts';
import { resourcesOf } from './resources.ts';
import { startService, type Service } from './service.ts';
import { createVenue, type Venue } from './venue.ts';

/** A service that runs for the length of a `describe`. */
export interface Running {
  readonly service: Service;
  /** Calls with the root ADMIN key. */
  readonly admin: Client;
  /** Calls without a key. */
  readonly anyone: Client;
}

/** Starts a service before the tests of the enclosing `describe`, and closes it after them. */
export function useService(environment: Readonly<Record<string, string>> = {}): Running {
  let service: Service | null = null;
  before(async () => {
    service = await startService(environment);
  });
  after(async () => {
    await service?.close();
  });
  const running = (): Service => {
    if (service === null) throw new Error('the service runs from the first test on');
    return service;
  };
  return {
    get service() {
      return running();
    },
    get admin() {
      return running().client;
    },
    get anyone() {
      return running().client.as(null);
    },
  };
}

/** A running service with one of everything in it. */
export interface Furnished extends Running {
  readonly venue: Venue;
  resource(name: string): Resource;
}

/** The same, with one of everything. */
export function useVenue(environment: Readonly<Record<string, string>> = {}): Furnished {
  const running = useService(environment);
  let venue: Venue | null = null;
  before(async () => {
    venue = await createVenue(running.admin);
  });
  const furnished = (): Venue => {
    if (venue === null) throw new Error('the venue is there from the first test on');
    return venue;
  };
  return {
    get service() {
      return running.service;
    },
    get admin() {
      return running.admin;
    },
    get anyone() {
      return running.anyone;
    },
    get venue() {
      return furnished();
    },
    resource(name) {
      const found = resourcesOf(furnished(), running.admin).get(name);
      if (found === undefined) throw new Error(`no resource ${name}`);
      return found;
    },
  };
}
