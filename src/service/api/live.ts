import { z } from 'zod';
import { racingEventQuery } from '../../../queries/racing-events.ts';
import { reference } from '../domain/examples.ts';
import { instant } from '../domain/fields.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { wholeNumber } from '../http/paging.ts';
import type { ApiContext } from './context.ts';
import { LiveEvent } from './live-events.ts';
import { boardFilters } from './leaderboards.ts';
import { endpointBase } from './naming.ts';
import { notFoundProblem } from './views.ts';

/** Longest delay, in s, and fastest replay. */
const MAX_DELAY_S = 3_600;
const MAX_SPEED = 60;

const SPEED = /^\d{1,2}(\.\d{1,3})?$/;

const liveParameters = z
  .object({
    ...boardFilters,
    after: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .meta({
        ...{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [48_211] },
        description: 'Go on after the event with this id, instead of with the whole board. `Last-Event-ID` wins.',
      }),
    delaySeconds: wholeNumber(0, MAX_DELAY_S)
      .default(0)
      .meta({
        ...{ type: 'integer', minimum: 0, maximum: MAX_DELAY_S, default: 0, examples: [30] },
        description: 'Everything is shown so much later, the first board too.',
      }),
    from: instant
      .optional()
      .meta({
        description: 'Replay what has happened since this moment, then continue live.',
        examples: ['2026-05-01T18:00:00.000Z'],
      }),
    speed: z
      .string()
      .refine((text) => SPEED.test(text) && Number(text) >= 1 && Number(text) <= MAX_SPEED, {
        error: `must be a number from 1 to ${MAX_SPEED}`,
      })
      .transform(Number)
      .optional()
      .meta({
        ...{ type: 'number', minimum: 1, maximum: MAX_SPEED, examples: [10] },
        description: 'How many times as fast as it was; with `from` only. Left out: 1.',
      }),
  })
  .refine(({ from, speed }) => speed === undefined || from !== undefined, {
    error: 'goes with from only',
    path: ['speed'],
  });

/** GET of a live board: public like the leaderboard, of which it shows every change. */
export function liveEndpoint(api: ApiContext, path: string): Endpoint {
  return endpoint({
    ...endpointBase('GET', path, racingEventQuery),
    operationId: 'watchEvent',
    summary: 'Watch the leaderboard of an event live',
    description:
      'Server-sent events with JSON: first `board`, the whole of it, and then `lap`, `rows` and `heads` for each change. ' +
      'The last event of a change has an `id`, after which a returning reader continues.',
    access: 'public',
    params: z.object({ eventId: reference('event', 'Id of the event.') }),
    query: liveParameters,
    responses: { 200: 'text/event-stream' },
    events: LiveEvent,
    features: ['last-event-id'],
    async handle({ params: { eventId }, query, headers: { lastEventId } }) {
      const { trackLayoutId, carId, carClassId, validOnly, after = null, delaySeconds, from, speed = 1 } = query;
      const subscription = await api.live.watch({
        ...{ eventId, trackLayoutId, carId, carClassId, validOnly },
        after: lastEventId ?? after,
        delayMs: delaySeconds * 1_000,
        replay: from === undefined ? null : { from: Date.parse(from), speed },
      });
      if (subscription === null) throw notFoundProblem();
      return { kind: 'events', source: subscription };
    },
  });
}
