import { createHash } from 'node:crypto';
import type { CompletedPart, GetObjectCommandOutput, S3 } from '@aws-sdk/client-s3';
import type { Assets, NewAsset, StoredAsset } from '../../src/kernel/ports/assets.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';

/** Where the objects are. Credentials come from the usual AWS variables, files and instance roles. */
export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** URL of a server that is not Amazon's, asked with the bucket in the path; absent: Amazon's of the region. */
  readonly endpoint?: string;
  /** ms that each request may take, its retries included, and each wait for the next bytes of an object. */
  readonly timeoutMs: number;
}

/**
 * Bytes of a part; S3 takes none smaller but the last (5 MiB), and 10,000 of them. Always the same, so that the same
 * content has the same ETag however it comes in.
 */
const PART_BYTES = 5 * 1024 * 1024;
/** Attempts per request: a connection that the server closed while it was idle costs one. */
const ATTEMPTS = 3;
/** Characters of a hash in an etag. */
const ETAG_LENGTH = 22;
/** What `/cdn` says too: an object may be replaced under its key at any time. */
const CACHE_CONTROL = 'public, no-cache';

/**
 * Keeps assets as objects of a bucket, under their keys. Nothing is asked of the server yet: it may be down. An upload
 * takes the memory of one part; it is visible whole or not at all. What a killed process or a server that went away
 * leaves of one is invisible, and for a lifecycle rule of the bucket to remove (`AbortIncompleteMultipartUpload`).
 *
 * Both methods throw `StoreUnavailable` when the server fails, refuses or stays silent.
 */
export async function openS3Assets(options: S3Options): Promise<Assets> {
  return new S3Assets(await clientFor(options), options);
}

/** The client is loaded only by whom uses it: it costs a start 20 MB and a tenth of a second. */
async function clientFor({ region, endpoint, timeoutMs }: S3Options): Promise<S3> {
  const { S3 } = await import('@aws-sdk/client-s3');
  // As many connections as there are requests: slow readers of objects keep theirs for long.
  const agent = { keepAlive: true, maxSockets: Infinity };
  return new S3({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // Checksums that the client adds of its own accord are refused by many servers that are not Amazon's.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

type Target = Readonly<Record<'Bucket' | 'Key', string>>;
type Description = Readonly<Record<'ContentType' | 'CacheControl', string>>;

/** An upload in parts that has begun. */
interface Multipart {
  readonly target: Target & { readonly UploadId: string };
  readonly done: readonly CompletedPart[];
}

class S3Assets implements Assets {
  readonly #client: S3;
  readonly #bucket: string;
  readonly #timeoutMs: number;

  constructor(client: S3, { bucket, timeoutMs }: S3Options) {
    this.#client = client;
    this.#bucket = bucket;
    this.#timeoutMs = timeoutMs;
  }

  async put({ key, contentType, content }: NewAsset): Promise<void> {
    const target = { Bucket: this.#bucket, Key: key };
    const description = { ContentType: contentType, CacheControl: CACHE_CONTROL };
    let multipart: Multipart | null = null;
    try {
      for await (const { bytes, isLast } of parts(content)) {
        if (isLast && multipart === null) {
          await this.#within('storing an object', (abortSignal) =>
            this.#client.putObject({ ...target, ...description, Body: bytes }, { abortSignal }),
          );
          return;
        }
        multipart ??= await this.#begin(target, description);
        multipart = await this.#add(multipart, bytes);
      }
      if (multipart !== null) await this.#complete(multipart);
    } catch (error) {
      // What went wrong first is what to tell; whether the parts could be removed changes nothing that anyone sees.
      if (multipart !== null) await Promise.allSettled([this.#abort(multipart)]);
      throw error;
    }
  }

  async get(key: string): Promise<StoredAsset | null> {
    const found = await this.#within('reading an object', async (abortSignal) => {
      try {
        return await this.#client.getObject({ Bucket: this.#bucket, Key: key }, { abortSignal });
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return null;
        throw error;
      }
    });
    return found === null ? null : this.#stored(found);
  }

  #stored({ Body: body, ContentLength: size, ContentType: contentType, ETag: tag }: GetObjectCommandOutput) {
    if (!isByteStream(body)) throw this.#unavailable('reading an object', new TypeError('an answer without content'));
    if (size === undefined || contentType === undefined || tag === undefined) {
      body.destroy();
      throw this.#unavailable('reading an object', new TypeError('an answer without length, type or ETag'));
    }
    // The server's covers the content only.
    const etag = createHash('sha256').update(`${tag}\n${contentType}`).digest('base64url').slice(0, ETAG_LENGTH);
    const content = new Content(body, (step) => this.#within('reading an object', () => step));
    return { size, contentType, etag, content };
  }

  async #begin(target: Target, description: Description): Promise<Multipart> {
    const { UploadId } = await this.#within('beginning an upload', (abortSignal) =>
      this.#client.createMultipartUpload({ ...target, ...description }, { abortSignal }),
    );
    if (UploadId === undefined) throw this.#unavailable('beginning an upload', new TypeError('an answer without id'));
    return { target: { ...target, UploadId }, done: [] };
  }

  async #add({ target, done }: Multipart, bytes: Uint8Array): Promise<Multipart> {
    const PartNumber = done.length + 1;
    const { ETag } = await this.#within('uploading a part', (abortSignal) =>
      this.#client.uploadPart({ ...target, PartNumber, Body: bytes }, { abortSignal }),
    );
    if (ETag === undefined) throw this.#unavailable('uploading a part', new TypeError('an answer without ETag'));
    return { target, done: [...done, { PartNumber, ETag }] };
  }

  async #complete({ target, done }: Multipart): Promise<void> {
    const request = { ...target, MultipartUpload: { Parts: [...done] } };
    await this.#within('completing an upload', (abortSignal) =>
      this.#client.completeMultipartUpload(request, { abortSignal }),
    );
  }

  async #abort({ target }: Multipart): Promise<void> {
    await this.#within('giving up an upload', (abortSignal) =>
      this.#client.abortMultipartUpload(target, { abortSignal }),
    );
  }

  /** One step, bounded whatever it waits for: credentials, a connection, an answer, a retry. */
  async #within<T>(what: string, step: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const overdue = new AbortController();
    const timer = setTimeout(() => {
      overdue.abort(new Error(`no answer within ${this.#timeoutMs} ms`));
    }, this.#timeoutMs);
    try {
      return await Promise.race([step(overdue.signal), rejection(overdue.signal)]);
    } catch (error) {
      throw this.#unavailable(what, error);
    } finally {
      clearTimeout(timer);
    }
  }

  #unavailable(what: string, cause: unknown): StoreUnavailable {
    const kind = cause instanceof Error ? cause.name : 'no error';
    return new StoreUnavailable(`S3 bucket ${this.#bucket}: ${what} failed (${kind})`, { cause });
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        reject(toError(signal.reason));
      },
      { once: true },
    );
  });
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('given up');
}

