import { z } from 'zod';
import { component } from '../../domain/component.ts';
import { described } from '../../domain/fields.ts';
import { createYielder, giveWay } from '../../runtime/give-way.ts';
import { columnsOf, isPersonal, type Column } from '../exports/columns.ts';
import { createParquetEncoder } from '../exports/parquet.ts';
import { EXPORT_VIEWS } from '../exports/views.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { flag } from '../http/paging.ts';
import type { Origin } from '../../kernel/event-types.ts';
import { roughBytesOf } from '../../kernel/json.ts';
import { ReadOnlyStore } from '../../kernel/ports/errors.ts';
import type { Document, Where } from '../../kernel/ports/read-store.ts';
import { matches } from '../../kernel/where.ts';
import type { FairTurns } from '../http/fair-turns.ts';
import { versionTag } from './lists.ts';
import { FOR_OPERATORS } from './operations.ts';
import { originOf, type Sender } from './request-commands.ts';
import type { PersonalCopy } from '../resources/personal-copies.ts';
import { notFoundProblem, type ReadSources } from './views.ts';

const PARQUET_TYPE = 'application/vnd.apache.parquet';

const viewName = z
  .enum(EXPORT_VIEWS.map(({ name }) => name))
  .meta(component('ExportView', 'A list that can be had as a table.'));

/** Records a copy of personal data that leaves the service. */
type RecordCopy = (copy: PersonalCopy, origin: Origin) => Promise<void>;

/** GET of a whole list as a table for analysts: as the command `export` writes it, and as the list is now. */
export function exportEndpoint(reads: ReadSources, longReads: FairTurns, recordCopy: RecordCopy): Endpoint {
  const views = new Map(EXPORT_VIEWS.map((view) => [view.name, view]));
  return endpoint({
    ...FOR_OPERATORS,
    method: 'GET',
    path: '/api/v1/operations/exports/{view}',
    operationId: 'exportTable',
    summary: 'Get a list as a Parquet file',
    description: 'Streams the whole list, disabled records included, with the columns of the command `export`.',
    params: z.object({ view: described(viewName, 'The list.', 'laps') }),
    query: z.object({
      names: flag(true, 'With personal data: names, contact data and extra fields of people, names of licences.'),
    }),
    responses: { 200: PARQUET_TYPE },
    async handle(request) {
      const { params, query, caller, address, signal, usage } = request;
      const view = views.get(params.view);
      if (view === undefined) throw notFoundProblem();
      if (isPersonal(view, query.names)) await recordDownload(recordCopy, request, view.name);
      const rows = view.rows(reads.models, { signal, visits: usage });
      const rowsPerGroup = Math.max(
        ROWS_PER_GROUP,
        (await reads.models.count(view.query.model.collection, {})) / MOST_GROUPS,
      );
      const columns = columnsOf(view, query.names);
      const pieces = parquetPieces(rows, { only: view.query.only, columns, rowsPerGroup, signal });
      const headers = {
        'Content-Type': PARQUET_TYPE,
        'Content-Disposition': `attachment; filename="${view.name}.parquet"`,
        ETag: await versionTag(view.query, caller, reads),
      };
      const content = longReads.pieces({ address, signal, usage }, pieces);
      return { kind: 'stream', status: 200, content, headers };
    },
  });
}

/** Records that people of the service get a table with personal data. A service that only reads records nothing. */
async function recordDownload(recordCopy: RecordCopy, request: Sender, view: string): Promise<void> {
  const copy = { what: 'export', where: `download of ${view}`, by: null } as const;
  try {
    await recordCopy(copy, originOf(request));
  } catch (error) {
    if (!(error instanceof ReadOnlyStore)) throw error;
  }
}

/** Rows of a row group, or more where there would be too many groups: each column of each costs time at the end, too. */
const ROWS_PER_GROUP = 4_000;
const MOST_GROUPS = 250;
/** Bytes of a document, as `roughBytesOf` counts them, that count as one more row. */
const BYTES_PER_ROW = 2_048;

interface TableOptions {
  /** Values that rows must have to be shown. */
  readonly only: Where;
  readonly columns: readonly Column[];
  readonly rowsPerGroup: number;
  readonly signal: AbortSignal;
}

/** A Parquet file, column by column of each row group; other requests are served between these. */
async function* parquetPieces(
  batches: AsyncIterable<readonly Document[]>,
  { only, columns, rowsPerGroup, signal }: TableOptions,
): AsyncGenerator<Uint8Array> {
  const encoder = createParquetEncoder(columns);
  const step = createYielder(signal);
  let rows = 0;
  for await (const documents of batches) {
    for (const document of documents) {
      if (!matches(document, only)) continue;
      encoder.add(document);
      rows += 1 + Math.floor(roughBytesOf(document) / BYTES_PER_ROW);
    }
    await step();
    if (rows < rowsPerGroup) continue;
    rows = 0;
    yield* givingWay(encoder.flush(), signal);
  }
  yield* givingWay(encoder.finish(), signal);
}

async function* givingWay(pieces: Iterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    yield piece;
    await giveWay(signal);
  }
}
