import { expect } from 'chai';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import consistency from '../../projections/examples/consistency.ts';
import learning from '../../projections/examples/learning.ts';
import rigUtilisation from '../../projections/examples/rig-utilisation.ts';
import { layoutAdded, recorded, registered, told } from '../support/history/lap-events.ts';
import { readPage } from '../support/docs/markdown.ts';
import { depth } from '../support/depth.ts';
import { givenHistory, minute, type HistoryEvent } from '../support/kernel/projecting.ts';

const PEOPLE = ['ada', 'bob'] as const;
const LAYOUTS = ['spa', 'zolder'] as const;
const RIGS = ['left', 'right'] as const;
const LAPS = ['1', '2', '3', '4'] as const;

interface Lap {
  participantId: string;
  trackId: string;
  rigId: string;
  valid: boolean;
  sectors: readonly number[];
  readonly at: string;
}

/** Something that happens to one of the laps, or to what they name. */
const step = fc.record({
  what: fc.constantFrom('corrected', 'flipped', 'reassigned', 'moved', 'carried', 'renamed'),
  lap: fc.constantFrom(...LAPS),
  person: fc.constantFrom(...PEOPLE),
  layout: fc.constantFrom(...LAYOUTS),
  rig: fc.constantFrom(...RIGS),
  sectors: fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3 }),
});
type Step = ReturnType<typeof step.generate>['value'];

/** What happened, and how laps and names are after that. */
function played(steps: readonly Step[]) {
  const names = new Map<string, string>([...PEOPLE, ...LAYOUTS].map((id) => [id, id]));
  const laps = new Map<string, Lap>();
  const history: HistoryEvent[] = [];
  // Apart enough for several hours.
  const now = (): string => minute(7 * history.length);
  const happen = (...events: readonly HistoryEvent[]): void => {
    for (const event of events) history.push({ ...event, at: now() });
  };
  happen(
    ...PEOPLE.map((id) => registered(id, id)),
    ...LAYOUTS.map((id) => layoutAdded(id, id)),
    ...RIGS.map((id) => told(`rig-${id}`, 'RigRegistered', { hardwareId: id, licenseId: 'license' })),
  );
  for (const { what, lap: id, person, layout, rig, sectors } of steps) {
    const lap = laps.get(id);
    const name = `name ${history.length}`;
    if (what === 'renamed') {
      for (const of of [person, layout, rig]) names.set(of, name);
      happen(
        told(`participant-${person}`, 'ParticipantRenamed', { firstName: name, lastName: 'Racer' }),
        told(`trackLayout-${layout}`, 'TrackLayoutRenamed', { displayName: name }),
        told(`rig-${rig}`, 'RigRenamed', { name }),
      );
    } else if (lap === undefined) {
      const made = { participantId: person, trackId: layout, rigId: rig, valid: sectors[0] !== 1 };
      laps.set(id, { ...made, sectors, at: now() });
      happen(recorded(id, sectors, made));
    } else happen(changed(lap, { what, lap: id, person, layout, rig, sectors }));
  }
  return { names, laps: [...laps.values()], history };
}

/** Changes a lap, and tells how. */
function changed(lap: Lap, { what, lap: id, person, layout, rig, sectors }: Step): HistoryEvent {
  const stream = `lap-${id}`;
  const { participantId, trackId, rigId } = lap;
  switch (what) {
    case 'corrected':
      lap.sectors = sectors;
      return told(stream, 'LapCorrected', { sectors, totalTime: sum(sectors) });
    case 'flipped':
      lap.valid = !lap.valid;
      return told(stream, lap.valid ? 'LapValidated' : 'LapInvalidated');
    case 'reassigned':
      lap.participantId = person;
      return told(stream, 'LapReassigned', { from: participantId, to: person });
    case 'moved':
      lap.trackId = layout;
      return told(stream, 'LapTrackCorrected', { from: trackId, to: layout });
    default:
      lap.rigId = RIGS.find((one) => one !== rigId) ?? rig;
      return told(stream, 'LapMovedToRig', { from: rigId, to: lap.rigId });
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** What both examples must tell of the valid laps of a participant on a layout. */
function figuresOf(laps: readonly Lap[]) {
  const times = laps.map(({ sectors }) => sum(sectors));
  if (times.length === 0) {
    return {
      learning: { laps: 0, first: null, best: null },
      consistency: { laps: 0, best: null, theoreticalBest: null },
    };
  }
  const [best, mean] = [Math.min(...times), sum(times) / times.length];
  const deviation = Math.sqrt(sum(times.map((time) => (time - mean) ** 2)) / times.length);
  const most = Math.max(...laps.map(({ sectors }) => sectors.length));
  const whole = laps.map(({ sectors }) => sectors).filter(({ length }) => length === most);
  const bests = Array.from({ length: most }, (_, n) => Math.min(...whole.map((sectors) => sectors[n] ?? 0)));
  return {
    // In the order of recording, which is that of driving here.
    learning: { laps: times.length, first: times[0], best },
    consistency: {
      ...{ laps: times.length, best, theoreticalBest: sum(bests) },
      ...{ mean: Math.round(mean), deviation: Math.round(deviation) },
    },
  };
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
    const laps = Array.from({ length: 100 }, (_, n) =>
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

  it('survives corrections and renames, whatever happens in which order; and so do the others', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const happened = played(steps);
        for (const person of PEOPLE) for (const layout of LAYOUTS) await expectFigures(happened, { person, layout });
        for (const rigId of RIGS) await expectUse(happened, rigId);
      }),
      { numRuns: depth({ short: 100, deep: 3_000 }) },
    ));
});

/** What both examples tell of a participant on a layout. */
async function expectFigures(
  { names, laps, history }: ReturnType<typeof played>,
  { person, layout }: Pick<Step, 'person' | 'layout'>,
): Promise<void> {
  const own = laps.filter((lap) => lap.participantId === person && lap.trackId === layout && lap.valid);
  const figures = figuresOf(own.filter(({ sectors }) => sum(sectors) > 0));
  const shown = { participant: `${names.get(person)} Racer`, layout: names.get(layout) };
  for (const [module, table] of [
    [learning, 'learning'],
    [consistency, 'consistency'],
  ] as const) {
    const { models } = await givenHistory(module, ...history);
    const row = await models.get(table, `${person}:${layout}`);
    if (row === null) expect(figures[table].laps, table).to.equal(0);
    else expect(row, table).to.include({ ...shown, ...figures[table] });
  }
}

/** In each hour in which a lap was recorded. */
async function expectUse({ names, laps, history }: ReturnType<typeof played>, rigId: string): Promise<void> {
  const { models } = await givenHistory(rigUtilisation, ...history);
  for (const hour of new Set(laps.map(({ at }) => at.slice(0, 13)))) {
    const driven = laps.filter((lap) => lap.rigId === rigId && lap.at.startsWith(hour));
    const row = await models.get('rigUtilisation', `${rigId}:${hour}:00:00.000Z`);
    expect(row?.['laps'] ?? 0).to.equal(driven.length);
    expect(row?.['driven'] ?? 0).to.equal(sum(driven.flatMap(({ sectors }) => sectors)));
    if (row !== null) expect(row['rig']).to.equal(names.get(rigId) ?? null);
  }
}
