import { z } from 'zod';
import { uuid } from './fields.ts';

/**
 * A licence file (docs/interface.md#license-files). `signature` is a compact JWS (RFC 7515) over all other fields, and
 * checked before a decider is asked.
 */
export const LicenseFile = z
  .object({
    licenseId: uuid,
    licenseKey: z.string(),
    issuedAt: z.iso.datetime({ offset: true }),
    signature: z.string(),
  })
  .meta({ id: 'LicenseFile' });
export type LicenseFile = z.output<typeof LicenseFile>;

/** What a licence file says. */
export type LicenseClaims = Omit<LicenseFile, 'signature'>;

/** Signs and verifies licence files. */
export interface LicenseSigner {
  sign(claims: LicenseClaims): Promise<LicenseFile>;
  /** Whether the signature is ours and over exactly the file's claims. */
  verify(file: LicenseFile): Promise<boolean>;
  /** The public keys, as a JWK set (RFC 7517). */
  jwks(): { readonly keys: readonly object[] };
}