interface Part {
  readonly bytes: Uint8Array;
  /** False for all that are full: after one, more may or may not come. */
  readonly isLast: boolean;
}

/** Content of any length, cut into parts of `PART_BYTES` and at most one shorter one at the end, which may be empty. */
async function* parts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Part, void> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let isFirst = true;
  for await (const chunk of content) {
    for (let from = 0; from < chunk.length;) {
      const piece = chunk.subarray(from, from + PART_BYTES - size);
      // A copy: whoever gave the chunk may use its memory again.
      chunks.push(Buffer.from(piece));
      size += piece.length;
      from += piece.length;
      if (size < PART_BYTES) continue;
      yield { bytes: Buffer.concat(chunks, size), isLast: false };
      isFirst = false;
      [chunks, size] = [[], 0];
    }
  }
  if (size > 0 || isFirst) yield { bytes: Buffer.concat(chunks, size), isLast: true };
}

/** What an answer's body is on Node: a stream of bytes that can be dropped. */
interface ByteStream extends AsyncIterable<Uint8Array> {
  destroy(): void;
}

function isByteStream(body: unknown): body is ByteStream {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body && 'destroy' in body;
}

type Step = IteratorResult<Uint8Array, unknown>;

/** The bytes of an answer. Its connection is kept until they are read or `return` is called; the latter closes it. */
class Content implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #body: ByteStream;
  readonly #iterator: AsyncIterator<Uint8Array, unknown>;
  readonly #bounded: (step: Promise<Step>) => Promise<Step>;
  #open = true;

  constructor(body: ByteStream, bounded: (step: Promise<Step>) => Promise<Step>) {
    this.#body = body;
    this.#iterator = body[Symbol.asyncIterator]();
    this.#bounded = bounded;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (!this.#open) return { done: true, value: undefined };
    try {
      const step = await this.#bounded(this.#iterator.next());
      if (step.done !== true) return { done: false, value: step.value };
    } catch (error) {
      await this.return();
      throw error;
    }
    return this.return();
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#open = false;
    // Of no effect once all was read.
    this.#body.destroy();
    return { done: true, value: undefined };
  }
}
