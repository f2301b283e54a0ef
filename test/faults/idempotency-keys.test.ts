import { hash, randomInt, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { z } from 'zod';
import { systemIds } from '../../infra/system/system.ts';
import { canonicalJson } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus, idOf } from '../support/api/client.ts';
import { useVenue } from '../support/api/with-service.ts';
import { bodies } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';
import { record } from '../support/processes/command-process.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { report } from '../support/reliability.ts';

const LAPS = '/api/v1/laps';
const KEYS = depth({ short: 40, deep: 10_000 });
/** Simultaneous requests with one key, half of which are cut off, and later retries. */
const PARALLEL = 8;
const RETRIES = 3;
/** Keys used at the same time. */
const AT_ONCE = 8;
/** Latest time of a cut, in ms: before, during or after the work on the request. */
const CUT_WITHIN_MS = 12;

const Body = z.looseObject({ id: z.string() });

/** The answer to a POST. */
interface Made {
  readonly status: number;
  readonly id: string;
  readonly replayed: boolean;
}

describe('Idempotency-Keys', () => {
  const api = useVenue();

  /** Sends a lap with a key; null if the connection was cut before the answer. */
  async function post(key: string, isCut: boolean): Promise<Made | null> {
    const headers = {
      'Content-Type': 'application/json',
      'X-API-Key': api.venue.manager.token ?? '',
      'Idempotency-Key': key,
    };
    const signal = isCut ? AbortSignal.timeout(randomInt(CUT_WITHIN_MS)) : null;
    const sending = { method: 'POST', headers, body: JSON.stringify(bodies.lap(api.venue)), signal };
    try {
      const answer = await fetch(`${api.service.url}${LAPS}`, sending);
      const { id } = Body.parse(await answer.json());
      return { status: answer.status, id, replayed: answer.headers.get('idempotency-replayed') === 'true' };
    } catch (error) {
      if (signal?.aborted === true) return null;
      throw error;
    }
  }

  it(`record one lap each, however often they are sent: ${KEYS} keys`, async () => {
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
      const parallel = Array.from({ length: PARALLEL }, (_, n) => post(key, n % 2 === 0));
      let id = (await Promise.all(parallel)).reduce<string | null>((known, made) => take(made, known), null);
      for (let retry = 1; retry <= RETRIES; retry++) {
        const made = await post(key, false);
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
    await caughtUp(api.admin);
    const laps = (await api.admin.list(LAPS)).map(idOf);
    expect(laps.length).to.equal(KEYS + 1);
    expect(new Set(laps)).to.deep.equal(new Set([...ids, api.venue.lapId]));
    report('Idempotency-Keys, in parallel and after cuts', { keys: KEYS, answers, cuts, doubled: 0 });
  });

  for (const drivenAt of ['1970-01-01T00:02:00.000Z', '2106-02-07T06:28:15.000Z'])
    it(`find the lap of an earlier release, driven at ${drivenAt}, alone and in a batch, and record no new one`, async () => {
      const { rig, licenseId } = api.venue;
      const key = randomUUID();
      const body = { ...bodies.lap(api.venue), drivenAt };
      const id = systemIds.derived(licenseId, LAPS, key);
      const fingerprint = hash('sha256', canonicalJson(body), 'base64url');
      const occurredAt = '2026-05-01T18:00:00.000Z';
      const metadata = { version: 1, occurredAt, commandId: 'c', correlationId: 'r', licenseId, fingerprint };
      const event = { id: randomUUID(), type: 'LapRecorded', data: body, metadata };
      await record(api.service.dataDir, [{ stream: `lap-${id}`, event }]);

      const send = (more: object) => rig.post(LAPS, { ...body, ...more }, { 'Idempotency-Key': key });
      const again = expectStatus(await send({}), 201);
      expect(again.header('idempotency-replayed')).to.equal('true');
      expect(again.body).to.include({ id, drivenAt });
      const batch = await rig.post(`${LAPS}/batch`, { laps: [{ ...body, key }] });
      expect(expectStatus(batch, 200).body).to.deep.equal({ results: [{ verdict: 'duplicate', id }] });
      expectProblem(await send({ totalTime: 1 }), 422);
      expectProblem(await rig.post(LAPS, body, { 'Idempotency-Key': randomUUID() }), 400, '#/drivenAt');
    });
});
