import { hash, randomInt, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { z } from 'zod';
import { systemIds } from '../../infra/system/system.ts';
import { canonicalJson } from '../../src/service/kernel/json.ts';
import { expectProblem, expectStatus, idOf } from '../support/api/client.ts';
import { startService } from '../support/api/service.ts';
import { bodies, createVenue, type Venue } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';
import { record } from '../support/processes/command-process.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { World } from '../support/processes/world.ts';
import { report } from '../support/reliability.ts';

const KEYS = depth({ short: 200, deep: 10_000 });
/** Simultaneous requests with one key, half of which are cut off, and later retries. */
const PARALLEL = 8;
const RETRIES = 3;
/** Keys used at the same time. */
const AT_ONCE = 8;
/** Latest time of a cut, in ms: before, during or after the work on the request. */
const CUT_WITHIN_MS = 12;

interface Place {
  readonly port: number;
  readonly venue: Venue;
}

const Body = z.looseObject({ id: z.string() });

/** The answer to a POST. */
interface Made {
  readonly status: number;
  readonly id: string;
  readonly replayed: boolean;
}

describe('Idempotency-Keys', function () {
  this.timeout(1_200_000);
  const world = new World();
  const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL * AT_ONCE });
  after(async () => {
    agent.destroy();
    await world.clean();
  });

  /** Sends a lap with a key; null if the connection was cut before the answer. */
  function post({ port, venue }: Place, key: string, cut: boolean): Promise<Made | null> {
    return new Promise((resolve, reject) => {
      const headers = {
        'Content-Type': 'application/json',
        'X-API-Key': venue.manager.token ?? '',
        'Idempotency-Key': key,
      };
      // A connection that will be cut is not shared.
      const options = { port, host: '127.0.0.1', path: '/api/v1/laps', method: 'POST', headers };
      const sent = request({ ...options, agent: cut ? false : agent }, (response) => {
        text(response).then(
          (body) => {
            const replayed = response.headers['idempotency-replayed'] === 'true';
            resolve({ status: response.statusCode ?? 0, id: Body.parse(JSON.parse(body)).id, replayed });
          },
          (cause: unknown) => (cut ? resolve(null) : reject(new Error('no whole answer', { cause }))),
        );
      });
      sent.on('error', (error) => (cut ? resolve(null) : reject(error)));
      if (cut) setTimeout(() => sent.destroy(), randomInt(CUT_WITHIN_MS));
      sent.end(JSON.stringify(bodies.lap(venue)));
    });
  }

  it(`make one lap each, however often they are sent: ${KEYS} keys`, async () => {
    const service = await world.service({ dataDir: world.directory() });
    const venue = await createVenue(service.admin);
    const place = { port: service.port, venue };
    const ids: string[] = [];
    let cuts = 0;
    let answers = 0;
    const take = (made: Made | null, id: string | null): string | null => {
      if (made === null) cuts += 1;
      else {
        answers += 1;
        expect(made.status).to.equal(201);
        expect(made.id).to.equal(id ?? made.id);
      }
      return id ?? made?.id ?? null;
    };
    const useKey = async (): Promise<void> => {
      const key = randomUUID();
      const parallel = Array.from({ length: PARALLEL }, (_, n) => post(place, key, n % 2 === 0));
      let id = (await Promise.all(parallel)).reduce<string | null>((known, made) => take(made, known), null);
      for (let retry = 1; retry <= RETRIES; retry++) {
        const made = await post(place, key, false);
        expect(made?.replayed, 'a retry').to.equal(true);
        id = take(made, id);
      }
      ids.push(id ?? '');
    };
    let left = KEYS;
    const users = Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await useKey();
    });
    await Promise.all(users);
    await caughtUp(service.admin);
    const laps = (await service.admin.list('/api/v1/laps')).map(idOf);
    expect(laps.length).to.equal(KEYS + 1);
    expect(new Set(laps)).to.deep.equal(new Set([...ids, venue.lapId]));
    expect((await service.process.end('SIGTERM')).code).to.equal(0);
    report('Idempotency-Keys, in parallel and after cuts', { keys: KEYS, answers, cuts, doubled: 0 });
  });
});

describe('a retry of a lap that an earlier release recorded', () => {
  const LAPS = '/api/v1/laps';

  for (const drivenAt of ['1970-01-01T00:02:00.000Z', '2106-02-07T06:28:15.000Z'])
    it(`with the moment ${drivenAt} is answered, alone and in a batch; no new one is taken`, async () => {
      const service = await startService();
      const venue = await createVenue(service.client);
      const { licenseId } = venue;
      const [key, body] = [randomUUID(), { ...bodies.lap(venue), drivenAt }];
      const id = systemIds.derived(licenseId, LAPS, key);
      const fingerprint = hash('sha256', canonicalJson(body), 'base64url');
      const occurredAt = '2026-05-01T18:00:00.000Z';
      const metadata = { version: 1, occurredAt, commandId: 'c', correlationId: 'r', licenseId, fingerprint };
      const event = { id: randomUUID(), type: 'LapRecorded', data: body, metadata };
      await record(service.dataDir, [{ stream: `lap-${id}`, event }]);

      const send = (more: object) => venue.rig.post(LAPS, { ...body, ...more }, { 'Idempotency-Key': key });
      const again = expectStatus(await send({}), 201);
      expect(again.header('idempotency-replayed')).to.equal('true');
      expect(again.body).to.include({ id, drivenAt });
      const batch = await venue.rig.post(`${LAPS}/batch`, { laps: [{ ...body, key }] });
      expect(expectStatus(batch, 200).body).to.deep.equal({ results: [{ verdict: 'duplicate', id }] });
      expectProblem(await send({ totalTime: 1 }), 422);
      expectProblem(await venue.rig.post(LAPS, body, { 'Idempotency-Key': randomUUID() }), 400, '#/drivenAt');
      await service.close();
    });
});
