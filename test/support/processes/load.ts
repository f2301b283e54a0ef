import { randomInt, randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../src/kernel/json.ts';
import { idOf, textOf, type Answer, type Client } from '../api/client.ts';
import { Ledger, type KeyEntry, type Lane, type LapEntry, type ParticipantEntry, type RigEntry } from './ledger.ts';
import { createLicense, createVenue, issueLicenseFile, registerRig, bodies, type Venue } from '../api/venue.ts';

/** What the load refers to: created once, before the first crash. */
export type Ground = Awaited<ReturnType<typeof prepare>>;

export async function prepare(admin: Client, lanes: number) {
  const venue = await createVenue(admin);
  const licenseFile = await issueLicenseFile(venue.manager, venue.licenseId);
  const managerToken = venue.manager.token ?? '';
  const preparing = Array.from({ length: lanes }, (_, number) => prepareLane(admin, venue, number));
  return { venue, licenseFile, managerToken, lanes: await Promise.all(preparing) };
}

async function prepareLane(admin: Client, venue: Venue, number: number): Promise<Lane> {
  const { licenseId } = await createLicense(admin);
  const participantId = idOf(await admin.create('/api/v1/participants', bodies.participant(licenseId)));
  const { rigId } = await registerRig(venue.manager, venue.licenseId);
  const named = (path: string, field: string) => ({
    path,
    renaming: (name: string) => ({ [field]: name }),
    name: `first ${number}`,
    asked: [],
  });
  const own = [named(`/api/v1/participants/${participantId}`, 'lastName'), named(`/api/v1/rigs/${rigId}`, 'name')];
  const shared = number === 0 ? [named(`/api/v1/events/${venue.eventId}`, 'name')] : [];
  for (const { path, renaming, name } of [...own, ...shared]) await admin.change(path, renaming(name));
  return { number, participantId, rigId, named: [...own, ...shared], laps: [] };
}

/** The load of a client with one connection: sends requests one by one until the service is gone. */
export class Load {
  readonly ground: Ground;
  readonly ledger: Ledger;
  #next = 0;

  constructor(ground: Ground, ledger = new Ledger()) {
    this.ground = ground;
    this.ledger = ledger;
  }

  /** Runs on every lane while `work` goes on; resolves to its result. */
  async during<T>(admin: Client, work: () => Promise<T>): Promise<T> {
    const stop = new AbortController();
    const lanes = Promise.all(this.ground.lanes.map((lane) => this.run(lane, admin, stop.signal)));
    const result = await work().finally(() => stop.abort());
    await lanes;
    return result;
  }

  /** Runs until a request gets no answer, or `stop` aborts. */
  async run(lane: Lane, admin: Client, stop: AbortSignal): Promise<void> {
    const manager = admin.as(this.ground.managerToken);
    let alive = await this.retryUnknown(lane, manager);
    while (alive && !stop.aborted) alive = await this.#step(lane, { admin, manager });
  }

  /** Repeats unanswered requests with an `Idempotency-Key`. */
  async retryUnknown(lane: Lane, manager: Client): Promise<boolean> {
    for (const lap of this.ledger.laps.values()) {
      const open = lap.lane === lane && lap.key !== null && lap.id === null;
      if (open && !(await this.#record(lap, manager))) return false;
    }
    for (const rig of this.ledger.rigs) {
      if (rig.lane === lane && rig.id === null && !(await this.#register(rig, manager))) return false;
    }
    return true;
  }

  #step(lane: Lane, { admin, manager }: { readonly admin: Client; readonly manager: Client }): Promise<boolean> {
    const dice = randomInt(100);
    const lap = lane.laps[randomInt(Math.max(1, lane.laps.length))];
    if (lap !== undefined && dice < 20) return this.#correct(lap, manager);
    if (lap !== undefined && lap.key !== null && dice < 25) return this.#record(lap, manager);
    if (dice < 33) return this.#rename(lane, admin);
    if (dice < 37) return this.#register(this.#newRig(lane), manager);
    if (dice < 41) return this.#join(admin);
    if (dice < 45) return this.#issueOrRevoke(manager);
    return this.#record(this.#newLap(lane, dice % 2 === 0), manager);
  }

  #newLap(lane: Lane, keyed: boolean): LapEntry {
    const marker = this.#next++;
    const key = keyed ? randomUUID() : null;
    const lap = { marker, lane, key, id: null, versions: { acknowledged: 0, asked: 0 } };
    this.ledger.laps.set(marker, lap);
    return lap;
  }

  #newRig(lane: Lane): RigEntry {
    const rig = { lane, hardwareId: `hw-${lane.number}-${this.#next++}`, key: randomUUID(), id: null, token: null };
    this.ledger.rigs.push(rig);
    return rig;
  }

  async #record(lap: LapEntry, manager: Client): Promise<boolean> {
    const {
      venue: { eventId, carId, trackLayoutId },
    } = this.ground;
    const { participantId, rigId } = lap.lane;
    const body = { ...bodies.lap({ eventId, carId, trackLayoutId, participantId, rigId }), ...times(lap.marker, 0) };
    return this.#ask(manager.post('/api/v1/laps', body, keyed(lap.key)), (answer) => {
      if (lap.key !== null && lap.id !== null) this.#expectReplay(answer, lap.id);
      if (lap.id === null) lap.lane.laps.push(lap);
      lap.id = textOf(answer.body, 'id');
    });
  }

  #expectReplay(answer: Answer, id: string): void {
    this.ledger.retried += 1;
    if (answer.headers.get('Idempotency-Replayed') === 'true' && textOf(answer.body, 'id') === id) return;
    this.ledger.surprise(`no replay of ${id}: ${answer.status} ${answer.text}`);
  }

  async #correct(lap: LapEntry, manager: Client): Promise<boolean> {
    const version = ++lap.versions.asked;
    return this.#ask(manager.patch(`/api/v1/laps/${lap.id}`, times(lap.marker, version)), () => {
      lap.versions.acknowledged = version;
    });
  }

  async #rename({ named }: Lane, admin: Client): Promise<boolean> {
    const one = named[randomInt(named.length)];
    if (one === undefined) return true;
    const name = `name ${this.#next++}`;
    one.asked.push(name);
    return this.#ask(admin.patch(one.path, one.renaming(name)), () => {
      one.name = name;
      one.asked = [];
    });
  }

  async #register(rig: RigEntry, manager: Client): Promise<boolean> {
    const body = { hardwareId: rig.hardwareId, licenseFile: this.ground.licenseFile };
    return this.#ask(manager.post('/api/v1/rigs', body, keyed(rig.key)), (answer) => {
      rig.id = textOf(answer.body, 'rig', 'id');
      rig.token = textOf(answer.body, 'apiKey', 'token');
    });
  }

  /** Creates a licence and its participant; the licence may remain without one. */
  async #join(admin: Client): Promise<boolean> {
    const entry: ParticipantEntry = { licenseId: null, id: null };
    const alive = await this.#ask(admin.post('/api/v1/licenses', bodies.license()), (answer) => {
      entry.licenseId = textOf(answer.body, 'license', 'id');
    });
    if (entry.licenseId === null) return alive;
    const body = bodies.participant(entry.licenseId);
    this.ledger.participants.push(entry);
    return this.#ask(admin.post('/api/v1/participants', body), (answer) => {
      entry.id = textOf(answer.body, 'id');
    });
  }

  async #issueOrRevoke(manager: Client): Promise<boolean> {
    const key = this.ledger.keys.find(({ id, revocation }) => id !== null && revocation === 'none');
    if (key !== undefined && randomInt(2) === 0) {
      key.revocation = 'asked';
      return this.#ask(manager.delete(`/api/v1/api-keys/${key.id}`), () => {
        key.revocation = 'acknowledged';
      });
    }
    const name = `key ${this.#next++}`;
    const entry: KeyEntry = { name, id: null, token: null, revocation: 'none' };
    this.ledger.keys.push(entry);
    return this.#ask(manager.post('/api/v1/api-keys', { name, role: 'CRUD' }), ({ body }) => {
      entry.id = textOf(body, 'apiKey', 'id');
      entry.token = textOf(body, 'token');
    });
  }

  /** Notes the outcome of a request; false if no answer came. After a 503 it is unknown. */
  async #ask(request: Promise<Answer>, acknowledged: (answer: Answer) => void): Promise<boolean> {
    const answer = await request.catch(connectionLost);
    if (answer === null || answer.status === 503) this.ledger.unknown += 1;
    else if (answer.status >= 300) this.ledger.surprise(`${answer.status} ${answer.text}`);
    else {
      acknowledged(answer);
      this.ledger.acknowledge();
    }
    return answer !== null;
  }
}

function keyed(key: string | null) {
  return key === null ? {} : { 'Idempotency-Key': key };
}

/** Fetch rejects with a TypeError when the connection breaks before or during the answer. */
function connectionLost(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}

/** Times of a lap that encode its marker and version; odd versions are invalid, so that a change has two events. */
function times(marker: number, version: number): JsonObject {
  return { sectors: [marker, version], totalTime: marker, valid: version % 2 === 0 };
}
