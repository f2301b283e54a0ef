/** The path at which people reach the service, found from where this script is; `/timing`, or empty for a whole host. */
export const base: string = baseOf(new URL(import.meta.url));

/** Scripts are in `/assets` of the service; in tests they are files. */
function baseOf({ protocol, pathname }: URL): string {
  return protocol === 'file:' ? '' : pathname.replace(/\/assets\/[^/]*$/, '');
}

/** The path of an address as the service knows it: without the path at which people reach it. */
export function withoutBase(path: string): string {
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
