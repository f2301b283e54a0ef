import type { RequestHandler } from './respond.ts';

/** The path of an address, without a slash at its end: `/timing`; empty where the service has the whole host. */
export function basePathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

/**
 * Handles requests of a service that clients reach below a path, whether the proxy takes the path off or not; requests
 * that come without a proxy may have it or not, too. `ownPaths`: first segments (`/api`) of the service itself. Where the
 * path begins with one of these, the proxy must take it off.
 */
export function belowPath(basePath: string, ownPaths: ReadonlySet<string>, handle: RequestHandler): RequestHandler {
  if (basePath === '') return handle;
  const isOurs = ownPaths.has(firstSegmentOf(basePath));
  return (request, exchange) => {
    exchange.basePath = basePath;
    const { url = '/' } = request;
    const next = url.startsWith(basePath) ? url.charAt(basePath.length) : null;
    if (!isOurs && next !== null && '/?'.includes(next)) {
      const rest = url.slice(basePath.length);
      request.url = rest.startsWith('/') ? rest : `/${rest}`;
    }
    handle(request, exchange);
  };
}

/** `/api` of `/api/v1/laps`. */
export function firstSegmentOf(path: string): string {
  return `/${path.split('/')[1] ?? ''}`;
}
