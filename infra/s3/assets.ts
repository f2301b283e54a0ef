import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { GetObjectCommandOutput, S3 } from '@aws-sdk/client-s3';
import { assetContent } from '../../src/kernel/ports/assets.ts';
import type { Assets, NewAsset, StoredAsset } from '../../src/kernel/ports/assets.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';

/** The bucket and its server. Credentials come from the usual AWS variables, files and instance roles. */
export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** URL of a server that is not Amazon's, with the bucket in the path of requests; absent: Amazon's in the region. */
  readonly endpoint?: string;
  /** Time in ms without progress after which a request fails; also the longest wait for the next bytes of an object. */
  readonly timeoutMs: number;
}

/** Attempts per request: a connection that the server closed while it was idle costs one. */
const ATTEMPTS = 3;
const ETAG_LENGTH = 22;
/** The service gives each upload a key of its own, so what is under a key stays the same. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * Keeps assets as objects of a bucket, under their keys. Opening asks nothing of the server, which may be down. An upload
 * is one request, whose body is read as the server takes it: the object is visible whole or not at all, and a process
 * or server that ends in between leaves nothing.
 *
 * All methods throw `StoreUnavailable` when the server fails, refuses or stays silent.
 */
export async function openS3Assets(options: S3Options): Promise<Assets> {
  const bucket = bucketWith(await clientFor(options), options);
  const { Bucket, client, within } = bucket;
  return {
    async put(asset) {
      const md5 = await md5Of(asset.content);
      for (let attempt = 1; ; attempt += 1) {
        try {
          await send(bucket, asset, md5);
          return;
        } catch (error) {
          if (attempt === ATTEMPTS || !(error instanceof StoreUnavailable && isTransient(error.cause))) throw error;
        }
      }
    },
    async get(key) {
      const found = await find(bucket, { Key: key });
      return found === null ? null : stored(bucket, key, found);
    },
    remove: (key) => removeObject(bucket, key),
    async move(key, to) {
      if (await copyObject(bucket, key, to)) await removeObject(bucket, key);
    },
    async *list(prefix) {
      let next: string | undefined;
      do {
        const asked = { Bucket, Prefix: prefix, ContinuationToken: next };
        const page = await within('listing objects', (abortSignal) => client.listObjectsV2(asked, { abortSignal }));
        for (const { Key: key, LastModified: storedAt } of page.Contents ?? []) {
          if (key !== undefined && storedAt !== undefined) yield { key, storedAt: storedAt.getTime() };
        }
        next = page.NextContinuationToken;
      } while (next !== undefined);
    },
  };
}

