import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { endpoint, type Endpoint, type EndpointResponse } from '../http/endpoint.ts';
import { contentEtag } from '../http/etags.ts';
import { Problem } from '../http/problems.ts';

/** The bridge as one file, by the names that the build gives it, with media types. */
const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['timing-bridge.exe', 'application/vnd.microsoft.portable-executable'],
  ['bridge.mjs', 'text/javascript; charset=utf-8'],
]);

const TAG = { name: 'Pages', description: 'Pages for people.' };

/** A program that is there. */
interface Program {
  readonly name: string;
  readonly file: URL;
  readonly bytes: number;
  readonly etag: string;
}

/** Where the build puts programs, seen from this module in dist, and from its source. */
export function builtPrograms(): URL {
  const inDist = new URL('../../../downloads/', import.meta.url);
  return existsSync(new URL('../../../web/', import.meta.url))
    ? inDist
    : new URL('../../../dist/downloads/', import.meta.url);
}

/**
 * The endpoints by which people get the bridge for a rig: which programs there are, and each of them. They are looked for at
 * each request, so that one that is made while the service runs is offered.
 * @param directory where they are; it may be missing
 */
export function downloadEndpoints(directory: URL): readonly Endpoint[] {
  return [
    endpoint({
      ...downloadBase('listDownloads', '/downloads'),
      responses: { 200: 'application/json' },
      async handle(): Promise<EndpointResponse> {
        const programs = await programsIn(directory);
        const body = JSON.stringify(programs.map(({ name, bytes }) => ({ name, bytes })));
        const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache', ETag: contentEtag(body) };
        return { kind: 'text', status: 200, body, headers };
      },
    }),
    endpoint({
      ...downloadBase('download', '/downloads/{name}'),
      params: z.object({ name: z.string() }),
      responses: { 200: 'application/octet-stream', 206: 'application/octet-stream' },
      async handle({ params: { name } }): Promise<EndpointResponse> {
        const program = await findProgram(directory, name);
        if (program === null) throw new Problem('NOT_FOUND', 'This service does not have this program.');
        return sentProgram(program);
      },
    }),
  ];
}

function downloadBase(operationId: string, path: string) {
  const head = { method: 'GET', path, operationId, tag: TAG, summary: 'Programs for rigs', access: 'public' } as const;
  return { ...head, keyless: true, features: ['etag', 'range'] } as const;
}

/** The programs in a folder, which may be missing. */
export async function programsIn(directory: URL): Promise<readonly Program[]> {
  const found = await Promise.all([...PROGRAMS.keys()].map((name) => findProgram(directory, name)));
  return found.filter((program) => program !== null);
}

/** A program; null: it is not there, or there is none of that name. */
async function findProgram(directory: URL, name: string): Promise<Program | null> {
  if (!PROGRAMS.has(name)) return null;
  const file = new URL(name, directory);
  try {
    const { size, mtimeMs } = await stat(file);
    return { name, file, bytes: size, etag: contentEtag(`${name} ${size} ${mtimeMs}`) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function sentProgram({ name, file, bytes, etag }: Program): EndpointResponse {
  const part = (first: number, last: number): AsyncIterable<Uint8Array> => bytesOf(file, first, last);
  const headers = {
    'Content-Type': PROGRAMS.get(name) ?? 'application/octet-stream',
    'Content-Length': String(bytes),
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-cache',
    'Accept-Ranges': 'bytes',
    ETag: etag,
  };
  return {
    kind: 'stream',
    status: 200,
    content: part(0, bytes - 1),
    ranges: { size: bytes, part: (first, last) => Promise.resolve(part(first, last)) },
    headers,
  };
}

/** Bytes of a file, which is opened when the first of them is asked for. */
async function* bytesOf(file: URL, first: number, last: number): AsyncGenerator<Uint8Array> {
  // The types of streams leave open what they yield; without an encoding, it is buffers.
  yield* createReadStream(file, { start: first, end: last }) as AsyncIterable<Buffer>;
}
