import { z } from 'zod';
import { leaderboards } from '../../../projections/leaderboards/leaderboards.ts';
import { racingEvents } from '../../../projections/racing-events.ts';
import { eventStateAt, type EventState } from '../../../queries/event-state.ts';
import { isMadeOfLaps } from '../../../queries/leaderboards/find-board.ts';
import type { EncodedRow } from '../../../queries/leaderboards/encoded-row.ts';
import type { PageRequest } from '../../../queries/leaderboards/positions.ts';
import { Allowance, type BoardSources, type Sources } from '../../../queries/leaderboards/sources.ts';
import {
  boardCollections,
  leaderboardPage,
  LeaderboardHeadView,
  LeaderboardRowView,
} from '../../../queries/leaderboards/leaderboards.ts';
import {
  LayoutLeaderboardHeadView,
  layoutBoardCollections,
  layoutLeaderboardPage,
} from '../../../queries/leaderboards/layout-board.ts';
import { participantQuery } from '../../../queries/participants.ts';
import { bestsCollections, personalBests, PersonalBestView } from '../../../queries/leaderboards/personal-bests.ts';
import { racingEventQuery } from '../../../queries/racing-events.ts';
import { trackLayoutQuery } from '../../../queries/track-layouts.ts';
import { ALL_LAYOUTS, resultsName, resultsOf } from '../../../queries/leaderboards/results.ts';
import { component } from '../../domain/component.ts';
import { readOne } from '../../domain/documents.ts';
import { reference } from '../../domain/references.ts';
import { instant } from '../../domain/fields.ts';
import { JoinedBody } from '../http/joined-body.ts';
import { CSV_TYPE, csvParameters, csvTable } from '../http/list-body.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { flag, pageAndSize, pageSchema } from '../http/paging.ts';
import type { Live } from '../live/live.ts';
import type { FairTurns } from '../http/fair-turns.ts';
import { endpointBase } from './endpoint-base.ts';
import { isShortPage, pageEnvelope } from './lists.ts';
import { instantOf, notFoundProblem, withWholeNames, type ReadSources } from './views.ts';

/** Query parameters that choose the laps of a board. */
export const boardFilters = {
  trackLayoutId: reference('trackLayout', 'The layout of the board; left out: the first of the event.').optional(),
  carId: reference('car', 'Laps with this car only.').optional(),
  carClassId: reference('carClass', 'Laps with cars that are of this class now.').optional(),
  validOnly: flag(true, 'Whether only valid laps count for the best.'),
};

const boardParameters = {
  ...boardFilters,
  asOf: instant
    .optional()
    .meta({
      description:
        'The board as it was at this moment; a future one gives the current board. ' +
        'Names and car classes are the current ones.',
      examples: ['2026-05-01T20:15:00Z'],
    }),
};

const { shape } = pageSchema(LeaderboardRowView, 'LeaderboardRows');
const LeaderboardView = z
  .object({ ...shape, leaderboard: LeaderboardHeadView })
  .meta({ id: 'Leaderboard', description: 'A page of a leaderboard.' });

const LayoutLeaderboardView = z
  .object({ ...shape, leaderboard: LayoutLeaderboardHeadView })
  .meta({ id: 'LayoutLeaderboard', description: 'A page of the leaderboard of a layout.' });

interface BoardServices {
  readonly reads: ReadSources;
  readonly live: Pick<Live, 'lapBoard' | 'isFollowed'>;
  readonly longReads: FairTurns;
}

/** GET of an event's leaderboard: public like the event, and for a disabled one too, as it is by its id. */
export function leaderboardEndpoint(services: BoardServices): Endpoint {
  return endpoint({
    ...endpointBase('GET', '/api/v1/events/{eventId}/leaderboard', racingEventQuery),
    operationId: 'getLeaderboard',
    summary: 'Get a page of the leaderboard of an event',
    description: 'Shows the best lap of each driver, fastest first.',
    access: 'public',
    params: z.object({ eventId: reference('event', 'Id of the event.') }),
    query: z.object({ ...pageAndSize, ...boardParameters }),
    responses: { 200: LeaderboardView },
    features: ['etag'],
    handle: (request) =>
      computed(
        services,
        {
          collections: boardCollections,
          request,
          namesPeople: true,
          state: () => eventState(services.reads, request.params.eventId),
          isShort:
            isShortBoard(request.query) ||
            ((sources) => isMadeOfLaps({ ...request.query, ...request.params }, sources)),
        },
        async (sources) => {
          const { params, query } = request;
          const found = await leaderboardPage({ ...query, ...params }, sources);
          if (found === null) return null;
          const { rows, total, head: leaderboard } = found;
          return joinedPage(rows, pageEnvelope(rows, query, total), leaderboard);
        },
      ),
  });
}

