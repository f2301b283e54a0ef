import { isBuiltin } from 'node:module';
import { z } from 'zod';
import { atMost } from './comparison.ts';
import { pocketbaseLap, REFERRED } from './child-pocketbase.ts';
import type { Scale } from './options.ts';
import { get, inTurns, jsonRequest, lapsById, page, PAGE_SIZE, posts, type Requests } from './requests.ts';
import { CONNECTIONS, type RequestRow } from './rows.ts';
import type { Server, World } from './world.ts';

/** Number of different bodies sent, and of different laps requested. */
const CALLS = 1_000;
const RECORDS = '/api/collections/laps/records';
/** PocketBase reads the names with the laps only where it is asked to. */
const NAMES = `expand=${Object.values(REFERRED).join(',')}`;

const Ids = z.object({ items: z.array(z.object({ id: z.string() })) });
const Named = z.object({ expand: z.object({ participantId: z.object({ name: z.string().min(1) }) }) });
const Written = z.object({ totalTime: z.number() });

/** The requests that a peer gets for the three that are compared. */
interface Peer {
  readonly label: string;
  readonly role: 'express-sqlite' | 'pocketbase';
  readonly post: Requests;
  readonly byId: Requests;
  readonly page: (laps: number) => Requests;
}

const PEERS: readonly Peer[] = [
  {
    label: 'stock Express with SQLite',
    role: 'express-sqlite',
    post: posts(),
    byId: lapsById,
    page: (laps) => () => page(0, laps),
  },
  {
    label: 'PocketBase',
    role: 'pocketbase',
    post: pocketbasePosts,
    byId: pocketbaseLaps,
    page: () => () => {
      const call = get(`${RECORDS}?page=1&perPage=${PAGE_SIZE}&sort=-createdAt&${NAMES}`);
      return () => call;
    },
  },
];

/** The peers that can be run here: both take `node:sqlite`, and PocketBase an executable that a variable names. */
function availablePeers(): readonly Peer[] {
  if (!isBuiltin('node:sqlite')) return [];
  return PEERS.filter(({ role }) => role !== 'pocketbase' || process.env['POCKETBASE'] !== undefined);
}

/**
 * The service beside what a user would pick instead of it. Both peers store a lap as one row, without history, boards
 * or retries.
 */
export function peerRows({ middle }: Scale): readonly RequestRow[] {
  return availablePeers().flatMap(({ label, role, post, byId, page: pageOf }): RequestRow[] => {
    const peer = (laps: number) => (world: World) =>
      world.shared(`${role} ${laps}`, async () => {
        const data = { directory: world.newPath(), fixtures: await world.fixtures(), laps };
        return world.server(role, data);
      });
    const service = (laps: number) => (world: World) =>
      world.shared(`laps ${laps}`, async () => world.service(await world.store(laps)));
    return [
      {
        name: 'peers',
        work: `POST lap, ${CONNECTIONS} connections, beside ${label}`,
        server: service(0),
        baseline: { label, server: peer(0), next: post },
        goal: atMost(1),
        next: posts(),
      },
      {
        name: 'peers',
        work: `GET lap by id, beside ${label}`,
        server: service(middle),
        baseline: { label, server: peer(middle), next: byId },
        goal: atMost(1),
        next: lapsById,
      },
      {
        name: 'peers',
        work: `GET page 0 of ${middle} laps, size ${PAGE_SIZE}, beside ${label}`,
        server: service(middle),
        baseline: { label, server: peer(middle), next: pageOf(middle) },
        goal: atMost(1),
        next: () => page(0, middle),
      },
    ];
  });
}

function pocketbasePosts({ fixtures }: Server) {
  return inTurns(
    Array.from({ length: CALLS }, (_, n) => {
      const body = pocketbaseLap(fixtures, n);
      const { start, rest } = jsonRequest('POST', RECORDS, { token: '', body });
      const fits = (text: string): boolean => Written.parse(JSON.parse(text)).totalTime === body.totalTime;
      return { text: start + rest, status: '200', fits };
    }),
  );
}

async function pocketbaseLaps({ url }: Server) {
  const answer = await fetch(`${url}${RECORDS}?perPage=${CALLS}`);
  const { items } = Ids.parse(await answer.json());
  return inTurns(
    items.map(({ id }) => get(`${RECORDS}/${id}?${NAMES}`, (body) => Named.safeParse(JSON.parse(body)).success)),
  );
}
