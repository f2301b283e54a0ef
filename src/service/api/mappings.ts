import { z } from 'zod';
import type { BodyCommand, References } from '../domain/body-command.ts';
import { reference } from '../domain/examples.ts';
import { mappingId, type OfSimulator } from '../domain/mappings.ts';
import { pointedAt } from './references.ts';
import { csvParameters } from '../http/csv.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Decider } from '../kernel/aggregate/decider.ts';
import type { Message } from '../kernel/event-types.ts';
import type { ApiContext } from './context.ts';
import {
  rowBase,
  idFromPath,
  resourceName,
  pluralName,
  wordsOf,
  pathParams,
  type AnyQuery,
  listResponse,
} from './reads.ts';
import { requireExisting } from './references.ts';
import {
  AcceptedView,
  ANSWERED,
  checkReferences,
  writtenResponse,
  requireSuccess,
  permitOf,
  waitUntilReadable,
  originOf,
} from './writes.ts';

const ofSimulator = z.object({ simulatorId: reference('simulator', 'Id of the simulator.') });

/**
 * Creates the makers of the endpoints that only mappings have: mappings are found by the two ids that they connect, and
 * can be deleted.
 */
export function mappingRows(api: ApiContext) {
  return {
    /** GET of all mappings of a simulator. */
    mapped: (path: string, query: AnyQuery): Endpoint =>
      endpoint({
        ...rowBase('GET', path, query),
        operationId: `list${pluralName(query)}`,
        summary: `List ${wordsOf(pluralName(query))} of one simulator`,
        description: 'All of them, in one answer that is streamed.',
        access: 'public',
        params: ofSimulator,
        query: z.object(csvParameters),
        features: ['etag'],
        responses: { 200: z.array(query.view) },
        async handle(request) {
          const { simulatorId } = request.params;
          await requireExisting(api.references, 'simulator', simulatorId);
          return listResponse(query, { where: { ...query.only, simulatorId }, request }, api);
        },
      }),
    map: mapRow(api),
    /** DELETE of a mapping. */
    unmap: <S, C extends Message>(
      path: string,
      query: AnyQuery,
      undo: { readonly decider: Decider<S, C>; readonly command: C },
    ): Endpoint =>
      endpoint({
        ...rowBase('DELETE', path, query),
        operationId: `delete${resourceName(query)}`,
        summary: `Delete one ${wordsOf(resourceName(query))}`,
        description: 'The mapping is taken back; it may be made again.',
        access: 'CRUD',
        params: pathParams(path),
        responses: { 204: null },
        async handle(request) {
          const id = idFromPath(request.params);
          const permit = permitOf(api, request, { category: undo.decider.category, id, change: {} });
          const undone = { ...undo, id, origin: originOf(request), permit };
          const { position } = requireSuccess(await api.handler.handle(undone));
          await waitUntilReadable(api, position, request);
          return { kind: 'empty', status: 204 };
        },
      }),
  };
}

/** POST of a mapping: the only reference in the body names what is mapped. */
function mapRow(api: ApiContext) {
  return <B, S, C extends Message>(path: string, query: AnyQuery, make: BodyCommand<B, S, C, OfSimulator>): Endpoint =>
    endpoint<typeof ofSimulator, undefined, z.ZodType<B>>({
      ...rowBase('POST', path, query),
      operationId: `create${resourceName(query)}`,
      summary: `Create one ${wordsOf(resourceName(query))}`,
      description: ANSWERED,
      access: 'CRUD',
      params: ofSimulator,
      body: make.body,
      features: ['etag', 'respond-async'],
      responses: { 201: query.view, 202: AcceptedView },
      problems: [409, 422],
      async handle(request) {
        const { simulatorId } = request.params;
        await requireExisting(api.references, 'simulator', simulatorId);
        await checkReferences(api, make.references, request);
        const command = make.command(request.body, request.params);
        const mapped = mappedIdIn(make.references, request.body);
        const id = mappingId(simulatorId, mapped);
        const permit = permitOf(api, request, { category: make.decider.category, id, change: { simulatorId } });
        // Whose the mapping is that is there already, or was, is no matter: it is taken, or free.
        const made = { decider: make.decider, id, command, origin: originOf(request), permit: () => permit(null) };
        const { position } = requireSuccess(await api.handler.handle(made));
        const location = `${path.replace('{simulatorId}', simulatorId)}/${mapped}`;
        return writtenResponse(api, request, { query, id, location, position, status: 201 });
      },
    });
}

/** Id of what a body maps: its only reference. */
function mappedIdIn(references: References | undefined, body: unknown): string {
  const [reference] = references === undefined ? [] : pointedAt(references, body);
  if (reference === undefined) throw new Error('the body of a mapping names what it maps');
  return reference.id;
}