const moment = (description: string, example: string) => instant.optional().meta({ description, examples: [example] });

/** GET of a layout's leaderboard over all events: public like the boards of these. */
export function layoutLeaderboardEndpoint(services: BoardServices): Endpoint {
  return endpoint({
    ...endpointBase('GET', '/api/v1/track-layouts/{trackLayoutId}/leaderboard', trackLayoutQuery),
    operationId: 'getLayoutLeaderboard',
    summary: 'Get a page of the leaderboard of a track layout',
    description: 'Shows the best lap of each driver in all events, fastest first.',
    access: 'public',
    params: z.object({ trackLayoutId: reference('trackLayout', 'Id of the track layout.') }),
    query: z
      .object({
        ...pageAndSize,
        from: moment('Only laps that were driven at this moment or later.', '2026-05-01T00:00:00+02:00'),
        to: moment('Only laps that were driven before this moment.', '2026-05-02T00:00:00+02:00'),
        carId: boardFilters.carId,
        carClassId: boardFilters.carClassId,
        simulatorId: reference('simulator', 'Laps of events on this simulator only.').optional(),
        licenseId: reference('license', 'Laps on rigs that are of this licence now.').optional(),
        validOnly: boardFilters.validOnly,
      })
      .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
        path: ['to'],
        error: 'must be after `from`',
      }),
    responses: { 200: LayoutLeaderboardView },
    features: ['etag'],
    handle: (request) =>
      computed(
        services,
        { collections: layoutBoardCollections, request, namesPeople: true, isShort: false },
        async (sources) => {
          const { params, query } = request;
          const found = await layoutLeaderboardPage({ ...query, ...params }, sources);
          if (found === null) return null;
          const { rows, total, head: leaderboard } = found;
          return joinedPage(rows, pageEnvelope(rows, query, total), leaderboard);
        },
      ),
  });
}

/** A page whose rows are JSON already. */
function joinedPage(rows: readonly EncodedRow[], envelope: object, leaderboard: object): JoinedBody {
  const frame = JSON.stringify({ ...envelope, content: [], leaderboard });
  const at = frame.indexOf(']');
  return new JoinedBody(frame.slice(0, at), rows, frame.slice(at));
}

const oneOrAllLayouts = z
  .union([
    reference('trackLayout', 'A layout.'),
    z.literal(ALL_LAYOUTS).meta(component('AllLayouts', 'All layouts of an event.')),
  ])
  .optional()
  .meta({
    description:
      'The layout of the board; left out: the first of the event; `all`: those of the event in its order, and a first ' +
      'column `layout`.',
    examples: [ALL_LAYOUTS],
  });

const { bom, delimiter } = csvParameters;
const resultsForm = { bom, delimiter };

export function resultsEndpoint(services: BoardServices): Endpoint {
  return endpoint({
    ...endpointBase('GET', '/api/v1/events/{eventId}/results.csv', racingEventQuery),
    operationId: 'getResults',
    summary: 'Get the results of an event as CSV',
    description: 'The whole leaderboard, in the form that is printed.',
    access: 'public',
    params: z.object({ eventId: reference('event', 'Id of the event.') }),
    query: z.object({ ...boardParameters, trackLayoutId: oneOrAllLayouts, ...resultsForm }),
    responses: { 200: 'text/csv' },
    features: ['etag'],
    handle: async (request) => {
      const { query } = request;
      const { eventId } = request.params;
      const name = await resultsName(eventId, services.reads.models);
      if (name === null) throw notFoundProblem();
      const table = computed(
        services,
        {
          collections: boardCollections,
          request,
          isShort: (sources) => {
            const trackLayoutId = query.trackLayoutId === ALL_LAYOUTS ? undefined : query.trackLayoutId;
            return isMadeOfLaps({ ...query, eventId, trackLayoutId }, sources);
          },
        },
        async (sources) => {
          const results = await resultsOf({ ...query, eventId }, sources);
          return results && csvTable(results.columns, results.rows, query);
        },
      );
      return {
        ...table,
        headers: { 'Content-Type': CSV_TYPE, 'Content-Disposition': `attachment; filename="${name}.csv"` },
      };
    },
  });
}

