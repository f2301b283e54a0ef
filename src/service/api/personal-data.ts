import { z } from 'zod';
import { participantDecider, participantEvents } from '../../../commands/participants.ts';
import { laps } from '../../../projections/laps.ts';
import { rigSeats } from '../../../projections/rig-seats.ts';
import { participantQuery } from '../../../queries/participants.ts';
import { component } from '../../domain/component.ts';
import { streamAll } from '../../domain/documents.ts';
import { described, instant, json } from '../../domain/fields.ts';
import { reference } from '../../domain/references.ts';
import { claimStream } from '../../kernel/aggregate/claims.ts';
import { upcast, type EventTypes } from '../../kernel/event-types.ts';
import { sameJson, type Json, type JsonObject } from '../../kernel/json.ts';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import type { FairTurns } from '../http/fair-turns.ts';
import { itemBase } from './endpoint-base.ts';
import { erasureIn, requireOwner, type Erasure, type OwnerServices } from './erased-participants.ts';
import { PlaceName } from './personal-places.ts';
import { idFromPath, type ReadSources } from './views.ts';

const PATH = '/api/v1/participants/{participantId}/personal-data';

const Value = z
  .object({
    field: described(z.string(), 'Name of the field.', 'email'),
    value: json.meta({ description: 'The value.', examples: ['nora@example.org'] }),
    from: described(instant, 'Since when.', '2026-05-01T20:03:17.402Z'),
    until: described(instant.nullable(), 'Until when; null: it is the present one.', null),
    event: described(
      z.string(),
      'Id of the change that set it, as `changeId` in the history.',
      '018f6f2c-52e1-7d4b-9a58-3f6d2b1c0e97',
    ),
  })
  .meta(component('PersonalValue', 'A value that was or is kept about a person.'));

const PlaceView = z
  .object({
    place: described(PlaceName, 'Where personal data are kept.', 'log'),
    where: described(z.string(), 'The stream, or the address at which it is shown.', '/api/v1/participants/{id}'),
    count: described(z.int().min(0), 'How many things there are.', 3),
  })
  .meta(component('PlaceOfPerson', 'A place with data of a person.'));

export const PersonalDataView = z
  .object({
    participantId: reference('participant', 'The participant.'),
    erasedAt: described(instant.nullable(), 'When they were erased; null: they were not.', null),
    values: described(z.array(Value), 'All values, earlier ones too, oldest first; none after an erasure.'),
    places: described(z.array(PlaceView), 'Where data of the person are.'),
  })
  .meta(component('PersonalData', 'Everything that is kept about a person.'));
type PersonalDataView = z.output<typeof PersonalDataView>;

interface PersonalDataServices extends OwnerServices {
  readonly reads: Pick<ReadSources, 'models'>;
  readonly longReads: FairTurns;
}

/** GET of everything that is kept about a participant, for themselves. */
export function personalDataEndpoint(services: PersonalDataServices): Endpoint {
  return endpoint({
    ...itemBase('GET', PATH, participantQuery),
    operationId: 'getPersonalData',
    summary: 'Get everything that is kept about a participant',
    description: 'Has earlier values too, and says where they are. After an erasure it has the places and no values.',
    access: 'CRUD',
    features: [],
    responses: { 200: PersonalDataView },
    async handle(request) {
      const id = idFromPath(request.params);
      await requireOwner(services, request, id);
      const body = await services.longReads.run(request, () => personalDataOf(services, id, request));
      return { kind: 'json', status: 200, body };
    },
  });
}

type PersonalValue = z.output<typeof Value>;

async function personalDataOf(
  { aggregates, reads: { models } }: PersonalDataServices,
  participantId: string,
  { signal, usage }: Pick<ApiRequest, 'signal' | 'usage'>,
): Promise<PersonalDataView> {
  const stream = streamOf(participantDecider.category, participantId);
  const values: PersonalValue[] = [];
  const claims = new Set<string>();
  let events = 0;
  let erasure: Erasure | null = null;
  let state = participantDecider.initial;
  for await (const batch of aggregates.read(stream)) {
    signal.throwIfAborted();
    usage.documents += batch.length;
    for (const event of batch) {
      events += 1;
      erasure ??= erasureIn(event);
      state = participantDecider.replay(state, event);
      addValuesIn(event, values);
      if (state !== null && participantDecider.claim !== null)
        claims.add(claimStream(participantDecider.claim.category, state.licenseId));
    }
  }
  const path = `/api/v1/participants/${participantId}`;
  const bounds = { signal, visits: usage };
  const lapCount = await models.count(laps.collection, { participantId }, bounds);
  let seats = 0;
  for await (const found of streamAll(models, rigSeats, { where: { participantId } })) seats += found.length;
  const places: PersonalDataView['places'] = [
    { place: 'log', where: stream, count: events },
    ...Array.from(claims, (where) => ({ place: 'claims' as const, where, count: 1 })),
    { place: 'readModels', where: path, count: 1 },
    { place: 'readModels', where: `/api/v1/laps?participantId=${participantId}`, count: lapCount },
    { place: 'readModels', where: 'seats', count: seats },
    { place: 'leaderboards', where: `${path}/bests`, count: lapCount === 0 ? 0 : 1 },
    { place: 'histories', where: `${path}/history`, count: events },
  ];
  if (erasure === null) return { participantId, erasedAt: null, values, places };
  return { participantId, erasedAt: erasure.erasedAt, values: [], places };
}

/** Adds the personal values that an event sets. One that it repeats goes on. */
function addValuesIn(event: RecordedEvent, values: PersonalValue[]): void {
  const data: JsonObject = upcast(participantEvents, event);
  const from = event.metadata.occurredAt;
  for (const field of personalFieldsOf(event.type)) {
    const value: Json | undefined = data[field];
    if (value === undefined) continue;
    const before = values.findIndex((one) => one.field === field && one.until === null);
    const present = values[before];
    if (present !== undefined) {
      if (sameJson(present.value, value)) continue;
      values[before] = { ...present, until: from };
    }
    values.push({ field, value, from, until: null, event: event.id });
  }
}

/** The personal fields of a type of event, as it declares them. */
function personalFieldsOf(type: string): readonly string[] {
  const types: EventTypes = participantEvents;
  return (types[type]?.personal ?? []).flatMap(({ erased }) => Object.keys(erased));
}
