import { createPrivateKey, createPublicKey } from 'node:crypto';
import { z } from 'zod';

/** How the text of an environment variable becomes a value. */
export interface Format<T = unknown> {
  /** Its messages are not shown: `allowed` is. */
  readonly schema: z.ZodType<T, string>;
  /** What is allowed, to follow the word "expected". */
  readonly allowed: string;
}

export const text: Format<string> = { schema: z.string(), allowed: 'text' };

/** A whole number in decimal digits, within bounds (both included). */
export function integer(min: number, max: number): Format<number> {
  return {
    schema: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .pipe(z.number().min(min).max(max)),
    allowed: `a whole number from ${min} to ${max}`,
  };
}

export function longText(minLength: number): Format<string> {
  return { schema: z.string().min(minLength), allowed: `at least ${minLength} characters` };
}

export function oneOf<const T extends string>(values: readonly T[]): Format<T> {
  return { schema: z.enum(values), allowed: `one of ${values.join(', ')}` };
}

/** A URL of one of these protocols, each with its colon. */
export function url(protocols: readonly string[]): Format<string> {
  return {
    // Several hosts, as drivers allow them, are no URL to the platform: the first stands for all.
    schema: z.string().refine((given) => {
      const first = given.replace(/,[^/?#]*/, '');
      return URL.canParse(first) && protocols.includes(new URL(first).protocol) && new URL(first).host !== '';
    }),
    allowed: `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  };
}

function isOrigin(candidate: string): boolean {
  return /^https?:/.test(candidate) && URL.canParse(candidate) && new URL(candidate).origin === candidate;
}

/** Origins exactly as browsers send them (RFC 6454): no path, no default port, lower case. */
export const origins: Format<'*' | readonly string[]> = {
  schema: z.union([
    z.literal('*'),
    z
      .string()
      .transform((list) => list.split(',').map((item) => item.trim()))
      .pipe(z.array(z.string().refine(isOrigin))),
  ]),
  allowed: '* or a comma list of origins such as https://example.org',
};

/** No name or password: they would be shown to clients, and in messages. */
function isWebUrl(candidate: string): boolean {
  if (!/^https?:\/\//.test(candidate) || !URL.canParse(candidate)) return false;
  const { username, password } = new URL(candidate);
  return username === '' && password === '' && !/[?#]/.test(candidate);
}

/** The address of a folder on the web; a slash at its end makes no difference and is dropped. */
export const webUrl: Format<string> = {
  schema: z
    .string()
    .refine(isWebUrl)
    .transform((url) => new URL(url).href.replace(/\/+$/, '')),
  allowed: 'a URL such as https://example.org/files, without name, password or query',
};

/** An Ed25519 key pair as a JSON Web Key (RFC 8037). */
export interface SigningKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The public key, 32 bytes in base64url. */
  readonly x: string;
  /** The private key, 32 bytes in base64url. */
  readonly d: string;
  readonly kid?: string;
}

/** 32 bytes in base64url. `abort`: the pair is not looked at when one half is wrong already. */
const ED25519_KEY = z.string().regex(/^[\w-]{43}$/, { abort: true });

/** `x` must belong to `d`, or nobody could verify what was signed. */
function isPair(key: { kty: string; crv: string; x: string; d: string }): boolean {
  return createPublicKey(createPrivateKey({ key, format: 'jwk' })).export({ format: 'jwk' }).x === key.x;
}

export const signingKey: Format<SigningKey> = {
  schema: z
    .string()
    .transform(parseJson)
    .pipe(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: ED25519_KEY,
        d: ED25519_KEY,
        kid: z.string().min(1).exactOptional(),
      }),
    )
    .refine(isPair),
  allowed: 'a private Ed25519 key as a JWK in JSON (kty OKP, crv Ed25519, and d with the x that belongs to it)',
};

function parseJson(json: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(json);
  } catch {
    context.addIssue('not JSON');
    return z.NEVER;
  }
}
