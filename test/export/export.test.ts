import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { asyncBufferFromFile, parquetMetadata, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { LapDocument } from '../../projections/laps.ts';
import { lapQuery } from '../../queries/laps.ts';
import { columnsOf } from '../../src/service/exports/columns.ts';
import { createParquetEncoder } from '../../src/service/exports/parquet.ts';
import { exportView, type ExportOptions } from '../../src/tools/export/export.ts';
import { viewOf } from '../../src/tools/export/views.ts';
import { pick, type JsonObject } from '../../src/kernel/json.ts';
import type { EventStore, Position } from '../../src/kernel/ports/event-store.ts';
import { lookUps, lapsProjection } from '../../src/tools/replay/analysis.ts';
import { depth } from '../support/depth.ts';
import { gathered } from '../support/event-store/events.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { jsonLines } from '../support/json-lines.ts';
import { givenHistory } from '../support/kernel/projecting.ts';
import { useWorld } from '../support/processes/world.ts';
import { appendLaps } from '../support/simulation/laps.ts';
import { chancesOf } from '../support/simulation/random.ts';

/** Number of random histories, each with several exports that open files. */
const HISTORIES = depth({ short: 2, deep: 150 });
const EVENTS = 300;
/** Digits of a position in the name of a file. */
const POSITION_DIGITS = 16;

type Row = JsonObject & { readonly id: string; readonly position: number };
type LapRow = Row & Pick<LapDocument, 'totalTime' | 'sectors' | 'drivenAt' | 'createdAt' | 'updatedAt' | 'sequence'>;

/** The last row of each id, as docs/analysts.md selects with DuckDB. */
function lastOf(rows: readonly Row[]): readonly Row[] {
  const last = new Map<string, Row>();
  for (const row of rows) if (row.position > (last.get(row.id)?.position ?? -1)) last.set(row.id, row);
  return [...last.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function linesIn(file: string): readonly LapRow[] {
  // An export wrote it.
  return jsonLines(readFileSync(file, 'utf8')) as readonly LapRow[];
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
}

function rowsIn(directory: string): readonly Row[] {
  const files = filesIn(directory).filter((file) => file.endsWith('.ndjson'));
  return files.flatMap((file) => linesIn(join(directory, file)));
}

describe('export of a view', () => {
  const world = useWorld();
  let folder = '';
  let store: EventStore = memoryEventStore();
  /** The position of the newest event, as names of files have it: a random history may have some events more. */
  let newest = '';

  beforeEach(async () => {
    folder = world.directory();
    store = memoryEventStore();
    await appendLaps(store, chancesOf(1), EVENTS);
    const { position = 0 } = (await gathered(store.readAll(null))).at(-1) ?? {};
    newest = String(position).padStart(POSITION_DIGITS, '0');
  });

  function optionsOf(options: Partial<ExportOptions> & { readonly name?: string }): ExportOptions {
    return {
      view: viewOf(options.name ?? 'laps') ?? expect.fail('there is no such view'),
      names: false,
      format: 'ndjson',
      target: { kind: 'file', file: join(folder, 'all.ndjson') },
      replace: false,
      store,
      from: 'here',
      until: null,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onRows: () => undefined,
      ...options,
    };
  }

  /** The rows of an export to a file, as NDJSON. */
  async function exported(options: Parameters<typeof optionsOf>[0] = {}): Promise<readonly LapRow[]> {
    await exportView(optionsOf(options));
    return linesIn(join(folder, 'all.ndjson'));
  }

  const toDirectory = (until: Position | null = null, options: Parameters<typeof optionsOf>[0] = {}) =>
    exportView(
      optionsOf({
        target: { kind: 'directory', directory: join(folder, 'parts'), byMonth: false },
        until: until === null ? null : { kind: 'position', position: until },
        ...options,
      }),
    );
  const directory = (): string => join(folder, 'parts');

  it('gives the same rows in several exports as in one', async () => {
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const chances = chancesOf(seed);
      folder = world.directory();
      store = memoryEventStore();
      await appendLaps(store, chances, EVENTS);
      const parts = Array.from({ length: 3 }, () => chances.below(EVENTS)).toSorted((a, b) => a - b);
      for (const name of ['laps', 'best-laps']) {
        const target = { kind: 'directory', directory: join(folder, name), byMonth: false } as const;
        for (const at of [...parts, null]) await toDirectory(at, { name, target });
        const all = lastOf(await exported({ name, replace: true }));
        expect(all.length, `seed ${seed}`).to.be.greaterThan(name === 'laps' ? 50 : 5);
        const added = lastOf(rowsIn(target.directory)).filter(({ deleted }) => deleted !== true);
        expect(added, `${name}, seed ${seed}`).to.deep.equal(all);
      }
    }
  });

  it('gives what the list shows, in the order of creation, with names on request', async () => {
    const events = await gathered(store.readAll(null));
    const history = events.map(({ stream, type, data, metadata }) => ({ stream, type, data, at: metadata.occurredAt }));
    const { models } = await givenHistory([...lookUps, lapsProjection], ...history);
    const shown: Row[] = [];
    for await (const documents of models.stream('laps', { where: {} })) {
      shown.push(
        ...documents.map(({ _position: position, ...lap }) => ({ ...pick(lap, lapQuery.shown), id: lap.id, position })),
      );
    }
    // In the simulation, ids sort in the order of creation.
    shown.sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(await exported({ names: true })).to.deep.equal(shown);
    const nameless = shown.map(({ participantName: _, ...others }) => others);
    expect(await exported({ replace: true })).to.deep.equal(nameless);
  });

  it('writes Parquet with the types of its columns: ids as UUIDs, a sequence as a struct with a whole number', async () => {
    const lines = await exported();
    expect(lines.map(({ sequence }) => sequence === null)).to.include.members([true, false]);
    const file = join(folder, 'all.parquet');
    await exportView(optionsOf({ format: 'parquet', target: { kind: 'file', file } }));
    const source = await asyncBufferFromFile(file);
    const expected = lines.map((row) => ({
      ...row,
      drivenAt: new Date(row.drivenAt),
      createdAt: new Date(row.createdAt),
      updatedAt: new Date(row.updatedAt),
      totalTime: BigInt(row.totalTime),
      position: BigInt(row.position),
      sectors: row.sectors.map(BigInt),
      sequence: row.sequence === null ? undefined : { ...row.sequence, number: BigInt(row.sequence.number) },
    }));
    expect(await parquetReadObjects({ file: source })).to.deep.equal(expected);
    const { schema } = await parquetMetadataAsync(source);
    const ids = schema.filter(({ name }) => name === 'id' || name.endsWith('Id') || name === 'car');
    expect(ids.map(({ logical_type: type }) => type?.type)).to.deep.equal(ids.map(() => 'UUID'));
  });

  it('writes row groups of all columns, and those of the library are joined', async () => {
    const encoder = createParquetEncoder(columnsOf(optionsOf({}).view, false));
    const laps = (await exported()).slice(0, 5);
    const pieces = laps.flatMap((lap, n) => {
      encoder.add({ ...lap, _created: n, _position: lap.position, _revision: 0 });
      return n === 1 ? [...encoder.flush()] : [];
    });
    pieces.push(...encoder.finish());
    const file = new Uint8Array(Buffer.concat(pieces)).buffer;
    const { num_rows: rows, row_groups: groups, schema } = parquetMetadata(file);
    expect(rows).to.equal(5n);
    expect(groups.map(({ num_rows: its }) => its)).to.deep.equal([2n, 3n]);
    const columns = schema.filter(({ num_children: fields }) => fields === undefined).length;
    expect(groups.map((group) => group.columns.length)).to.deep.equal([columns, columns]);
    const ids = (await parquetReadObjects({ file })).map(({ id }): unknown => id);
    expect(ids).to.deep.equal(laps.map(({ id }) => id));
  });

  it('adds no UUIDs to a directory in which an earlier release wrote ids as texts', async () => {
    await toDirectory(null, { format: 'parquet' });
    const state = join(directory(), '_laps.export.json');
    writeFileSync(state, readFileSync(state, 'utf8').replaceAll(/ \((uuid|struct)\)/g, ''));
    const error = await toDirectory(null, { format: 'parquet' }).then(String, String);
    expect(error).to.include('with other columns').and.include('--replace');
  });

  it('puts months into directories of their own', async () => {
    const target = { kind: 'directory', directory: directory(), byMonth: true } as const;
    await toDirectory(100, { target });
    const { files } = await toDirectory(null, { target });
    expect(files.map(({ file }) => file)).to.deep.equal([
      join(directory(), 'month=2026-01', `laps-0000000000000101-${newest}.ndjson`),
    ]);
    expect(lastOf(rowsIn(directory()))).to.deep.equal(lastOf(await exported()));
  });

  it('resumes after a crash as if there had been none', async () => {
    await toDirectory(100);
    const state = readFileSync(join(directory(), '_laps.export.json'), 'utf8');
    const [, first] = filesIn(directory());
    await toDirectory(200);
    // As if killed after the first file, while another one was being written.
    writeFileSync(join(directory(), '_laps.export.json'), state);
    writeFileSync(join(directory(), '.laps-0000000000000101-0000000000000200.ndjson.part'), 'half a fi');
    writeFileSync(join(directory(), 'laps-of-mine.ndjson'), '');
    await toDirectory();
    expect(filesIn(directory())).to.deep.equal([
      '_laps.export.json',
      first,
      `laps-0000000000000101-${newest}.ndjson`,
      'laps-of-mine.ndjson',
    ]);
    const all = lastOf(await exported());
    expect(lastOf(rowsIn(directory()))).to.deep.equal(all);
    // As if killed while all files were being replaced.
    const unknown: unknown = { ...JSON.parse(state), exported: null };
    writeFileSync(join(directory(), '_laps.export.json'), JSON.stringify(unknown));
    await toDirectory();
    expect(filesIn(directory())).to.have.lengthOf(3);
    expect(lastOf(rowsIn(directory()))).to.deep.equal(all);
  });

  it('leaves nothing behind when it is stopped, and can be resumed', async () => {
    const early = await toDirectory(null, { signal: AbortSignal.abort() });
    expect(early).to.deep.include({ complete: false, files: [] });
    expect(filesIn(directory()).filter((file) => file.includes('laps-'))).to.deep.equal([]);
    expect(existsSync(join(directory(), '.timing-replay'))).to.equal(true);
    expect((await toDirectory()).complete).to.equal(true);
    expect(existsSync(join(directory(), '.timing-replay'))).to.equal(false);
    expect((await toDirectory()).files, 'nothing is new').to.deep.equal([]);
    expect(filesIn(directory())).to.have.lengthOf(2);
  });

  it('refuses to add to files of another kind, and replaces them when asked', async () => {
    await toDirectory(100);
    const target = { kind: 'directory', directory: directory(), byMonth: true } as const;
    const others: readonly (readonly [RegExp, Partial<ExportOptions>])[] = [
      [/as ndjson/, { format: 'csv' }],
      [/not by month/, { target }],
      [/other columns/, { names: true }],
    ];
    for (const [message, options] of others) {
      const error = await toDirectory(null, options).then(String, String);
      expect(error).to.match(message).and.to.include('--replace');
      expect(filesIn(directory())).to.have.lengthOf(2);
    }
    await toDirectory(null, { format: 'csv', replace: true });
    expect(filesIn(directory())).to.deep.equal(['_laps.export.json', `laps-0000000000000000-${newest}.csv`]);
  });

  it('refuses unknown files, files of other events, and a time in the past', async () => {
    await toDirectory(200);
    expect(await toDirectory(100).then(String, String)).to.match(/position 200 already/);
    const state = join(directory(), '_laps.export.json');
    const known = readFileSync(state, 'utf8');
    for (const field of ['history', 'eventId']) {
      writeFileSync(state, known.replace(new RegExp(`"${field}": "[^"]*"`), `"${field}": "another"`));
      expect(await toDirectory().then(String, String)).to.match(/of other events than these/);
    }
    writeFileSync(state, '{}');
    expect(await toDirectory().then(String, String)).to.match(/not what an export writes/);
    rmSync(state);
    expect(await toDirectory().then(String, String)).to.match(/in an unknown state: there is laps-/);
    expect((await toDirectory(null, { replace: true })).complete).to.equal(true);
  });

  it('overwrites no file', async () => {
    const file = join(folder, 'all.ndjson');
    writeFileSync(file, 'mine');
    expect(await exportView(optionsOf({})).then(String, String)).to.match(/all\.ndjson is there already; --replace/);
    expect(readFileSync(file, 'utf8')).to.equal('mine');
  });
});
