import { expect } from 'chai';
import { registersOf } from '../../../infra/mongodb/registers.ts';
import type { MongoServer } from '../../../infra/mongodb/server.ts';
import type { JsonObject } from '../../../src/kernel/json.ts';

interface Version {
  readonly _id: string;
  readonly version: number;
  readonly value: string;
}

type Range = { readonly $gte: string; readonly $lte?: string; readonly $lt?: string };

/** The versions of registers in memory, as far as the adapter asks for them; `pause` is waited for before each insert. */
function serverWith(all: Map<string, Version>, pause: () => Promise<void>): MongoServer {
  const collection = {
    findOne: async ({ _id }: { readonly _id: string | Range }) => {
      if (typeof _id === 'string') return all.get(_id) ?? null;
      const found = [...all.keys()].filter((key) => key >= _id.$gte && key <= (_id.$lte ?? '~')).sort();
      return all.get(found.at(-1) ?? '') ?? null;
    },
    insertOne: async (version: Version) => {
      await pause();
      if (all.has(version._id)) throw new Error('duplicate');
      all.set(version._id, version);
    },
    deleteOne: async ({ _id }: { readonly _id: string }) => all.delete(_id),
    deleteMany: async ({ _id }: { readonly _id: Range }) => {
      for (const key of [...all.keys()]) if (key >= _id.$gte && key < (_id.$lt ?? '')) all.delete(key);
    },
  };
  const server = {
    maxTimeMS: 1_000,
    run: (_: string, call: (db: unknown) => unknown) => call({ collection: () => collection }),
  };
  // What `registersOf` uses of a server.
  return server as unknown as MongoServer;
}

describe('registers in MongoDB', () => {
  it('are not written by a process that was paused while others wrote more versions than are kept', async () => {
    const all = new Map<string, Version>();
    const others = registersOf(serverWith(all, () => Promise.resolve()));
    let wake = (): void => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    const paused = registersOf(serverWith(all, () => asleep));
    expect(await others.writeRegister('lease', { holder: 'a' }, 0)).to.equal(true);
    const late = paused.writeRegister('lease', { holder: 'paused' }, 1);
    for (let version = 1; version <= 2_500; version += 1)
      expect(await others.writeRegister('lease', { holder: `b${version}` } satisfies JsonObject, version)).to.equal(
        true,
      );
    wake();
    expect(await late).to.equal(false);
    expect(await others.readRegister('lease')).to.deep.equal({ version: 2_501, value: { holder: 'b2500' } });
    expect(
      [...all.values()].some(({ value }) => value.includes('paused')),
      'what it left',
    ).to.equal(false);
  });
});
