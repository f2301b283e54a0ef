import express, { type Router } from 'express';
import swagger from 'swagger-ui-express';
import { Problem } from '../problems.ts';
import { isRead } from '../etags.ts';
import type { MatchedEndpoint, SeriesOf } from '../request-counts.ts';
import { chargeSent, untilShare } from '../waiting.ts';

export const SWAGGER_UI = '/swagger-ui';

/** The page has inline styles and images; its scripts are files. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

const DOCUMENT = '/api-docs';

/**
 * The page loads the document from `url`; `swaggerUrl` keeps a `?url=` in the address from choosing another one. It keeps
 * the key when it is reloaded, and shows only the beginning of long responses, as all of one would freeze it.
 */
function optionsBelow(basePath: string) {
  const url = basePath + DOCUMENT;
  return {
    swaggerUrl: url,
    swaggerOptions: {
      url,
      deepLinking: true,
      filter: true,
      persistAuthorization: true,
      responseInterceptor: withShortText,
    },
    customSiteTitle: 'Sim Racing Timing Service',
  };
}

interface ShownResponse {
  readonly url: string;
  text?: string;
}

/** Shortens a response to what the page can show. Its source is sent to the page: it uses nothing of this module. */
function withShortText(response: ShownResponse): ShownResponse {
  const most = 100_000;
  const { url, text = '' } = response;
  const isShort = url.endsWith('/api-docs') || text.length <= most;
  if (!isShort) response.text = `${text.slice(0, most)}\n… ${text.length - most} characters more: see the curl command`;
  return response;
}

/**
 * Serves swagger-ui, to be mounted at `SWAGGER_UI`.
 * @param basePath that of the address at which people reach the service
 */
export function swaggerUi(basePath: string, seriesOf: SeriesOf): Router {
  const options = optionsBelow(basePath);
  // It works with and without a trailing slash: its files are found from its base.
  const page = swagger
    .generateHTML(undefined, options)
    .replace('<head>', `<head>\n  <base href="${basePath}${SWAGGER_UI}/">`);
  const name = `GET ${SWAGGER_UI}`;
  const endpoint: MatchedEndpoint = { name, series: seriesOf(name), isPublic: false, failsAsText: false };
  const router = express.Router({ caseSensitive: true });
  router.use((req, res, next) => {
    res.endpoint = endpoint;
    if (!isRead(req)) throw new Problem('METHOD_NOT_ALLOWED', 'This takes GET.', { headers: { Allow: 'GET, HEAD' } });
    next();
  });
  router.use(async (_req, res, next) => {
    await untilShare(res);
    // Otherwise nobody waits any more.
    if (!res.settled) next();
  });
  router.use((_req, res, next) => {
    res.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    res.once('finish', () => chargeSent(res, Number(res.getHeader('Content-Length') ?? 0)));
    next();
  });
  router.get(['/', '/index.html'], (_req, res) => {
    res.type('html').send(page);
  });
  router.use(...swagger.serveFiles(undefined, options));
  router.use((_req, res, next) => {
    // There is no such file, and what says so needs no styles.
    res.removeHeader('Content-Security-Policy');
    next();
  });
  return router;
}
