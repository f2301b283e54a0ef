import { setTimeout as pause } from 'node:timers/promises';
import { startEventStoreDouble, type EventStoreDouble } from './double.ts';

/** How far the follower is behind its leader, in ms. */
const LAG_MS = 300;
/** How long a vote takes, in ms: there is no leader meanwhile. */
const VOTE_MS = 1_500;

/**
 * A leader and a follower, each a double of its own. Appends through the follower are the leader's; what it reads is
 * behind. An append is acknowledged only while the follower would get it.
 */
export class EventStoreCluster {
  leader: EventStoreDouble;
  follower: EventStoreDouble;
  #stopReplicating: () => void = () => undefined;

  private constructor(leader: EventStoreDouble, follower: EventStoreDouble) {
    this.leader = leader;
    this.follower = follower;
    for (const { world } of [leader, follower]) world.cluster.members = () => [leader.world, follower.world];
    this.#follow();
  }

  static async start(): Promise<EventStoreCluster> {
    return new EventStoreCluster(await startEventStoreDouble(), await startEventStoreDouble());
  }

  /** Connection string of a client that finds the nodes, and prefers one. */
  url(nodePreference: 'leader' | 'follower'): string {
    const nodes = [this.leader, this.follower].map(({ port }) => `127.0.0.1:${port}`);
    return `esdb://${nodes.join(',')}?tls=false&nodePreference=${nodePreference}`;
  }

  /**
   * Deposes the leader: what it takes from now on is a tail that nobody else gets. After the vote the follower leads,
   * with all that was acknowledged; the old leader drops its tail and its connections, and follows.
   */
  async depose(): Promise<void> {
    const old = this.leader;
    const next = this.follower;
    old.world.cluster.isCutOff = true;
    next.faults.notReady = 'unknown';
    this.#stopReplicating();
    await pause(VOTE_MS);
    for (const entry of old.world.log.entries) next.world.log.replicate(entry);
    this.leader = next;
    this.follower = old;
    old.faults.kill();
    this.#follow();
    next.faults.notReady = null;
    await old.faults.restart();
  }

  async close(): Promise<void> {
    this.#stopReplicating();
    for (const node of [this.leader, this.follower]) await node.close();
  }

  /** Gives the roles out, and brings each of the leader's events to the follower after the lag. */
  #follow(): void {
    const leader = this.leader.world;
    const follower = this.follower.world;
    Object.assign(leader.cluster, { role: 'leader', leader: null, isCutOff: false });
    Object.assign(follower.cluster, { role: 'follower', leader, isCutOff: false });
    let next = 0;
    let isOver = false;
    const copyLater = (): void => {
      const upTo = leader.log.entries.length;
      const copy = (): void => {
        if (isOver) return;
        for (const entry of leader.log.entries.slice(next, upTo)) follower.log.replicate(entry);
        next = upTo;
      };
      setTimeout(copy, LAG_MS).unref();
    };
    copyLater();
    const unlisten = leader.log.listen(copyLater);
    this.#stopReplicating = () => {
      isOver = true;
      unlisten();
    };
  }
}
