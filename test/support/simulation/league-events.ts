import type { EventStore, NewEvent } from '../../../src/service/kernel/ports/event-store.ts';
import type { EventOf } from '../../../src/service/kernel/event-types.ts';
import type { playerEvents, shirtEvents, teamEvents } from './league.ts';
import type { RandomSource } from './random.ts';

type LeagueEvent = EventOf<typeof teamEvents & typeof playerEvents & typeof shirtEvents>;

/** An event and the stream that it belongs to. */
type Happening = LeagueEvent & { readonly stream: string };

/** The state of a history: teams, the team of each player, and whether each shirt is mapped. */
interface League {
  readonly teams: string[];
  readonly players: Map<string, string>;
  readonly shirts: Map<string, boolean>;
}

const PLAYERS = 4;
const TEAMS = 3;

/** Appends a random history; some events are appended together. */
export async function appendLeague(store: EventStore, chances: RandomSource, events: number): Promise<void> {
  const league: League = { teams: [], players: new Map(), shirts: new Map() };
  for (let n = 0; n < events; n++) {
    const { stream, type, data } = happening(league, chances, n);
    const metadata = { version: 1, occurredAt: new Date(n).toISOString(), commandId: `c${n}`, correlationId: `r${n}` };
    const event: NewEvent = { id: `e${n}`, type, data, metadata };
    await store.append(stream, [event], 'any');
  }
}

function happening(league: League, chances: RandomSource, n: number): Happening {
  const { teams, players } = league;
  const name = `n${n}`;
  if (teams.length === 0 || (teams.length < TEAMS && chances.oneIn(6))) {
    const id = `t${teams.length}`;
    teams.push(id);
    return { stream: `team-${id}`, type: 'TeamFounded', data: { name } };
  }
  if (players.size === 0 || (players.size < PLAYERS && chances.oneIn(5))) {
    const id = `p${players.size}`;
    const teamId = chances.pick(teams);
    players.set(id, teamId);
    return { stream: `player-${id}`, type: 'PlayerJoined', data: { teamId, name } };
  }
  return chances.pick([ofTeam, ofPlayer, ofPlayer, ofShirt])(league, chances, name);
}

function ofTeam({ teams, players }: League, chances: RandomSource, name: string): Happening {
  const stream = `team-${chances.pick(teams)}`;
  const playerId = chances.pick([...players.keys()]);
  return chances.pick<Happening>([
    { stream, type: 'TeamRenamed', data: { name } },
    { stream, type: 'TeamRenamed', data: { name } },
    { stream, type: 'TeamCelebrated', data: {} },
    { stream, type: 'CaptainNamed', data: { playerId } },
  ]);
}

function ofPlayer({ teams, players }: League, chances: RandomSource, name: string): Happening {
  const [id, from] = chances.pick([...players]);
  const stream = `player-${id}`;
  const to = chances.pick(teams);
  const happened = chances.pick<Happening>([
    { stream, type: 'PlayerRenamed', data: { name } },
    { stream, type: 'PlayerMovedToTeam', data: { from, to } },
    { stream, type: 'PlayerNicknamed', data: { nickname: name } },
    { stream, type: 'PlayerLostNickname', data: {} },
    { stream, type: 'PlayerEnabled', data: {} },
    { stream, type: 'PlayerDisabled', data: {} },
  ]);
  if (happened.type === 'PlayerMovedToTeam') players.set(id, to);
  return happened;
}

function ofShirt({ players, shirts }: League, chances: RandomSource, name: string): Happening {
  const playerId = chances.pick([...players.keys()]);
  const id = `s${chances.below(2)}:${playerId}`;
  const stream = `shirt-${id}`;
  const number = Number(name.slice(1));
  const mapped = shirts.get(id);
  const unmaps = mapped === true && chances.oneIn(2);
  shirts.set(id, !unmaps);
  if (mapped === undefined) return { stream, type: 'ShirtMapped', data: { playerId, number } };
  return unmaps ? { stream, type: 'ShirtUnmapped', data: {} } : { stream, type: 'ShirtRemapped', data: { number } };
}
