import { expect } from 'chai';
import type { PersonalKeys } from '../../src/kernel/ports/personal-keys.ts';
import { declareLaws } from '../support/kernel/laws.ts';

/** One adapter's key store, for the contract. `open` opens the same store each time, as other processes do. */
export interface PersonalKeysHarness {
  readonly name: string;
  readonly open: () => Promise<PersonalKeys>;
  /** Laws that the adapter does not keep, each with the reason. */
  readonly skip?: Partial<Record<LawName, string>>;
}

const ERASED_AT = '2026-03-01T18:00:00.000Z';

let count = 0;

/** A subject that no other law uses. */
function newSubject(): string {
  count += 1;
  return `participant-law-${count}`;
}

async function keyOf(keys: PersonalKeys, subject: string): Promise<Uint8Array | null | undefined> {
  return (await keys.find([subject])).get(subject);
}

type Open = PersonalKeysHarness['open'];

/** What every key store promises, by name. */
const laws = {
  async 'has no key that nobody made'(open: Open) {
    expect([...(await (await open()).find([newSubject(), newSubject()]))]).to.deep.equal([]);
  },

  async 'gives the key that was made, to every process'(open: Open) {
    const here = await open();
    const there = await open();
    const subject = newSubject();
    const key = await here.create(subject);
    expect(key).to.have.length(32);
    for (const keys of [here, there, await open()]) {
      expect(await keyOf(keys, subject)).to.deep.equal(key);
      expect(await keys.create(subject)).to.deep.equal(key);
    }
  },

  async 'makes another key for each subject'(open: Open) {
    const keys = await open();
    const subjects = Array.from({ length: 20 }, newSubject);
    const made = await Promise.all(subjects.map((subject) => keys.create(subject)));
    expect(new Set(made.map((key) => Buffer.from(key ?? []).toString('hex')))).to.have.property('size', 20);
    const found = await keys.find([...subjects, newSubject()]);
    expect([...found.keys()]).to.have.members(subjects);
    for (const [n, subject] of subjects.entries()) expect(found.get(subject)).to.deep.equal(made[n]);
  },

  async 'gives all who make a key at once the same one'(open: Open) {
    const stores = await Promise.all([open(), open(), open()]);
    for (let round = 0; round < 10; round += 1) {
      const subject = newSubject();
      const made = await Promise.all([...stores, ...stores].map((keys) => keys.create(subject)));
      for (const key of made) expect(key).to.deep.equal(made[0]);
    }
  },

  async 'destroys a key for good, in every process'(open: Open) {
    const here = await open();
    const there = await open();
    const subject = newSubject();
    const other = newSubject();
    await here.create(subject);
    const otherKey = await here.create(other);
    await there.erase(subject, ERASED_AT);
    await there.erase(subject, ERASED_AT);
    for (const keys of [here, there, await open()]) {
      expect(await keyOf(keys, subject)).to.equal(null);
      expect(await keys.create(subject)).to.equal(null);
      expect(await keyOf(keys, other)).to.deep.equal(otherKey);
    }
  },

  async 'remembers the erasure of somebody who had no key'(open: Open) {
    const subject = newSubject();
    await (await open()).erase(subject, ERASED_AT);
    const keys = await open();
    expect(await keyOf(keys, subject)).to.equal(null);
    expect(await keys.create(subject)).to.equal(null);
  },

  async 'erases while keys are made, and loses none of them'(open: Open) {
    const here = await open();
    const there = await open();
    const erased = Array.from({ length: 10 }, newSubject);
    await Promise.all(erased.map((subject) => here.create(subject)));
    const made = Array.from({ length: 10 }, newSubject);
    await Promise.all([
      ...made.map((subject) => here.create(subject)),
      ...erased.map((subject) => there.erase(subject, ERASED_AT)),
    ]);
    const found = await here.find([...made, ...erased]);
    for (const subject of made) expect(found.get(subject)).to.have.length(32);
    for (const subject of erased) expect(found.get(subject)).to.equal(null);
  },

  async 'has one outcome of a key that is made and an erasure at once'(open: Open) {
    const here = await open();
    const there = await open();
    for (let round = 0; round < 10; round += 1) {
      const subject = newSubject();
      await Promise.all([here.create(subject), there.erase(subject, ERASED_AT)]);
      expect(await keyOf(here, subject)).to.equal(null);
    }
  },

  async 'remembers up to where erasures were applied'(open: Open) {
    const keys = await open();
    for (const position of [3, 7]) {
      await keys.setAppliedUpTo({ history: 'history-1', position });
      expect(await (await open()).appliedUpTo()).to.deep.equal({ history: 'history-1', position });
    }
    await keys.create(newSubject());
    const subject = newSubject();
    await keys.create(subject);
    await keys.erase(subject, ERASED_AT);
    expect(await keys.appliedUpTo()).to.deep.equal({ history: 'history-1', position: 7 });
  },
};

type LawName = keyof typeof laws;

/** Checks that an adapter keeps the laws of the key store. */
export function personalKeysContract({ name, open, skip = {} }: PersonalKeysHarness): void {
  describe(`key store: ${name}`, () => {
    const opened: PersonalKeys[] = [];
    const openOne = async (): Promise<PersonalKeys> => {
      const keys = await open();
      opened.push(keys);
      return keys;
    };
    afterEach(async () => {
      for (const keys of opened.splice(0)) await keys.close();
    });

    declareLaws(laws, skip, (law) => law(openOne));
  });
}
