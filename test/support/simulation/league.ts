import { z } from 'zod';
import { eventType } from '../../../src/service/kernel/event-types.ts';
import { projection, readModel } from '../../../src/service/kernel/projection/projection.ts';
import type { DocumentMeta } from '../../../src/service/kernel/ports/read-store.ts';

/*
 * A toy domain with the features of the real one: renames that fan out, moves, flags, optional fields, repeated
 * mappings, events of other streams that set fields, and look-ups of other documents.
 */

const id = z.string();
const name = z.object({ name: z.string() });
const none = z.object({});

export const teamEvents = {
  TeamFounded: eventType(name),
  TeamRenamed: eventType(name),
  /** Changes nothing that is shown. */
  TeamCelebrated: eventType(none),
  CaptainNamed: eventType(z.object({ playerId: id })),
};

export const playerEvents = {
  PlayerJoined: eventType(z.object({ teamId: id, name: z.string() })),
  PlayerRenamed: eventType(name),
  PlayerMovedToTeam: eventType(z.object({ from: id, to: id })),
  PlayerNicknamed: eventType(z.object({ nickname: z.string() })),
  PlayerLostNickname: eventType(none),
  PlayerEnabled: eventType(none),
  PlayerDisabled: eventType(none),
};

export const shirtEvents = {
  ShirtMapped: eventType(z.object({ playerId: id, number: z.number() })),
  ShirtRemapped: eventType(z.object({ number: z.number() })),
  ShirtUnmapped: eventType(none),
};

export type TeamDocument = DocumentMeta & {
  readonly name: string;
  /** The player who left it last. */
  readonly lastLeft: string | null;
};

export type PlayerDocument = DocumentMeta & {
  readonly name: string;
  readonly nickname?: string | null;
  readonly enabled: boolean;
  readonly teamId: string;
  readonly teamName: string;
  readonly captainOf: string | null;
};

export type ShirtDocument = DocumentMeta & {
  readonly number: number;
  readonly mapped: boolean;
  readonly playerId: string;
  readonly playerName: string;
  readonly nickname: string | null;
  readonly captainOf: string | null;
  readonly teamId: string;
  readonly teamName: string;
};

export const teams = readModel<TeamDocument>('teams', { category: 'team', indexes: [['name']] });
export const players = readModel<PlayerDocument>('players', { category: 'player', indexes: [['teamId']] });
export const shirts = readModel<ShirtDocument>('shirts', { category: 'shirt', indexes: [['playerId'], ['teamId']] });

const teamsProjection = projection(
  teams,
  { own: teamEvents, others: playerEvents },
  {
    TeamFounded: ({ data, id }) => teams.insert(id, { ...data, lastLeft: null }),
    TeamRenamed: ({ data, id }) => teams.set(id, data),
    TeamCelebrated: () => null,
    CaptainNamed: () => null,
    // The event names the team, as a look-up of the player could happen before or after the move.
    PlayerMovedToTeam: ({ data: { from }, id }) => teams.set(from, { lastLeft: id }),
  },
);

const playersProjection = projection(
  players,
  { own: playerEvents, others: teamEvents },
  {
    PlayerJoined: async ({ data, id }, look) => {
      const teamName = (await look(teams, data.teamId))?.name ?? '';
      return players.insert(id, { ...data, teamName, enabled: true, captainOf: null });
    },
    PlayerRenamed: ({ data, id }) => players.set(id, data),
    PlayerMovedToTeam: async ({ data: { to }, id }, look) =>
      players.set(id, { teamId: to, teamName: (await look(teams, to))?.name ?? '' }),
    PlayerNicknamed: ({ data, id }) => players.set(id, data),
    PlayerLostNickname: ({ id }) => players.unset(id, 'nickname'),
    PlayerEnabled: ({ id }) => players.set(id, { enabled: true }),
    PlayerDisabled: ({ id }) => players.set(id, { enabled: false }),
    TeamRenamed: ({ data, id }) => players.setWhere('teamId', id, { teamName: data.name }),
    CaptainNamed: ({ data, id }) => players.set(data.playerId, { captainOf: id }),
  },
);

const shirtsProjection = projection(
  shirts,
  { own: shirtEvents, others: { ...teamEvents, ...playerEvents } },
  {
    ShirtMapped: async ({ data, id }, look) => {
      const player = await look(players, data.playerId);
      const { name = '', nickname = null, captainOf = null, teamId = '', teamName = '' } = player ?? {};
      return shirts.insert(id, { ...data, mapped: true, playerName: name, nickname, captainOf, teamId, teamName });
    },
    ShirtRemapped: ({ data, id }) => shirts.set(id, { ...data, mapped: true }),
    ShirtUnmapped: ({ id }) => shirts.set(id, { mapped: false }),
    PlayerRenamed: ({ data, id }) => shirts.setWhere('playerId', id, { playerName: data.name }),
    PlayerNicknamed: ({ data, id }) => shirts.setWhere('playerId', id, data),
    PlayerLostNickname: ({ id }) => shirts.setWhere('playerId', id, { nickname: null }),
    PlayerMovedToTeam: async ({ data: { to }, id }, look) =>
      shirts.setWhere('playerId', id, { teamId: to, teamName: (await look(teams, to))?.name ?? '' }),
    TeamRenamed: ({ data, id }) => shirts.setWhere('teamId', id, { teamName: data.name }),
    CaptainNamed: ({ data, id }) => shirts.setWhere('playerId', data.playerId, { captainOf: id }),
  },
);

export const leagueProjections = [teamsProjection, playersProjection, shirtsProjection];
