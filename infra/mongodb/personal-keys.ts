import { randomBytes } from 'node:crypto';
import { MongoServerError, type Collection, type Db } from 'mongodb';
import { PERSONAL_KEY_BYTES } from '../../src/kernel/ports/personal-keys.ts';
import type { AppliedErasures, PersonalKeys } from '../../src/kernel/ports/personal-keys.ts';
import type { KeyWrapping } from '../system/key-wrapping.ts';
import { openMongoServer } from './open-server.ts';

interface MongoPersonalKeysOptions {
  /** The URL of the read store; keys are in a database beside its own, with `-personal-keys` after its name. */
  readonly url: string;
  /** Time limit of each call, in ms. */
  readonly timeoutMs: number;
  readonly wrapping: KeyWrapping;
}

/** A person: their key, as it is kept, or when they were erased. Or a setting: JSON text. */
interface Stored {
  readonly _id: string;
  readonly key?: string;
  readonly erasedAt?: string;
  readonly value?: string;
}

const DUPLICATE_KEY = 11000;

/**
 * Opens a key store on a MongoDB server or replica set. The unique `_id` decides between those who make a key at once, and
 * a key is only ever replaced by the fact that the person was erased. Nothing is sent before the first call.
 * @throws {WrongStoreSettings} when the URL is malformed.
 */
export function openMongoPersonalKeys({ url, timeoutMs, wrapping }: MongoPersonalKeysOptions): PersonalKeys {
  const server = openMongoServer({ url, timeoutMs });
  const { maxTimeMS } = server;
  let checked: Promise<void> | null = null;

  /** Whether the keys were made with this secret: asked once, before the first key. */
  async function expectSameSecret(): Promise<void> {
    checked ??= checkSecret().catch((error: unknown) => {
      checked = null;
      throw error;
    });
    await checked;
  }

  async function checkSecret(): Promise<void> {
    const value = JSON.stringify(wrapping.check);
    const stored = await server.run('read the check of the key store', async (db) => {
      await insertedUnlessThere(settings(db), { _id: 'check', value });
      return settings(db).findOne({ _id: 'check' }, { maxTimeMS });
    });
    // JSON text of a check, written above.
    wrapping.expectSame(JSON.parse(stored?.value ?? 'null') as string | null);
  }

  const keyOf = ({ _id, key }: Stored): Uint8Array | null => (key === undefined ? null : wrapping.unwrap(_id, key));

  return {
    async find(subjects) {
      await expectSameSecret();
      const found = await server.run('read keys', (db) =>
        persons(db)
          .find({ _id: { $in: [...subjects] } }, { maxTimeMS })
          .toArray(),
      );
      return new Map(found.map((person) => [person._id, keyOf(person)]));
    },
    async create(subject) {
      await expectSameSecret();
      const key = wrapping.wrap(subject, randomBytes(PERSONAL_KEY_BYTES));
      const person = await server.write('make a key', async (db) => {
        await insertedUnlessThere(persons(db), { _id: subject, key });
        return persons(db).findOne({ _id: subject }, { maxTimeMS });
      });
      return person === null ? null : keyOf(person);
    },
    async erase(subject, erasedAt) {
      await server.write('destroy a key', async (db) => {
        const isNew = await insertedUnlessThere(persons(db), { _id: subject, erasedAt });
        if (isNew) return;
        await persons(db).updateOne(
          { _id: subject, key: { $exists: true } },
          { $set: { erasedAt }, $unset: { key: '' } },
        );
      });
    },
    async appliedUpTo() {
      const stored = await server.run('read how far erasures were applied', (db) =>
        settings(db).findOne({ _id: 'applied' }, { maxTimeMS }),
      );
      // JSON text, written below.
      return stored?.value === undefined ? null : (JSON.parse(stored.value) as AppliedErasures);
    },
    async setAppliedUpTo(applied) {
      const value = JSON.stringify(applied);
      await server.write('write how far erasures were applied', async (db) => {
        const isNew = await insertedUnlessThere(settings(db), { _id: 'applied', value });
        if (!isNew) await settings(db).updateOne({ _id: 'applied' }, { $set: { value } });
      });
    },
    close: () => server.close(),
  };
}

/** The database of keys: that of the URL holds the read models, which may be dropped. */
function keysDatabase(db: Db): Db {
  return db.client.db(`${db.databaseName}-personal-keys`);
}

function persons(db: Db): Collection<Stored> {
  return keysDatabase(db).collection('persons');
}

function settings(db: Db): Collection<Stored> {
  return keysDatabase(db).collection('settings');
}

/** Inserts a document unless there is one with its id. @returns whether it was inserted */
async function insertedUnlessThere(collection: Collection<Stored>, document: Stored): Promise<boolean> {
  try {
    await collection.insertOne(document);
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
    throw error;
  }
}
