import { z } from 'zod';
import { reference } from './references.ts';
import { described, text } from './fields.ts';

/** Most characters of the texts of a licence file: far more than those that the service makes. */
const MAX_KEY = 255;
const MAX_MOMENT = 64;
const MAX_SIGNATURE = 4_096;

/**
 * A licence file (docs/interface.md#license-files). `signature` is a compact JWS (RFC 7515) over all other fields, and
 * checked before a decider is asked.
 */
export const LicenseFile = z
  .object({
    licenseId: reference('license', 'Its licence.'),
    licenseKey: described(text(0, MAX_KEY), 'Key of the licence when the file was made.', 'lic_Wm9kQ2x0…'),
    issuedAt: described(
      z.iso.datetime({ offset: true }).max(MAX_MOMENT),
      'When the file was made.',
      '2026-05-01T17:30:00.000Z',
    ),
    signature: described(
      text(0, MAX_SIGNATURE),
      'Compact JWS (EdDSA) over the other fields; /.well-known/jwks.json has the keys.',
      'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmVk',
    ),
  })
  .meta({ id: 'LicenseFile', description: 'A licence file, with which rigs register; send it unchanged.' });
export type LicenseFile = z.output<typeof LicenseFile>;

export type LicenseClaims = Omit<LicenseFile, 'signature'>;

export interface LicenseSigner {
  sign(claims: LicenseClaims): Promise<LicenseFile>;
  /** Whether the signature is ours and over exactly the file's claims. */
  verify(file: LicenseFile): Promise<boolean>;
  /** The public keys, as a JWK set (RFC 7517). */
  jwks(): { readonly keys: readonly object[] };
}
