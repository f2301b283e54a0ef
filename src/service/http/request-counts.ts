import type { Caller } from '../../domain/roles.ts';

/** Name in log and metrics of requests that match no endpoint. */
export const UNMATCHED = '* unmatched';

/** Facts about an answered request on which its counts depend. */
export interface Counted {
  readonly isReplay: boolean;
  readonly caller: Caller | null;
}

/** Counts of the responses of one endpoint, and of the seconds from a request to its response. */
export interface RouteSeries {
  count(status: number, seconds: number, from: Counted): void;
}

/** The series of an endpoint by its name: `GET /api/v1/laps/{lapId}` or `* unmatched`. */
export type SeriesOf = (name: string) => RouteSeries;

/** The endpoint that a request was routed to. */
export interface MatchedEndpoint {
  /** Method and path template: the label in log and metrics. */
  readonly name: string;
  readonly series: RouteSeries;
  /** Whether caches may keep responses that were made without a key. */
  readonly isPublic: boolean;
  /** Whether errors are answered with the text `Failed` (docs/interface.md#uploaded-files). */
  readonly failsAsText: boolean;
}