/** GET of a participant's best laps: public like boards, which show the same. */
export function bestsEndpoint(services: BoardServices): Endpoint {
  return endpoint({
    ...endpointBase('GET', '/api/v1/participants/{participantId}/bests', participantQuery),
    operationId: 'listPersonalBests',
    summary: 'List the best valid lap of a participant on each layout with each car',
    description: 'The laps of all events count.',
    access: 'public',
    params: z.object({ participantId: reference('participant', 'Id of the driver.') }),
    responses: { 200: z.array(PersonalBestView) },
    features: ['etag'],
    handle: (request) =>
      computed(services, { collections: bestsCollections, request, isShort: false }, (sources) =>
        personalBests(request.params.participantId, sources),
      ),
  });
}

/** Whether the read models have a page of a board of all valid laps in a few steps. */
function isShortBoard(page: PageRequest): boolean {
  const where = { eventId: '', trackId: '', standing: 'ranked' };
  return isShortPage({ model: leaderboards }, { ...page, sort: { field: 'rank', direction: 'asc' } }, where);
}

/** The state of an event now; null: there is no such event. */
async function eventState({ models, clock }: ReadSources, eventId: string): Promise<EventState | null> {
  const event = await readOne(models, racingEvents, eventId);
  return event && eventStateAt(event, instantOf(clock.now()));
}

interface ComputedOptions {
  /** The collections that it is worked out from. */
  readonly collections: readonly string[];
  /** What it shows that the clock changes; by default nothing. */
  readonly state?: () => Promise<EventState | null>;
  readonly request: Pick<ApiRequest, 'address' | 'caller' | 'signal' | 'usage'>;
  /** Whether owners of people see their whole names in it; otherwise it is for the public, whoever asks. */
  readonly namesPeople?: true;
  /**
   * Whether it takes a few steps, or takes a turn for itself where it takes more: what may wait for others, such as a board
   * that is made of laps, must not wait in a turn. A function looks.
   */
  readonly isShort: boolean | ((sources: Sources) => Promise<boolean>);
}

/** A response that is worked out from some collections, within the budget of a request; 404 where there is nothing. */
function computed(
  { reads, live, longReads }: BoardServices,
  { collections, request, isShort, state, namesPeople }: ComputedOptions,
  work: (sources: BoardSources) => Promise<object | string | null>,
) {
  const { models, clock, queryBudget: budget } = reads;
  const owner = namesPeople === true ? request.caller : null;
  let isDoneAtOnce = isShort === true;
  return {
    kind: 'computed' as const,
    version: async () => {
      const ofSources = await models.version(collections);
      const parts = [ofSources];
      if (state !== undefined) parts.push(String(await state()));
      if (owner !== null) parts.push(reads.authorizer.mayReadAllContacts(owner) ? 'all' : owner.licenseId);
      if (typeof isShort === 'function') isDoneAtOnce = await isShort({ models, allowance: new Allowance({ budget }) });
      return parts.join(' ');
    },
    isShort: () => isDoneAtOnce,
    async body() {
      const { address, signal, usage: visits } = request;
      const turn = <T>(long: () => Promise<T>): Promise<T> => (isDoneAtOnce ? longReads.run(request, long) : long());
      const found = await work({
        models,
        clock,
        allowance: new Allowance({ budget, signal, visits }),
        namePeople: owner === null ? undefined : (rows) => withWholeNames(reads, rows, owner),
        turn,
        lapBoard: (filter, asOf) =>
          live.lapBoard({ filter, asOf, turn, visits, usage: request.usage, address, signal }),
        isFollowed: (eventId) => live.isFollowed(eventId),
      });
      if (found === null) throw notFoundProblem();
      return found;
    },
  };
}
