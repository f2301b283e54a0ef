import type { RequestHandler } from 'express';
import type { Endpoint } from '../endpoint.ts';
import type { MatchedEndpoint, SeriesOf } from '../request-counts.ts';

/** Notes the endpoint that a request was routed to: for log and metrics, and for how errors are answered. */
export function matched({ method, path, access, upload }: Endpoint, seriesOf: SeriesOf): RequestHandler {
  const name = `${method} ${path}`;
  const endpoint: MatchedEndpoint = {
    name,
    series: seriesOf(name),
    isPublic: access === 'public',
    failsAsText: upload !== undefined,
  };
  return (_req, res, next) => {
    res.endpoint = endpoint;
    next();
  };
}
