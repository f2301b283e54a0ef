import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { factsOf, LapJournal, type KeptLap } from '../../src/clients/bridge/lap-journal.ts';
import { Failure } from '../../src/clients/connection.ts';
import { LapQueue, type QueuedLap } from '../../src/clients/delivery/lap-queue.ts';
import { useWorld } from '../support/processes/world.ts';

const SESSION = { id: '12', kind: 'practice', name: null, track: '10', layout: null } as const;

function lap(id: string, more: Partial<KeptLap> = {}): KeptLap {
  return {
    id,
    session: SESSION,
    format: 'f1-udp-2025',
    game: 'f1',
    car: '0',
    lap: 1,
    ms: 91_204,
    sectors: [30_000, 30_000, null],
    valid: true,
    isOut: false,
    driver: 'Ida Moor',
    driverId: null,
    model: '4',
    drivenAt: '2026-05-01T20:00:00.000Z',
    ...more,
  };
}

const idsOf = (laps: readonly KeptLap[]): readonly string[] => laps.map(({ id }) => id);
const changesOf = ({ changes }: LapJournal): readonly string[] => changes.map((one) => `${one.kind} ${one.lap.id}`);

describe('the journal of a bridge', () => {
  const world = useWorld();

  it('keeps each lap once, and knows after a restart what waits', () => {
    const journal = new LapJournal(world.dataDir);
    expect([journal.keep(lap('a')), journal.keep(lap('b')), journal.keep(lap('a'))]).to.deep.equal([true, true, false]);
    journal.handOver('a', factsOf(lap('a')));
    const again = new LapJournal(world.dataDir);
    expect(idsOf(again.waiting)).to.deep.equal(['b']);
    expect(again.keep(lap('b'))).to.equal(false);
    expect(changesOf(again)).to.deep.equal([]);
  });

  it('loses nothing but a line that a crash has cut off', () => {
    const journal = new LapJournal(world.dataDir);
    journal.keep(lap('a'));
    appendFileSync(join(world.dataDir, 'found.ndjson'), '{"do":"keep","lap":{"id":"b"');
    expect(idsOf(new LapJournal(world.dataDir).waiting)).to.deep.equal(['a']);
    expect(readFileSync(join(world.dataDir, 'found.ndjson'), 'utf8')).to.match(/\}\n$/);
  });

  it('loses nothing but a line that a power cut on Windows has left as zeros', () => {
    const path = join(world.dataDir, 'found.ndjson');
    new LapJournal(world.dataDir).keep(lap('a'));
    for (const left of ['\0'.repeat(512), `${'\0'.repeat(512)}"valid":true}}\n`]) {
      appendFileSync(path, left);
      const journal = new LapJournal(world.dataDir);
      expect(idsOf(journal.waiting)).to.deep.equal(['a']);
      expect(readFileSync(path, 'utf8')).to.match(/^[^\0]+\}\n$/);
    }
    const journal = new LapJournal(world.dataDir);
    journal.keep(lap('b'));
    expect(idsOf(new LapJournal(world.dataDir).waiting)).to.deep.equal(['a', 'b']);
  });

  it('does not pass over a line that is damaged elsewhere', () => {
    const path = join(world.dataDir, 'found.ndjson');
    new LapJournal(world.dataDir).keep(lap('a'));
    appendFileSync(path, '\0\0\n');
    appendFileSync(path, `${JSON.stringify({ do: 'keep', lap: lap('b') })}\n`);
    expect(() => new LapJournal(world.dataDir)).to.throw(Failure, `${path} is damaged in line 2`);
  });

  it('sends all laps again if it is not known which are settled', () => {
    const queued: QueuedLap = {
      key: 'a',
      rigId: '0',
      carId: '0',
      trackId: '0',
      sectors: [],
      totalTime: 91_204,
      valid: true,
      sequence: { boot: '1', number: 1 },
    };
    const queue = new LapQueue(world.dataDir);
    queue.add(queued);
    queue.settle([queued]);
    expect(new LapQueue(world.dataDir).waiting).to.equal(0);
    writeFileSync(join(world.dataDir, 'settled.json'), '\0'.repeat(27));
    expect(new LapQueue(world.dataDir).next(10)).to.deep.equal([queued]);
  });

  it('strikes a lap that was handed over and is taken back, and forgets one that was not', () => {
    const journal = new LapJournal(world.dataDir);
    journal.keep(lap('sent'));
    journal.keep(lap('waiting'));
    journal.handOver('sent', factsOf(lap('sent')));
    expect([journal.takeBack('sent'), journal.takeBack('waiting'), journal.takeBack('sent')]).to.deep.equal([
      true,
      true,
      false,
    ]);
    const again = new LapJournal(world.dataDir);
    expect(idsOf(again.waiting)).to.deep.equal([]);
    expect(changesOf(again)).to.deep.equal(['strike sent']);
    again.end('sent');
    expect(changesOf(new LapJournal(world.dataDir))).to.deep.equal([]);
  });

  it('corrects a lap whose validity or sectors become known otherwise, until that is sent', () => {
    const journal = new LapJournal(world.dataDir);
    journal.keep(lap('a'));
    journal.handOver('a', factsOf(lap('a')));
    // Who drove is not sent.
    journal.correct(lap('a', { driver: 'Bo Lind' }));
    expect(changesOf(journal)).to.deep.equal([]);
    const corrected = lap('a', { valid: false, drivenAt: '2026-05-01T21:00:00.000Z' });
    journal.correct(corrected);
    expect(journal.changes).to.deep.equal([{ kind: 'correct', lap: { ...corrected, drivenAt: lap('a').drivenAt } }]);
    journal.handOver('a', factsOf(corrected));
    expect(changesOf(new LapJournal(world.dataDir))).to.deep.equal([]);
  });

  it('forgets old laps with which nothing is to be done, and none of the others', () => {
    const journal = new LapJournal(world.dataDir);
    journal.keep(lap('waiting'));
    journal.keep(lap('taken back'));
    journal.handOver('taken back', factsOf(lap('taken back')));
    journal.takeBack('taken back');
    const line = (entry: object): string => `${JSON.stringify(entry)}\n`;
    const lines: string[] = [];
    for (let n = 0; n < 12_000; n += 1) {
      const one = lap(`done ${n}`);
      lines.push(line({ do: 'keep', lap: one }), line({ do: 'hand-over', id: one.id, facts: factsOf(one) }));
    }
    appendFileSync(join(world.dataDir, 'found.ndjson'), lines.join(''));
    const again = new LapJournal(world.dataDir);
    expect(readFileSync(join(world.dataDir, 'found.ndjson'), 'utf8').split('\n').length).to.be.below(5_000);
    expect(idsOf(again.waiting)).to.deep.equal(['waiting']);
    expect(changesOf(again)).to.deep.equal(['strike taken back']);
    expect([again.keep(lap('done 11999')), again.keep(lap('done 0'))]).to.deep.equal([false, true]);
  });
});

describe('the queue of laps', () => {
  const world = useWorld();

  it('forgets old settled laps, and none that waits', () => {
    const own = new LapQueue(world.dataDir);
    const laps = [1, 2, 3, 4, 5].map(queuedLap);
    for (const one of laps) own.add(one);
    own.settle(laps.slice(0, 4));
    own.forget(1);
    const numbersOf = ({ laps: kept }: LapQueue): readonly number[] => kept.map(({ sequence }) => sequence.number);
    expect(numbersOf(own)).to.deep.equal([4, 5]);
    const again = new LapQueue(world.dataDir);
    expect(numbersOf(again)).to.deep.equal([4, 5]);
    expect([again.waiting, again.next(10).map(({ sequence }) => sequence.number)]).to.deep.equal([1, [5]]);
    const [first, second] = again.laps;
    expect([first, second].map((one) => one !== undefined && again.isSettled(one))).to.deep.equal([true, false]);
  });
});

function queuedLap(number: number): QueuedLap {
  return {
    key: `key/${number}`,
    sequence: { boot: '1', number },
    rigId: 'rig',
    carId: 'car',
    trackId: 'layout',
    sectors: [],
    totalTime: 90_000 + number,
    valid: true,
  };
}
