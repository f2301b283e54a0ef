import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import type { ReadModels, ReadStore } from '../../src/kernel/ports/read-store.ts';
import { openLmdbReadStore } from '../../infra/lmdb/read-store.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';
import { by, pages, streamed } from '../support/read-store/fixtures.ts';
import { eventChanges, WRITTEN } from '../support/read-store/history.ts';
import { depth } from '../support/depth.ts';
import { useDirectories } from '../support/directories.ts';
import { forkScript } from '../support/processes/script.ts';

/** How often a writer is killed. */
const KILLS = depth({ short: 4, deep: 12 });

/** Events that three writers race through. */
const RACED = depth({ short: 1_000, deep: 3_000 });

const path = useDirectories()();

describe('read store on LMDB, several processes', () => {
  let store: ReadStore;

  before(async () => {
    store = await openLmdbReadStore({ path });
  });
  after(() => store.close());

  it('is intact after kill -9 under writes, and continues from its checkpoint', async () => {
    const models = await store.namespace('killed', [WRITTEN]);
    let reached = 0;
    for (let round = 1; round <= KILLS; round += 1) {
      const child = write('killed', { last: 1_000_000, step: 1 + (round % 4) });
      const acknowledged = await positionAfter(child, reached + 20 * round);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const checkpoint = (await models.checkpoint()) ?? 0;
      expect(checkpoint).to.be.at.least(acknowledged);
      await expectHistory(models, checkpoint);
      reached = checkpoint;
    }
  });

  it('has the right documents with a second projector far behind, while a third process reads', async () => {
    const models = await store.namespace('raced', [WRITTEN]);
    const last = RACED;
    const writers = [
      write('raced', { last, step: 7 }),
      write('raced', { last, step: 50, stale: true }),
      write('raced', { last, step: 3, stale: true }),
    ];
    const ended = Promise.all(writers.map((child) => once(child, 'exit')));
    let seen = 0;
    const looks: Promise<void>[] = [];
    const look = async (): Promise<void> => {
      const checkpoint = (await models.checkpoint()) ?? 0;
      expect(checkpoint).to.be.at.least(seen);
      seen = checkpoint;
      expect(await models.count('written', {})).to.be.at.least(Math.floor(checkpoint / 4));
    };
    for (const child of writers) child.on('message', () => looks.push(look()));
    for (const [code] of await ended) expect(code).to.equal(0);
    await Promise.all(looks);
    expect(await models.checkpoint()).to.equal(last);
    await expectHistory(models, last);
  });

  it('keeps an index that another process declares', async () => {
    const models = await store.namespace('declared', [{ name: WRITTEN.name, indexes: [] }]);
    await models.apply(eventChanges(4), 4);
    const child = write('declared', { last: 100, step: 10 });
    await once(child, 'exit');
    const changes = Array.from({ length: 100 }, (_, at) => eventChanges(at + 101)).flat();
    await models.apply(changes, 200);
    await expectHistory(models, 200);
  });

  function write(namespace: string, run: { last: number; step: number; stale?: boolean }): ChildProcess {
    const given = [path, namespace, String(run.last), String(run.step), run.stale === true ? 'stale' : ''];
    return forkScript('read-store/writer', given);
  }
});

/** Waits until a writer has acknowledged at least this position, and returns the one that it said then. */
function positionAfter(child: ChildProcess, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('message', (reached) => {
      if (typeof reached === 'number' && reached >= position) resolve(reached);
    });
    child.on('exit', () => {
      reject(new Error('the writer ended'));
    });
  });
}

/** The documents, and every index, are what the history up to the checkpoint makes. */
async function expectHistory(models: ReadModels, checkpoint: number): Promise<void> {
  const model = memoryReadModels();
  for (let position = 1; position <= checkpoint; position += 1) await model.apply(eventChanges(position), position);
  const page = { where: {}, sort: by('value'), offset: 0, limit: 1e6 };
  expect(await models.find('written', page)).to.deep.equal(await model.find('written', page));
  for (let group = 0; group < 5; group += 1) {
    const where = { group: `g${group}` };
    for (const sort of [by('value'), by('id')]) {
      const query = { where, sort };
      expect(await pages(models, 'written', query)).to.deep.equal(await pages(model, 'written', query));
    }
    const all = { where, isById: true };
    expect(await streamed(models, 'written', all)).to.deep.equal(await streamed(model, 'written', all));
    expect(await models.count('written', where)).to.equal(await model.count('written', where));
  }
}
