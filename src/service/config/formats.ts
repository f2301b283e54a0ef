import { createPrivateKey, createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';

// Schemas of environment variables. Each has one message, which completes the sentence "expected …".

export const text = z.string();

/** A whole number in decimal digits, within bounds (both included). */
export function integer(min: number, max: number) {
  const isWithin = (digits: string): boolean =>
    /^\d{1,15}$/.test(digits) && Number(digits) >= min && Number(digits) <= max;
  return z.string().refine(isWithin, `a whole number from ${min} to ${max}`).transform(Number);
}

export function longText(minLength: number) {
  return z.string().min(minLength, `at least ${minLength} characters`);
}

export function oneOf<const T extends string>(values: readonly T[]) {
  return z.enum(values, `one of ${values.join(', ')}`);
}

/** A URL of one of these protocols, each with its colon. */
function url(protocols: readonly string[]) {
  const isUrl = (given: string): boolean => {
    // Drivers allow several hosts, which `URL` refuses: check only the first one.
    const first = given.replace(/,[^/?#]*/, '');
    return URL.canParse(first) && protocols.includes(new URL(first).protocol) && new URL(first).host !== '';
  };
  return z.string().refine(isUrl, `a URL that starts with ${protocols.map((name) => `${name}//`).join(' or ')}`);
}

export const esdbUrl = url(['esdb:', 'esdb+discover:']);

export const mongodbUrl = url(['mongodb:', 'mongodb+srv:']);

export const bucketName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{1,254}$/, 'the name of a bucket: letters, digits, dots, hyphens and underscores');

export const regionName = z.string().regex(/^[\w-]{1,64}$/, 'the name of a region such as eu-central-1');

function isOrigin(candidate: string): boolean {
  return /^https?:/.test(candidate) && URL.canParse(candidate) && new URL(candidate).origin === candidate;
}

/** Origins exactly as browsers send them (RFC 6454): no path, no default port, lower case. `*` stands for all. */
export const origins = z
  .string()
  .transform((list) => (list === '*' ? list : list.split(',').map((item) => item.trim())))
  .refine((list) => list === '*' || list.every(isOrigin), '* or a comma list of origins such as https://example.org')
  .readonly();

function isNetwork(candidate: string): boolean {
  const [address = '', prefix, ...more] = candidate.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (bits < 0 || address.includes('%') || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

/** Addresses and networks; `none` stands for none of them. */
export const networks = z
  .string()
  .transform((list) => (list === 'none' ? [] : list.split(',').map((item) => item.trim())))
  .refine((list) => list.every(isNetwork), 'none or a comma list of addresses and networks such as 192.0.2.0/24')
  .transform((list) => Object.freeze(list));

/** A URL with a name or a password is refused: clients and messages would show them. */
function isWebUrl(candidate: string): boolean {
  if (!/^https?:\/\//.test(candidate) || !URL.canParse(candidate)) return false;
  const { username, password } = new URL(candidate);
  return username === '' && password === '' && !/[?#]/.test(candidate);
}

/** The address of a folder on the web; a slash at its end makes no difference and is dropped. */
export const webUrl = z
  .string()
  .refine(isWebUrl, 'a URL such as https://example.org/files, without name, password or query')
  .transform((address) => new URL(address).href.replace(/(?<!\/)\/+$/, ''));

/** A path of names that need no encoding, in which a slash at the end makes no difference. */
const PLAIN_PATH = /^(\/[\w.~-]+)*\/?$/;

/** The address under which clients reach the service, perhaps below a path; without a slash at its end. */
export const publicUrl = z
  .string()
  .refine(
    (given) => isWebUrl(given) && PLAIN_PATH.test(new URL(given).pathname),
    'a URL such as https://example.org/timing, without name, password or query, its path of letters, digits and -._~',
  )
  .transform((address) => new URL(address).href.replace(/(?<!\/)\/+$/, ''));

/** 32 bytes in base64url. `abort`: the pair is not checked if one half is already wrong. */
const ED25519_KEY = z.string().regex(/^[\w-]{43}$/, { abort: true });

/** An Ed25519 key pair as a JSON Web Key (RFC 8037): `x` is the public key, `d` the private one. */
const KeyPair = z
  .object({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: ED25519_KEY,
    d: ED25519_KEY,
    kid: z.string().min(1).exactOptional(),
  })
  // Otherwise nobody could verify the signatures.
  .refine((key) => createPublicKey(createPrivateKey({ key, format: 'jwk' })).export({ format: 'jwk' }).x === key.x)
  .readonly();

type SigningKey = z.output<typeof KeyPair>;

export const signingKey = z.string().transform((json, context): SigningKey => {
  try {
    return KeyPair.parse(JSON.parse(json));
  } catch {
    context.addIssue(
      'a private Ed25519 key as a JWK in JSON (kty OKP, crv Ed25519, and d with the x that belongs to it)',
    );
    return z.NEVER;
  }
});
