import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Assets, StoredAsset } from '../../src/kernel/ports/assets.ts';
import { chunks, type Chunk } from '../support/assets/content.ts';
import { failureOf } from '../support/failure.ts';
import { declareLaws } from '../support/kernel/laws.ts';

/**
 * One adapter's store, for the contract: `open` opens the same store each time, another process's view of it so to
 * speak.
 */
export interface AssetsHarness {
  readonly name: string;
  readonly open: () => Promise<Assets>;
  /** Laws that the adapter does not keep, each with the reason. */
  readonly skip?: Partial<Record<LawName, string>>;
}

type Open = AssetsHarness['open'];

let count = 0;

/** A key that no other law uses. */
function newKey(): string {
  count += 1;
  return `LOGO/law-${count}.png`;
}

async function put(assets: Assets, key: string, ...contents: readonly Chunk[]): Promise<void> {
  await assets.put({ key, contentType: 'image/png', ...chunks(...contents) });
}

async function read(asset: StoredAsset | null): Promise<string> {
  const bytes = asset === null ? null : await buffer(asset.content);
  expect(bytes).to.have.length(asset?.size ?? 0);
  return bytes?.toString('latin1') ?? '';
}

const failing = new Error('the upload broke off');

async function putFails(assets: Assets, key: string, ...contents: readonly string[]): Promise<void> {
  expect(await failureOf(put(assets, key, ...contents, failing))).to.equal(failing);
}

async function keepsApart(assets: Assets, keys: readonly string[]): Promise<void> {
  for (const key of keys) await put(assets, key, key);
  for (const key of keys) expect(await read(await assets.get(key))).to.equal(Buffer.from(key).toString('latin1'));
}

