import { MongoServerError } from 'mongodb';
import type { Db } from 'mongodb';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import type { MongoServer } from './server.ts';

const COLLECTION = 'registers';
const DUPLICATE_KEY = 11000;
/** Digits of a version in a key: enough for any safe integer, so that keys sort as versions do. */
const DIGITS = 16;
/**
 * Fewest versions that are kept. Reading needs one. The older ones make the insert fail of a writer that was paused between
 * its read and its insert while others wrote. A writer that was paused for even longer finds the newer ones afterwards.
 */
const MIN_STORED_VERSIONS = 1000;
/** Number of writes between two deletions of older versions. */
const TRIMMED_EVERY = 100;

/** A version of a register; its `_id` is made of name and version. */
interface Version {
  readonly _id: string;
  readonly version: number;
  /** JSON text. */
  readonly value: string;
}

/**
 * The registers of a server. A version is a document that is inserted once: the unique key decides between writers. (A
 * conditional update would do in MongoDB, but FerretDB 1.24 lets several such updates of one document succeed.)
 */
export function registersOf(server: MongoServer): Pick<ReadStore, 'readRegister' | 'writeRegister'> {
  const newestOf = (name: string): Promise<Version | null> =>
    server.run('read a register', (db) =>
      versions(db).findOne(
        { _id: { $gte: keyOf(name, 0), $lte: keyOf(name, Number.MAX_SAFE_INTEGER) } },
        { sort: { _id: -1 }, maxTimeMS: server.maxTimeMS },
      ),
    );
  return {
    async readRegister(name) {
      const newest = await newestOf(name);
      // JSON text of an object, written below.
      return newest === null ? null : { version: newest.version, value: JSON.parse(newest.value) as JsonObject };
    },
    async writeRegister(name, value, expected) {
      if (((await newestOf(name))?.version ?? 0) !== expected) return false;
      const version = expected + 1;
      const document = { _id: keyOf(name, version), version, value: JSON.stringify(value) };
      if (!(await server.run('write a register', (db) => insertedFirst(db, document)))) return false;
      const won = await isInPlace(server, name, version);
      if (!won) await server.run('take back a register', (db) => versions(db).deleteOne({ _id: document._id }));
      if (won && version > MIN_STORED_VERSIONS && version % TRIMMED_EVERY === 0)
        await trim(server, name, version - MIN_STORED_VERSIONS);
      return won;
    },
  };
}

async function insertedFirst(db: Db, document: Version): Promise<boolean> {
  try {
    await versions(db).insertOne(document);
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
    throw error;
  }
}

/**
 * Whether a version that was inserted follows the one before: others have written more versions than are kept where that
 * is gone, and there are newer ones. Nobody has read it then, as only the newest is read.
 */
async function isInPlace(server: MongoServer, name: string, version: number): Promise<boolean> {
  if (version === 1) return true;
  const { maxTimeMS } = server;
  const before = await server.run('check a register', (db) =>
    versions(db).findOne({ _id: keyOf(name, version - 1) }, { maxTimeMS }),
  );
  return before !== null;
}

async function trim(server: MongoServer, name: string, before: number): Promise<void> {
  const old = { _id: { $gte: keyOf(name, 0), $lt: keyOf(name, before) } };
  await server.run('trim a register', (db) => versions(db).deleteMany(old, { maxTimeMS: server.maxTimeMS }));
}

function versions(db: Db) {
  return db.collection<Version>(COLLECTION);
}

/** The key of a version. The encoded name contains no `@`. */
function keyOf(name: string, version: number): string {
  return `${encodeURIComponent(name)}@${String(version).padStart(DIGITS, '0')}`;
}
