import type { SessionKind } from '../../results/plan.ts';
import { knownSectors } from '../../results/sectors.ts';
import {
  decodeLfs,
  LfsFrames,
  type LfsConnection,
  type LfsLap,
  type LfsPacket,
  type LfsPlayer,
} from '../decoders/lfs.ts';
import type { Observation, Session } from '../laps/observations.ts';
import { refusedReading, type GameReader, type Reading } from './game.ts';

/** A player, and the splits of the lap that the player drives. */
interface Player {
  readonly packet: LfsPlayer;
  /** The name of the entrant: the player, and how many had its id before. */
  readonly entrant: string;
  /** Times since the start of the lap, in ms, by the number of the split. */
  readonly splits: Map<number, number>;
}

/** What names a session: it begins, or is asked for. */
interface RunningRace {
  readonly raceLaps: number;
  readonly qualifyingMinutes: number;
  readonly track: string;
}

/** Reads InSim of Live for Speed, segments of a TCP connection: the laps of all cars. It does not know validity. */
export class LfsReader implements GameReader {
  #frames = new LfsFrames();
  #session: Session | null = null;
  #sessions = 0;
  /** Splits of a lap; null: not known. */
  #splits: number | null = null;
  #entrants = 0;
  readonly #connections = new Map<number, LfsConnection>();
  readonly #players = new Map<number, Player>();

  readonly format = 'lfs-insim-tcp';
  readonly rules = { isTimeWithCount: true, doesCountStayAtFlag: false, historyWaitMs: 0 };
  readonly hasSessionIds = false;

  read(segment: Uint8Array): Reading {
    const packets = this.#frames.push(segment);
    if (packets === null) {
      this.#frames = new LfsFrames();
      return refusedReading('the stream is broken');
    }
    const observations: Observation[] = [];
    let refused: string | null = null;
    for (const bytes of packets) {
      const result = decodeLfs(bytes);
      if (result.outcome === 'refused') refused = result.reason;
      else observations.push(...this.#observationsOf(result.packet));
    }
    return { observations, refused };
  }

  #observationsOf(packet: LfsPacket): readonly Observation[] {
    switch (packet.kind) {
      case 'race-start':
        this.#splits = packet.splits;
        if (packet.isAnswer && this.#session !== null) return [];
        return this.#begin(packet);
      case 'state':
        if (this.#session !== null || packet.raceInProgress === 0) return [];
        return this.#begin(packet);
      case 'connection':
        this.#connections.set(packet.connection, packet);
        return this.#playersOf(packet.connection);
      case 'connection-left':
        this.#connections.delete(packet.connection);
        return [];
      case 'player':
        return this.#playerOf(packet);
      case 'player-left':
        this.#players.delete(packet.player);
        return [];
      case 'takeover':
        return this.#takeover(packet.player, packet.connection);
      case 'split': {
        const player = this.#players.get(packet.player);
        if (packet.ms !== null) player?.splits.set(packet.split, packet.ms);
        return [];
      }
      case 'lap':
        return this.#lapOf(packet);
      default:
        return [];
    }
  }

  #begin({ raceLaps, qualifyingMinutes, track }: RunningRace): readonly Observation[] {
    this.#sessions += 1;
    for (const { splits } of this.#players.values()) splits.clear();
    this.#session = {
      id: String(this.#sessions),
      kind: kindOf(raceLaps, qualifyingMinutes),
      name: null,
      track: track === '' ? null : track,
      layout: null,
    };
    return [{ kind: 'session', session: this.#session }];
  }

  /** A player is named again on leaving the pits: a lap that was driven before has ended then. */
  #playerOf(packet: LfsPlayer): readonly Observation[] {
    const known = this.#players.get(packet.player);
    const isSame = known?.packet.connection === packet.connection && known.packet.car === packet.car;
    return this.#put(packet, isSame ? known.entrant : null);
  }

  #takeover(player: number, connection: number): readonly Observation[] {
    const known = this.#players.get(player);
    if (known === undefined) return [];
    const nickname = this.#connections.get(connection)?.nickname ?? '';
    const splits = new Map(known.splits);
    const observations = this.#put({ ...known.packet, connection, nickname }, null);
    // The lap goes on: its splits stay.
    for (const [split, ms] of splits) this.#players.get(player)?.splits.set(split, ms);
    return observations;
  }

  #put(packet: LfsPlayer, known: string | null): readonly Observation[] {
    this.#entrants += 1;
    const player = {
      packet,
      entrant: known ?? `${packet.player}#${this.#entrants}`,
      splits: new Map<number, number>(),
    };
    this.#players.set(packet.player, player);
    return [this.#entrantOf(player)];
  }

  /** The connection of a player may be named after the player. */
  #playersOf(connection: number): readonly Observation[] {
    const players = [...this.#players.values()].filter(({ packet }) => packet.connection === connection);
    return players.map((player) => this.#entrantOf(player));
  }

  #entrantOf({ packet, entrant: key }: Player): Observation {
    const user = packet.isAi ? '' : (this.#connections.get(packet.connection)?.user ?? '');
    const entrant = {
      driver: packet.nickname === '' ? null : packet.nickname,
      driverId: user === '' ? null : user,
      model: packet.car === '' ? null : packet.car,
    };
    return { kind: 'entrant', key, entrant };
  }

  #lapOf({ player: id, ms, lapsDone }: LfsLap): readonly Observation[] {
    const observations: Observation[] = [];
    if (this.#session === null) observations.push(...this.#begin({ raceLaps: 0, qualifyingMinutes: 0, track: '' }));
    const player = this.#players.get(id);
    const sectors = ms === null || player === undefined ? null : this.#sectorsOf(ms, player.splits);
    player?.splits.clear();
    observations.push({
      kind: 'announced-lap',
      car: String(id),
      entrant: player?.entrant ?? `${id}#0`,
      lap: lapsDone,
      ms,
      facts: { sectors, valid: null, isOut: false },
    });
    return observations;
  }

  /** Single sectors: the differences of the splits, which count from the start of the lap. */
  #sectorsOf(ms: number, splits: ReadonlyMap<number, number>): readonly (number | null)[] | null {
    const count = this.#splits ?? Math.max(0, ...splits.keys());
    if (count === 0) return null;
    const sectors: (number | null)[] = [];
    let before: number | null = 0;
    for (let split = 1; split <= count + 1; split += 1) {
      const now: number | null = split <= count ? (splits.get(split) ?? null) : ms;
      const isKnown: boolean = before !== null && now !== null && now > before;
      sectors.push(isKnown ? (now ?? 0) - (before ?? 0) : null);
      before = now;
    }
    return knownSectors(sectors);
  }
}

function kindOf(raceLaps: number, qualifyingMinutes: number): SessionKind {
  if (raceLaps > 0) return 'race';
  return qualifyingMinutes > 0 ? 'qualifying' : 'practice';
}
