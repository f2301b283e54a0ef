import { expect } from 'chai';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import consistency from '../../projections/examples/consistency.ts';
import learning from '../../projections/examples/learning.ts';
import { recorded, registered, told } from '../support/history/lap-events.ts';
import { readPage } from '../support/docs/markdown.ts';
import { depth } from '../support/depth.ts';
import { givenHistory, type HistoryEvent } from '../support/kernel/projecting.ts';

const PEOPLE = ['ada', 'bob'] as const;
const LAYOUTS = ['spa', 'zolder'] as const;
const LAPS = ['1', '2', '3', '4'] as const;

interface Lap {
  participantId: string;
  trackId: string;
  totalTime: number;
  valid: boolean;
}

/** Something that happens to one of the laps, or to a person. */
const step = fc.record({
  what: fc.constantFrom('corrected', 'flipped', 'reassigned', 'moved', 'renamed'),
  lap: fc.constantFrom(...LAPS),
  person: fc.constantFrom(...PEOPLE),
  layout: fc.constantFrom(...LAYOUTS),
  time: fc.integer({ min: 0, max: 9 }),
});
type Step = ReturnType<typeof step.generate>['value'];

/** What happened, and how laps and names are after that. */
function played(steps: readonly Step[]) {
  const names = new Map<string, string>(PEOPLE.map((id) => [id, id]));
  const laps = new Map<string, Lap>();
  const history: HistoryEvent[] = PEOPLE.map((id) => registered(id, id));
  for (const { what, lap: id, person, layout, time } of steps) {
    const stream = `lap-${id}`;
    const lap = laps.get(id);
    if (what === 'renamed') {
      names.set(person, `${person} ${time}`);
      history.push(
        told(`participant-${person}`, 'ParticipantRenamed', { firstName: `${person} ${time}`, lastName: 'Racer' }),
      );
    } else if (lap === undefined) {
      const made = { participantId: person, trackId: layout, valid: time % 2 === 0 };
      laps.set(id, { ...made, totalTime: time });
      history.push(recorded(id, [time], made));
    } else if (what === 'corrected') {
      lap.totalTime = time;
      history.push(told(stream, 'LapCorrected', { sectors: [time], totalTime: time }));
    } else if (what === 'flipped') {
      lap.valid = !lap.valid;
      history.push(told(stream, lap.valid ? 'LapValidated' : 'LapInvalidated'));
    } else if (what === 'reassigned') {
      history.push(told(stream, 'LapReassigned', { from: lap.participantId, to: person }));
      lap.participantId = person;
    } else {
      history.push(told(stream, 'LapTrackCorrected', { from: lap.trackId, to: layout }));
      lap.trackId = layout;
    }
  }
  return { names, laps, history };
}

describe('the example of the page for analysts', () => {
  it('is that of the page', () => {
    const block = readPage('docs/analysts.md').blocks.find(({ name }) => name === 'history learning.ts');
    expect(block?.text).to.equal(readFileSync('projections/examples/learning.ts', 'utf8'));
  });

  it('is understood by editors in any folder where the package is linked', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'timing-editor-'));
    try {
      const file = join(folder, 'learning.ts');
      await mkdir(join(folder, 'node_modules'));
      await symlink(resolve('.'), join(folder, 'node_modules', 'sim-racing-timing'));
      await copyFile('projections/examples/learning.ts', file);
      const { NodeNext: module } = ts.ModuleKind;
      const program = ts.createProgram([file], { strict: true, noEmit: true, module, target: ts.ScriptTarget.ES2023 });
      const faults = program.getSemanticDiagnostics(program.getSourceFile(file));
      expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).to.deep.equal([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('keeps rows small: a row grows with no lap, so that a history takes linear time', async () => {
    const laps = Array.from({ length: 300 }, (_, n) =>
      recorded(`${n}`, [1_000 + n, 2_000 + n], { participantId: 'ada', trackId: 'spa' }),
    );
    const slower = laps.slice(1).map(({ stream }) => told(stream, 'LapInvalidated'));
    for (const [module, table] of [
      [learning, 'learning'],
      [consistency, 'consistency'],
    ] as const) {
      const { models } = await givenHistory(module, registered('ada', 'Ada'), ...laps, ...slower);
      const row = await models.get(table, 'ada:spa');
      expect(row).to.include({ laps: 1, best: 3_000 });
      expect(JSON.stringify(row), table).to.have.length.below(1_000);
    }
  });

  it('survives corrections and renames, whatever happens in which order', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { names, laps, history } = played(steps);
        const { models } = await givenHistory(learning, ...history);
        const { models: steady } = await givenHistory(consistency, ...history);
        for (const person of PEOPLE) {
          for (const layout of LAYOUTS) {
            // In the order of recording, which is that of driving here.
            const times = [...laps.values()]
              .filter(({ participantId, trackId, valid, totalTime }) => {
                return participantId === person && trackId === layout && valid && totalTime > 0;
              })
              .map(({ totalTime }) => totalTime);
            const row = await models.get('learning', `${person}:${layout}`);
            expect(row?.['laps'] ?? 0).to.equal(times.length);
            const steadiness = await steady.get('consistency', `${person}:${layout}`);
            expect(steadiness?.['laps'] ?? 0).to.equal(times.length);
            if (row === null) continue;
            const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
            const squares = times.reduce((sum, time) => sum + (time - mean) ** 2, 0);
            const best = times.length === 0 ? null : Math.min(...times);
            expect(steadiness).to.include({ participant: row['participant'], best, theoreticalBest: best });
            if (best !== null) {
              expect(steadiness).to.include({ mean: Math.round(mean) });
              expect(steadiness?.['deviation']).to.equal(Math.round(Math.sqrt(squares / times.length)));
            }
            expect(row['participant']).to.equal(`${names.get(person)} Racer`);
            expect(row['first']).to.equal(times[0] ?? null);
            expect(row['best']).to.equal(best);
          }
        }
      }),
      { numRuns: depth({ short: 100, deep: 3_000 }) },
    ));
});
