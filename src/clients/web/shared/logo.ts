import { fileAddress } from './api.ts';

/** The path of a logo on this service; null if it is elsewhere: our pages may load nothing from other hosts. */
export function logoPath({ logo, logoUrl }: { readonly logo: string; readonly logoUrl: boolean }): string | null {
  return logoUrl || !/^[A-Z]+\/./.test(logo) ? null : fileAddress(logo);
}
