/** What a licence file says; all three fields are signed (docs/interface.md#license-files). */
export interface LicenseClaims {
  readonly licenseId: string;
  readonly licenseKey: string;
  /** ISO 8601. */
  readonly issuedAt: string;
}

export interface LicenseFile extends LicenseClaims {
  /** Compact JWS (RFC 7515) over the claims. */
  readonly signature: string;
}

/** Signs and verifies licence files. */
export interface LicenseSigner {
  sign(claims: LicenseClaims): Promise<LicenseFile>;
  /** Whether the signature is ours and over exactly the file's claims. */
  verify(file: LicenseFile): Promise<boolean>;
  /** The public keys, as a JWK set (RFC 7517). */
  jwks(): { readonly keys: readonly object[] };
}
