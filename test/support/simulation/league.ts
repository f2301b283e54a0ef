import { z } from 'zod';
import { eventType } from '../../../src/kernel/event-types.ts';
import { projection, readModel } from '../../../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../../../src/kernel/ports/read-store.ts';

/*
 * A toy domain with the features of the real one: renames that fan out, moves, events of other streams that set fields,
 * and look-ups of other documents.
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
  PlayerMovedToTeam: eventType(z.object({ from: id, to: id })),
};

export type TeamDocument = DocumentMeta & {
  readonly name: string;
  /** The player who left it last. */
  readonly lastLeft: string | null;
};

export type PlayerDocument = DocumentMeta & {
  readonly name: string;
  readonly teamId: string;
  readonly teamName: string;
  readonly captainOf: string | null;
};

export const teams = readModel<TeamDocument>('teams', { category: 'team', indexes: [['name']] });
export const players = readModel<PlayerDocument>('players', { category: 'player', indexes: [['teamId']] });

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
      return players.insert(id, { ...data, teamName, captainOf: null });
    },
    PlayerMovedToTeam: async ({ data: { to }, id }, look) =>
      players.set(id, { teamId: to, teamName: (await look(teams, to))?.name ?? '' }),
    TeamRenamed: ({ data, id }) => players.setWhere('teamId', id, { teamName: data.name }),
    CaptainNamed: ({ data, id }) => players.set(data.playerId, { captainOf: id }),
  },
);

export const leagueProjections = [teamsProjection, playersProjection];