/** What every store of assets promises, by name. */
const laws = {
  async 'gives back what was put, in every process'(open: Open) {
    const here = await open();
    const there = await open();
    const key = newKey();
    await put(here, key, 'one ', '', 'two');
    for (const assets of [here, there, await open()]) {
      const asset = await assets.get(key);
      expect(asset).to.include({ contentType: 'image/png', size: 7 });
      expect(asset?.etag).to.match(/^[!#-~]+$/);
      expect(await read(asset)).to.equal('one two');
    }
  },
  async 'keeps content of no and of many bytes'(open: Open) {
    const assets = await open();
    const large = randomBytes(1_000_003);
    const none = newKey();
    const many = newKey();
    await put(assets, none);
    await put(assets, many, large.subarray(0, 7), large.subarray(7));
    expect(await read(await assets.get(none))).to.equal('');
    expect(await read(await assets.get(many))).to.equal(large.toString('latin1'));
  },
  async 'replaces content, type and etag together'(open: Open) {
    const assets = await open();
    const key = newKey();
    await put(assets, key, 'old');
    const old = await assets.get(key);
    await assets.put({ key, contentType: 'image/svg+xml', ...chunks('old') });
    const retyped = await assets.get(key);
    expect(retyped).to.include({ contentType: 'image/svg+xml', size: 3 });
    expect(retyped?.etag).not.to.equal(old?.etag);
    await put(assets, key, 'newer');
    expect(await read(await assets.get(key))).to.equal('newer');
    expect(await read(old)).to.equal('old');
    expect(await read(retyped)).to.equal('old');
  },
  async 'gives the same etag for the same content'(open: Open) {
    const assets = await open();
    const key = newKey();
    await put(assets, key, 'a', 'b');
    const before = await assets.get(key);
    await put(assets, key, 'ab');
    const after = await assets.get(key);
    expect(after?.etag).to.equal(before?.etag);
    await read(before);
    await read(after);
  },
  async 'stores nothing, and keeps what was there, when the content fails'(open: Open) {
    const assets = await open();
    const empty = newKey();
    const full = newKey();
    await put(assets, full, 'good');
    for (const key of [empty, full]) {
      await putFails(assets, key);
      await putFails(assets, key, 'half');
    }
    expect(await assets.get(empty)).to.equal(null);
    expect(await read(await assets.get(full))).to.equal('good');
  },
  async 'keeps one of many that are put at once'(open: Open) {
    const here = await open();
    const there = await open();
    const key = newKey();
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(1000));
    await Promise.all(texts.map((text, index) => put(index % 2 ? here : there, key, text)));
    expect(texts).to.include(await read(await here.get(key)));
  },
  async 'keeps keys apart, odd names and letter case included'(open: Open) {
    const keys = ['LOGO/x', 'LOGO/X', 'BRAND/x', 'LOGO/f/x', 'LOGO/%2e%2e', 'LOGO/ü 😀?#&+', `LOGO/${'n'.repeat(240)}`];
    await keepsApart(await open(), keys);
  },
  async 'keeps a file apart from those in a folder of its name'(open: Open) {
    await keepsApart(await open(), ['LOGO/both', 'LOGO/both/inner']);
  },
  async 'gives parts of the content that it has found, to the byte'(open: Open) {
    const assets = await open();
    const key = newKey();
    const large = randomBytes(300_000);
    await put(assets, key, large);
    const parts = [
      [0, 0],
      [7, 99_999],
      [299_999, 299_999],
      [0, 299_999],
    ] as const;
    for (const [first, last] of parts) {
      const asset = await assets.get(key);
      const part = asset === null ? null : await buffer(await asset.part(first, last));
      expect(part?.equals(large.subarray(first, last + 1)), `${first}-${last}`).to.equal(true);
    }
  },
  async 'removes an asset for every process, and nothing where there is none'(open: Open) {
    const here = await open();
    const there = await open();
    const removed = newKey();
    const kept = newKey();
    await put(here, removed, 'gone');
    await put(here, kept, 'here');
    for (let times = 1; times <= 2; times += 1) {
      await there.remove(removed);
      expect(await here.get(removed)).to.equal(null);
    }
    expect(await read(await here.get(kept))).to.equal('here');
    await put(here, removed, 'again');
    expect(await read(await there.get(removed))).to.equal('again');
  },
  async 'moves an asset to another key, whole and as it was, and nothing where there is none'(open: Open) {
    const here = await open();
    const there = await open();
    const content = randomBytes(300_000);
    for (const name of ['plain.png', 'ü 😀?#&+%2e.png']) {
      const from = `${newKey()}/${name}`;
      const to = `removed/2026-03-01/${from}`;
      await put(here, from, content);
      const before = await here.get(from);
      await before?.content[Symbol.asyncIterator]().return?.();
      for (let times = 1; times <= 2; times += 1) {
        await there.move(from, to);
        expect(await here.get(from)).to.equal(null);
        const moved = await here.get(to);
        expect(moved).to.include({ contentType: 'image/png', etag: before?.etag, size: content.length });
        expect(await read(moved)).to.equal(content.toString('latin1'));
      }
      const listed: string[] = [];
      for await (const { key } of there.list('')) if (key.endsWith(from)) listed.push(key);
      expect(listed).to.deep.equal([to]);
      await there.move(to, from);
      expect(await read(await here.get(from))).to.equal(content.toString('latin1'));
      expect(await here.get(to)).to.equal(null);
    }
  },
  async 'lists what is there below a prefix, and when it was stored'(open: Open) {
    const assets = await open();
    const own = newKey().replace('.png', '/');
    const keys = Array.from({ length: 30 }, (_, n) => `${own}${n}/ü 😀`);
    const before = Date.now();
    for (const key of keys) await put(assets, key, key);
    await assets.remove(`${own}7/ü 😀`);
    const listed = new Map<string, number>();
    for await (const { key, storedAt } of assets.list(own)) listed.set(key, storedAt);
    expect([...listed.keys()]).to.have.members(keys.filter((key) => !key.startsWith(`${own}7/`)));
    // Stores have clocks of their own, and some of them whole seconds.
    for (const storedAt of listed.values()) expect(storedAt).to.be.within(before - 60_000, Date.now() + 60_000);
    for await (const { key } of assets.list('NOTHING/')) expect.fail(key);
  },
  async 'lets go of content that nobody reads, read in part or not at all'(open: Open) {
    const assets = await open();
    const key = newKey();
    await put(assets, key, randomBytes(300_000));
    for (const steps of [0, 1]) {
      const iterator = (await assets.get(key))?.content[Symbol.asyncIterator]();
      for (let step = 0; step < steps; step += 1) await iterator?.next();
      await iterator?.return?.();
      expect(await iterator?.next()).to.include({ done: true });
    }
  },
};

export type LawName = keyof typeof laws;

/** Declares one test per law for an adapter. */
export function assetsContract({ name, open, skip = {} }: AssetsHarness): void {
  describe(`assets contract: ${name}`, () => {
    declareLaws(laws, skip, (law) => law(open));
  });
}