/** Loads the client only where it is used: it costs a start 20 MB and a tenth of a second. */
async function clientFor({ region, endpoint }: S3Options): Promise<S3> {
  const { S3 } = await import('@aws-sdk/client-s3');
  // As many connections as there are requests: slow readers of objects keep theirs for long.
  const agent = { keepAlive: true, maxSockets: Infinity };
  const ignore = (): void => undefined;
  const place = endpoint === undefined ? { region } : { region, endpoint, forcePathStyle: true };
  return new S3({
    ...place,
    maxAttempts: ATTEMPTS,
    requestHandler: { httpAgent: agent, httpsAgent: agent },
    // Many servers other than Amazon's refuse the checksums that the client adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Without a logger the client warns on the console that it does not repeat requests, which `put` does.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
}

/** Thrown by the body of a request when the asset's content could not be read; `cause` is why. */
class Unreadable extends Error {}

type S3Bucket = ReturnType<typeof bucketWith>;

/** A bucket, with what bounds the steps that wait for its server. */
function bucketWith(client: S3, { bucket: Bucket, timeoutMs }: S3Options) {
  const unavailable = (what: string, cause: unknown): StoreUnavailable => {
    const kind = cause instanceof Error ? cause.name : 'no error';
    return new StoreUnavailable(`S3 bucket ${Bucket}: ${what} failed (${kind})`, { cause });
  };
  /**
   * Bounds one step, whatever it waits for: credentials, a connection, an answer, a retry. The time starts again when the
   * step calls `progressed`.
   */
  const within = async <T>(what: string, step: (signal: AbortSignal, progressed: () => void) => Promise<T>) => {
    const over = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      return await Promise.race([step(over.signal, () => timer?.refresh()), late]);
    } catch (error) {
      // A request whose body is not sent to its end would keep its connection.
      over.abort();
      throw error instanceof Unreadable ? error.cause : unavailable(what, error);
    } finally {
      clearTimeout(timer);
    }
  };
  /** The failure of a read whose answer lacks something. */
  const incomplete = (missing: string) => unavailable(READING, new TypeError(`an answer without ${missing}`));
  return { Bucket, client, within, incomplete };
}

/** One attempt. The client itself repeats no request whose body is a stream. */
async function send({ Bucket, client, within }: S3Bucket, { key, contentType, size, content }: NewAsset, md5: string) {
  const target = { Bucket, Key: key, ContentType: contentType, CacheControl: CACHE_CONTROL };
  await within('storing an object', async (abortSignal, progressed) => {
    const body = Readable.from(pieces(content, progressed));
    const request = { ...target, ContentLength: size, ContentMD5: md5, Body: body };
    try {
      // The client does not notice a body that fails.
      await Promise.race([client.putObject(request, { abortSignal }), failureOf(body)]);
    } finally {
      body.destroy();
    }
  });
}

async function removeObject({ Bucket, client, within }: S3Bucket, key: string): Promise<void> {
  await within('removing an object', (abortSignal) => client.deleteObject({ Bucket, Key: key }, { abortSignal }));
}

/** Copies an object within the server, its type included; false: there is none. */
function copyObject({ Bucket, client, within }: S3Bucket, key: string, to: string): Promise<boolean> {
  const source = [Bucket, ...key.split('/')].map(encodeURIComponent).join('/');
  return within('copying an object', async (abortSignal) => {
    try {
      await client.copyObject({ Bucket, Key: to, CopySource: source }, { abortSignal });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchKey';
}

const READING = 'reading an object';

function find(
  { Bucket, client, within }: S3Bucket,
  which: { readonly Key: string; readonly Range?: string; readonly IfMatch?: string },
) {
  return within(READING, async (abortSignal) => {
    try {
      return await client.getObject({ Bucket, ...which }, { abortSignal });
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  });
}

function stored(
  bucket: S3Bucket,
  key: string,
  { Body: body, ContentLength: size, ContentType: contentType, ETag: tag }: GetObjectCommandOutput,
): StoredAsset {
  if (!(body instanceof Readable)) throw bucket.incomplete('content');
  if (size === undefined || contentType === undefined || tag === undefined) {
    body.destroy();
    throw bucket.incomplete('length, type or ETag');
  }
  // The ETag of the server covers the content only.
  const etag = createHash('sha256').update(`${tag}\n${contentType}`).digest('base64url').slice(0, ETAG_LENGTH);
  const content = contentOf(bucket, body);
  const part = async (first: number, last: number): Promise<AsyncIterable<Uint8Array>> => {
    await content.return();
    const found = await find(bucket, { Key: key, Range: `bytes=${first}-${last}`, IfMatch: tag });
    if (found?.Body instanceof Readable) return contentOf(bucket, found.Body);
    throw bucket.incomplete('content');
  };
  return { size, contentType, etag, content, part };
}

/** The bytes of an answer. Its connection is kept until they are read or `return` is called; the latter closes it. */
function contentOf({ within }: S3Bucket, body: Readable) {
  // Bytes: no encoding was set.
  const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const read = async (): Promise<Uint8Array | null> => {
    const piece = await within(READING, () => pieces.next());
    return piece.done === true ? null : piece.value;
  };
  return assetContent(read, () => void body.destroy());
}

/** MD5 of the content in base64 (RFC 1864): the client does not sign the content of a stream. */
async function md5Of(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('md5');
  for await (const piece of content) hash.update(piece);
  return hash.digest('base64');
}

/** Content as the body of a request; `onPiece` is called each time there is room for another piece. */
async function* pieces(content: AsyncIterable<Uint8Array>, onPiece: () => void): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const piece of content) {
      onPiece();
      yield piece;
    }
  } catch (cause) {
    throw new Unreadable('the content cannot be read', { cause });
  }
}

function failureOf(body: Readable): Promise<never> {
  return new Promise((_, reject) => body.once('error', reject));
}

/** Whether a request may succeed when it is sent again: its connection broke, or the server had a fault. */
function isTransient(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return ('code' in cause && typeof cause.code === 'string') || ('$fault' in cause && cause.$fault === 'server');
}
