import type { Authenticator } from './authenticator.ts';
import { featuresOf, type Endpoint, type Feature } from './endpoint.ts';
import type { ErrorLog } from './respond.ts';

/** What every endpoint is served with. */
export interface Services {
  readonly authenticator: Authenticator;
  readonly log: ErrorLog;
  /** Bytes of a JSON body, its levels of nesting, and bytes of an uploaded file, at most. */
  readonly jsonBytes: number;
  readonly jsonLevels: number;
  readonly uploadBytes: number;
  readonly uploadDirectory: string;
  /** ms that a request may take. */
  readonly deadlineMs: number;
}

/** A row of the table, with what follows from it worked out once. */
export interface Route {
  readonly row: Endpoint;
  readonly label: string;
  readonly features: ReadonlySet<Feature>;
  readonly queryNames: ReadonlySet<string>;
  readonly cacheControl: string | null;
  readonly services: Services;
}

/** Works out what follows from a row. */
export function routeOf(row: Endpoint, services: Services): Route {
  return {
    row,
    label: `${row.method} ${row.path}`,
    features: new Set(featuresOf(row)),
    queryNames: new Set(Object.keys(row.query?.shape ?? {})),
    // What needs a key is not for caches: to them, requests with different keys look alike.
    cacheControl: row.access === 'public' ? null : 'no-store',
    services,
  };
}
