import type { RequestHandler } from 'express';
import { firstSegmentOf } from '../base-path.ts';

/**
 * Takes requests of a service that clients reach below a path, whether the proxy takes the path off or not; requests that
 * come without a proxy may have it or not, too. Mounting everything below the path would serve only one of the two.
 * @param ownPaths first segments (`/api`) of the service itself: where the path begins with one of these, the proxy must
 * take it off
 */
export function basePath(path: string, ownPaths: ReadonlySet<string>): RequestHandler {
  const isOurs = ownPaths.has(firstSegmentOf(path));
  return (req, res, next) => {
    res.basePath = path;
    const after = req.url.startsWith(path) ? req.url.charAt(path.length) : null;
    if (!isOurs && after !== null && '/?'.includes(after)) {
      const rest = req.url.slice(path.length);
      req.url = rest.startsWith('/') ? rest : `/${rest}`;
      req.originalUrl = req.url;
    }
    next();
  };
}
