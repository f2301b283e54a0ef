/** The path at which people reach the service: `/timing`; empty where it has the whole host. The service says it. */
export const base: string = document.documentElement.dataset['base'] ?? '';

/** The path of an address as the service knows it: without the path at which people reach it. */
export function withoutBase(path: string): string {
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
