import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import consistency from '../../docs/examples/consistency.ts';
import learning from '../../docs/examples/learning.ts';
import rigUtilisation from '../../docs/examples/rig-utilisation.ts';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { recorded, registered, eventOn } from '../support/history/lap-events.ts';
import { readPage } from '../support/docs/markdown.ts';
import { depth } from '../support/depth.ts';
import { givenHistory, projectedAtOnce } from '../support/kernel/projecting.ts';
import { isTime, type PlainLap } from '../support/leaderboards/plain.ts';
import { lapsOf } from '../support/model/boards.ts';
import { driverName } from '../support/model/kinds.ts';
import type { Things } from '../support/model/things.ts';
import { thingsOf } from '../support/seasons/history.ts';
import { lapHistory, world } from '../support/simulation/laps.ts';
import { chancesOf } from '../support/simulation/random.ts';

const HISTORIES = depth({ short: 20, deep: 600 });
const EVENTS = 120;

/** The examples about a participant on a layout, and their tables. */
const EXAMPLES = [
  [learning, 'learning'],
  [consistency, 'consistency'],
] as const;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The row that both examples must have for the valid laps of a participant on a layout. */
function figuresOf(laps: readonly PlainLap[]) {
  const times = laps.map(({ totalTime }) => totalTime);
  if (times.length === 0) {
    return {
      learning: { laps: 0, first: null, best: null, gained: null },
      consistency: { laps: 0, best: null, theoreticalBest: null },
    };
  }
  const best = Math.min(...times);
  const mean = sum(times) / times.length;
  const deviation = Math.sqrt(sum(times.map((time) => (time - mean) ** 2)) / times.length);
  const most = Math.max(...laps.map(({ sectors }) => sectors.length));
  const whole = laps.map(({ sectors }) => sectors).filter(({ length }) => length === most);
  const bests = Array.from({ length: most }, (_, n) =>
    Math.min(...whole.map((sectors) => sectors[n] ?? 0).filter(isTime)),
  );
  const isKnown = most > 0 && bests.every(Number.isFinite);
  const order = ({ drivenAt, id }: PlainLap): string => drivenAt + id;
  const [{ totalTime: first } = { totalTime: 0 }] = laps.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  return {
    learning: { laps: times.length, first, best, gained: first - best },
    consistency: {
      laps: times.length,
      best,
      theoreticalBest: isKnown ? sum(bests) : null,
      mean: Math.round(mean),
      deviation: Math.round(deviation),
      deviationPercent: Number(((deviation / mean) * 100).toFixed(2)),
    },
  };
}

describe('the example in the page for analysts', () => {
  it('is the code that the page shows', () => {
    const block = readPage('docs/analysts.md').blocks.find(({ name }) => name === 'history learning.ts');
    expect(block?.text).to.equal(readFileSync('docs/examples/learning.ts', 'utf8'));
  });

  it('type-checks in any folder where the package is linked', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'timing-editor-'));
    try {
      const file = join(folder, 'learning.ts');
      await mkdir(join(folder, 'node_modules'));
      await symlink(resolve('.'), join(folder, 'node_modules', 'sim-racing-timing'));
      await copyFile('docs/examples/learning.ts', file);
      const { NodeNext: module } = ts.ModuleKind;
      const program = ts.createProgram([file], { strict: true, noEmit: true, module, target: ts.ScriptTarget.ES2023 });
      const faults = program.getSemanticDiagnostics(program.getSourceFile(file));
      expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).to.deep.equal([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('keeps its rows at a fixed size, so that a history takes linear time', async () => {
    const laps = Array.from({ length: 100 }, (_, n) =>
      recorded(`${n}`, [1_000 + n, 2_000 + n], { participantId: 'ada', trackId: 'spa' }),
    );
    const slower = laps.slice(1).map(({ stream }) => eventOn(stream, 'LapInvalidated'));
    for (const [module, table] of EXAMPLES) {
      const { models } = await givenHistory(module, registered('ada', 'Ada'), ...laps, ...slower);
      const row = await models.get(table, 'ada:spa');
      expect(row).to.include({ laps: 1, best: 3_000 });
      expect(JSON.stringify(row), table).to.have.length.below(1_000);
    }
  });

  it('is right after corrections and renames in any order, and so are the other examples', async () => {
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const events = await lapHistory(chancesOf(seed), EVENTS);
      const things = thingsOf(events);
      await expectFigures(events, things);
      await expectUse(events, things);
    }
  });
});

/** The rows of both examples for each participant on each layout. */
async function expectFigures(events: readonly RecordedEvent[], things: Things): Promise<void> {
  const laps = lapsOf(things, things).filter(({ valid, totalTime }) => valid && isTime(totalTime));
  const { participantIds, trackIds } = world;
  for (const [module, table] of EXAMPLES) {
    const models = await projectedAtOnce(events, module);
    for (const [participantId, trackId] of participantIds.flatMap((id) => trackIds.map((layout) => [id, layout]))) {
      const figures = figuresOf(laps.filter((lap) => lap.participantId === participantId && lap.trackId === trackId));
      const layout = things.lookup('TrackLayout', trackId, 'displayName');
      const shown = { participant: driverName(things.lookup, participantId), layout };
      const row = await models.get(table, `${participantId}:${trackId}`);
      if (row === null) expect(figures[table].laps, table).to.equal(0);
      else expect(row, table).to.include({ ...shown, ...figures[table] });
    }
  }
}

/** In each hour in which a lap was recorded. */
async function expectUse(events: readonly RecordedEvent[], things: Things): Promise<void> {
  const models = await projectedAtOnce(events, rigUtilisation);
  const laps = lapsOf(things, things);
  for (const rigId of world.rigIds) {
    const name = things.lookup('Rig', rigId, 'name');
    for (const hour of new Set(laps.map(({ createdAt }) => createdAt.slice(0, 13)))) {
      const own = laps.filter(
        ({ id, createdAt }) => things.lookup('Lap', id, 'rigId') === rigId && createdAt.startsWith(hour),
      );
      const driven = sum(own.map(({ totalTime }) => (isTime(totalTime) ? totalTime : 0)));
      const percent = Number(((driven / 3_600_000) * 100).toFixed(2));
      const row = await models.get('rigUtilisation', `${rigId}:${hour}:00:00.000Z`);
      if (row === null) expect(own).to.deep.equal([]);
      else expect(row).to.include({ rigId, rig: name, laps: own.length, driven, percent });
    }
  }
}
