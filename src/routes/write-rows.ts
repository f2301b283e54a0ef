import { z } from 'zod';
import type { BodyCommand } from '../domain/body-command.ts';
import type { References } from '../domain/references.ts';
import { endpoint, type Answer, type Endpoint } from '../http/endpoint.ts';
import { problemOf } from '../http/problems.ts';
import type { Message } from '../kernel/aggregate/decider.ts';
import { originOf, type Api } from './context.ts';
import { filled, headOf, idIn, nameOf, pathParams, type AnyQuery } from './read-rows.ts';
import { answerWritten, fingerprintOf, newId, settled } from './writing.ts';

/** Body of 202: written, but not to be seen yet. */
export const AcceptedView = z.object({ id: z.string(), status: z.literal('accepted') }).meta({ id: 'Accepted' });

/** The makers of the write rows that resources share. */
export interface WriteRows {
  /** POST of a new resource. */
  readonly create: <B, S, C extends Message>(path: string, query: AnyQuery, make: BodyCommand<B, S, C>) => Endpoint;
  /** PATCH of a resource. */
  readonly change: <B, S, C extends Message>(path: string, query: AnyQuery, make: BodyCommand<B, S, C>) => Endpoint;
}

/** Makes the makers. */
export function writeRows(api: Api): WriteRows {
  return {
    create: (path, query, make) => createRow(api, { path, query, make }),
    change: (path, query, make) => changeRow(api, { path, query, make }),
  };
}

interface Row<B, S, C extends Message> {
  readonly path: string;
  readonly query: AnyQuery;
  readonly make: BodyCommand<B, S, C>;
}

function createRow<B, S, C extends Message>(api: Api, { path, query, make }: Row<B, S, C>): Endpoint {
  return endpoint<undefined, undefined, z.ZodType<B>>({
    ...headOf('POST', path, query),
    operationId: `create${nameOf(query)}`,
    summary: `Create one ${nameOf(query)}`,
    access: 'CRUD',
    body: make.body,
    responses: { 201: query.view, 202: AcceptedView },
    problems: [...(make.decider.claim === null ? [] : [409]), ...(make.references === undefined ? [] : [422])],
    async handle(request): Promise<Answer> {
      await checkReferences(api, make.references, request.body);
      const id = newId(api, path, request);
      const command = make.command(request.body, {});
      const origin = originOf(request);
      const done = settled(
        await api.handler.handle({
          decider: make.decider,
          id,
          command,
          origin,
          fresh: true,
          ...fingerprintOf(request),
        }),
      );
      const { position, recorded } = done;
      const headers = recorded ? {} : { 'Idempotency-Replayed': 'true' };
      return answerWritten(api, request, { query, id, location: `${path}/${id}`, position, status: 201, headers });
    },
  });
}

function changeRow<B, S, C extends Message>(api: Api, { path, query, make }: Row<B, S, C>): Endpoint {
  return endpoint({
    ...headOf('PATCH', path, query),
    operationId: `update${nameOf(query)}`,
    summary: `Change one ${nameOf(query)}`,
    access: 'CRUD',
    params: pathParams(path),
    body: make.body,
    responses: { 200: query.view, 202: AcceptedView },
    problems: [...(make.decider.claim === null ? [] : [409]), ...(make.references === undefined ? [] : [422])],
    async handle(request): Promise<Answer> {
      await checkReferences(api, make.references, request.body);
      const id = idIn(request.params);
      const command = make.command(request.body, request.params);
      const { position, revision } = settled(
        await api.handler.handle({
          decider: make.decider,
          id,
          command,
          origin: originOf(request),
          expected: request.ifMatch,
        }),
      );
      const location = filled(path, request.params);
      return answerWritten(api, request, { query, id, location, position, revision, status: 200 });
    },
  });
}

/** @throws {Problem} 422 naming each field that points at nothing */
export async function checkReferences(api: Api, references: References | undefined, body: unknown): Promise<void> {
  const refused = await api.references.refusal(references, body);
  if (refused !== null) throw problemOf(refused);
}
