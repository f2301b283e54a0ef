import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { calculateJwkThumbprint, CompactSign, compactVerify, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { JWK } from 'jose';
import { JOSEError } from 'jose/errors';
import { hasCode } from '../system/disk.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { LicenseClaims, LicenseSigner } from '../../src/domain/license-file.ts';

const ALGORITHM = 'EdDSA';

/** Name of the file with the private key in the data directory; only its owner may read it. */
const KEY_FILE = 'license-signing-key.json';

/** Creates a signer from an Ed25519 private key as JWK (RFC 8037). @throws {Error} when it is not such a key. */
export async function createLicenseSigner(privateJwk: JWK): Promise<LicenseSigner> {
  const { kty, crv, x } = privateJwk;
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined)
    throw new Error('the licence signing key must be an Ed25519 JWK');
  const publicJwk = { kty, crv, x };
  const kid = await calculateJwkThumbprint(publicJwk);
  const [privateKey, publicKey] = await Promise.all([
    importJWK(privateJwk, ALGORITHM),
    importJWK(publicJwk, ALGORITHM),
  ]);
  return {
    async sign(claims) {
      const payload = new TextEncoder().encode(textOf(claims));
      const signature = await new CompactSign(payload).setProtectedHeader({ alg: ALGORITHM, kid }).sign(privateKey);
      return { licenseId: claims.licenseId, licenseKey: claims.licenseKey, issuedAt: claims.issuedAt, signature };
    },
    async verify({ signature, ...claims }) {
      try {
        const { payload } = await compactVerify(signature, publicKey, { algorithms: [ALGORITHM] });
        return new TextDecoder().decode(payload) === textOf(claims);
      } catch (error) {
        if (error instanceof JOSEError) return false;
        throw error;
      }
    },
    jwks: () => ({ keys: [{ ...publicJwk, kid, alg: ALGORITHM, use: 'sig' }] }),
  };
}

/** The private key in the data directory, created at the first call; processes that call at once get the same one. */
export async function signingKeyIn(directory: string): Promise<JWK> {
  const path = join(directory, KEY_FILE);
  return (await readKey(path)) ?? createKey(directory, path);
}

function textOf({ licenseId, licenseKey, issuedAt }: LicenseClaims): string {
  return JSON.stringify({ licenseId, licenseKey, issuedAt });
}

async function readKey(path: string): Promise<JWK | null> {
  try {
    // `createLicenseSigner` checks the content.
    return JSON.parse(await readFile(path, 'utf8')) as JWK;
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new StoreUnavailable(`the signing key in ${path} is damaged`, { cause: error });
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Writes the key under a temporary name and links it to its final one. The link fails when another process was first; its
 * key is used then.
 */
async function createKey(directory: string, path: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  // A random name, as every container has a process 1.
  const draft = join(directory, `.${KEY_FILE}.${randomUUID()}`);
  await mkdir(directory, { recursive: true });
  try {
    await writeFile(draft, JSON.stringify(await exportJWK(privateKey)), { mode: 0o600, flush: true });
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKey(path);
  if (key === null) throw new Error(`${path} vanished`);
  return key;
}
