import type { Endpoint, EndpointResponse } from './endpoint.ts';
import { ASK, pageEndpoint, pageResponse, readAsset, textResponse } from './page-files.ts';

const ROOT = '/swagger-ui';

/** The page has inline styles and images; its scripts are files. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
];

/** It works with and without a slash at the end: its files are found from its base. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <base href="${ROOT}/">
    <meta charset="UTF-8">
    <title>Sim Racing Timing Service</title>
    <link rel="stylesheet" href="./swagger-ui.css">
    <link rel="stylesheet" href="./index.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="./swagger-ui-bundle.js"></script>
    <script src="./swagger-ui-init.js"></script>
  </body>
</html>
`;

/**
 * Starts the page. It keeps the key when it is reloaded, and shows only the beginning of long responses, as all of one
 * would freeze it.
 */
const INIT = `window.ui = SwaggerUIBundle({
  url: '/api-docs',
  dom_id: '#swagger-ui',
  deepLinking: true,
  filter: true,
  persistAuthorization: true,
  responseInterceptor: (response) => {
    const { url, text = '' } = response;
    const most = 100000;
    if (!url.endsWith('/api-docs') && text.length > most) {
      response.text = text.slice(0, most) + '\\n… ' + (text.length - most) + ' characters more: see the curl command';
    }
    return response;
  },
});
`;

/** The files of the package that the page loads. */
const FILES = ['swagger-ui.css', 'index.css', 'swagger-ui-bundle.js'];

/** The endpoints of swagger-ui. Its files are large, and read when they are first asked for. */
export function swaggerUiEndpoints(): readonly Endpoint[] {
  const page = pageResponse(PAGE, POLICY);
  const init = textResponse(INIT, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': ASK });
  const directory = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'));
  return [
    ...[ROOT, `${ROOT}/index.html`].map((path) => pageEndpoint('swaggerUi', path, () => page)),
    pageEndpoint('swaggerUiInit', `${ROOT}/swagger-ui-init.js`, () => init),
    ...FILES.map((name) => {
      let file: Promise<EndpointResponse> | null = null;
      return pageEndpoint(
        'swaggerUiFile',
        `${ROOT}/${name}`,
        () => (file ??= readAsset(new URL(name, directory), ASK)),
      );
    }),
  ];
}
