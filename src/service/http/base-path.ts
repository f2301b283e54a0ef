/** The path of an address, without a slash at its end: `/timing`; empty where the service has the whole host. */
export function basePathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

/** `/api` of `/api/v1/laps`. */
export function firstSegmentOf(path: string): string {
  return `/${path.split('/')[1] ?? ''}`;
}
