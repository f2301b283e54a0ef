import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { BATCH, sendBatch, verdictsOf } from '../support/api/batches.ts';
import { expectProblem, expectStatus, type Client } from '../support/api/client.ts';
import { unique } from '../support/resources/fields.ts';
import { bodies, createVenue, NOBODY } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { until } from '../support/processes/waits.ts';

function counted(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
}

// `phones.test.ts` has what they cost; seasons send some, twice, and read what they recorded; the matrix has whose rigs.
describe('API: batches of laps', () => {
  const api = useVenue();
  const lap = (more: JsonObject = {}): JsonObject => ({ ...bodies.lap(api.venue), ...more });
  const lapsInAll = async (): Promise<number> => (await api.anyone.list('/api/v1/laps')).length;

  it('are counted in the metrics by verdict, by rig for ADMIN, with the silence of rigs, and without names', async () => {
    const scraped = async (): Promise<string> => (await api.anyone.get('/actuator/prometheus')).text;
    const ofRigs = async (): Promise<string> =>
      expectStatus(await api.admin.get('/api/v1/operations/rig-metrics'), 200).text;
    const before = await scraped();
    const rigsBefore = await ofRigs();
    await sendBatch(api.venue.rig, [lap(), lap(), { rigId: 'none' }]);
    const keyed = { 'Idempotency-Key': unique() };
    const alone = (client: Client, body: JsonObject) => client.post('/api/v1/laps', body, keyed);
    const once = lap({ totalTime: 70_001 });
    expectStatus(await alone(api.venue.rig, once), 201);
    expectStatus(await alone(api.venue.rig, once), 201);
    expectProblem(await alone(api.venue.rig, lap()), 422);
    expectProblem(await alone(api.venue.rig, { rigId: 'none' }), 400);
    expectProblem(await alone(api.anyone, lap()), 401);
    expectStatus(await alone(api.admin, lap()), 201);
    const grown = {
      'laps_total{sent="alone",verdict="created"}': 2,
      'laps_total{sent="alone",verdict="duplicate"}': 1,
      'laps_total{sent="alone",verdict="rejected"}': 2,
      'laps_total{sent="batch",verdict="created"}': 2,
      'laps_total{sent="batch",verdict="rejected"}': 1,
      lap_batches_total: 1,
    };
    const growthIn = (text: string) =>
      Object.fromEntries(Object.keys(grown).map((series) => [series, counted(text, series) - counted(before, series)]));
    const text = await until(scraped, (now) => growthIn(now)['laps_total{sent="alone",verdict="created"}'] === 2);
    expect(growthIn(text)).to.deep.equal(grown);
    expect(counted(text, 'rig_longest_silence_seconds')).to.be.within(0, 60);
    expect(text)
      .to.match(/^rig_longest_silence_seconds \d/m)
      .and.not.contain(api.venue.rigId);
    const rigs = await ofRigs();
    const { name } = await api.admin.read(`/api/v1/rigs/${api.venue.rigId}`);
    const ofRig = `rig="${api.venue.rigId}",name="${typeof name === 'string' ? name : ''}"`;
    for (const [verdict, by] of Object.entries({ created: 3, duplicate: 1, rejected: 3 })) {
      const series = `rig_laps_total{${ofRig},verdict="${verdict}"}`;
      expect(counted(rigs, series) - counted(rigsBefore, series), series).to.equal(by);
    }
    expect(rigs).to.contain(`rig_silence_seconds{${ofRig}} `);
    expectProblem(await api.venue.rig.get('/api/v1/operations/rig-metrics'), 403);
    expectProblem(await api.anyone.get('/api/v1/operations/rig-metrics'), 401);
  });

  // `idempotency.test.ts` has laps that are sent alone first.
  it('share their Idempotency-Keys with laps that are sent alone', async () => {
    const headers = { 'Idempotency-Key': unique() };
    const [made] = await sendBatch(api.venue.rig, [lap({ key: headers['Idempotency-Key'], note: 'not known' })]);
    const repeated = await api.venue.rig.post('/api/v1/laps', lap({ note: 'not known' }), headers);
    expect(expectStatus(repeated, 201).header('idempotency-replayed')).to.equal('true');
    expect(repeated.body['id']).to.equal(made?.id);
    expectProblem(await api.venue.rig.post('/api/v1/laps', lap(), headers), 422);
  });

  it('treat a repeated key as one lap, and a different lap under the same key as an error', async () => {
    const key = unique();
    const results = await sendBatch(api.venue.rig, [lap({ key }), lap({ key }), lap({ key, totalTime: 1 })]);
    expect(results.map(({ verdict }) => verdict)).to.deep.equal(['created', 'duplicate', 'rejected']);
    expect(results[1]?.id).to.equal(results[0]?.id);
    expect(results[2]?.problem?.status).to.equal(422);
  });

  it('give each bad item the problem it would get on its own, and record the others', async () => {
    const other = await createVenue(api.admin);
    const ahead = new Date(Date.now() + 600_000).toISOString();
    const bad: readonly JsonObject[] = [
      lap({ totalTime: -1, sectors: [1, 'x'] }),
      lap({ participantId: NOBODY, carId: NOBODY }),
      lap({ drivenAt: ahead }),
      lap({ rigId: other.rigId }),
      lap({ valid: null }),
      lap({ key: '' }),
      lap({ key: 'x'.repeat(256) }),
      lap({ sequence: { boot: '', number: 0 } }),
      lap({ note: 'NUL \0' }),
      {},
    ];
    const items = [lap(), ...bad, null, 5, [], 'lap', lap()];
    const results = await sendBatch(api.venue.rig, items);
    expect([results[0]?.verdict, results.at(-1)?.verdict]).to.deep.equal(['created', 'created']);
    for (const [n, body] of bad.entries()) {
      const result = results[n + 1];
      expect(result?.verdict).to.equal('rejected');
      if ('key' in body) continue;
      const alone = await api.venue.rig.post('/api/v1/laps', body);
      expect(result?.problem, JSON.stringify(body)).to.deep.equal(alone.body);
    }
    expect(results[6]?.problem?.errors?.map(({ pointer }) => pointer)).to.include('#/key');
    expect(results.slice(11, 15).map(({ problem }) => problem?.status)).to.deep.equal([400, 400, 400, 400]);
  });

  it('reject only the items with content that no JSON body may have: deep nesting, forbidden keys', async () => {
    const deep = `${'['.repeat(60)}${']'.repeat(60)}`;
    const good = JSON.stringify(lap());
    const bad = [`{"x":${deep},`, '{"__proto__":1,', '{"x":9007199254740993,', '{"x":1,"x":2,', '{"totalTime":1,'];
    const body = `{"laps":[${[good, ...bad.map((start) => good.replace('{', start)), good].join()}]}`;
    const sending = { headers: { 'Content-Type': 'application/json' }, body };
    const results = verdictsOf(await api.venue.rig.send('POST', BATCH, sending));
    const verdicts = results.map(({ verdict, problem }) => `${verdict} ${problem?.status}`);
    const refused = ['rejected 413', ...Array.from({ length: 4 }, () => 'rejected 400')];
    expect(verdicts).to.deep.equal(['created undefined', ...refused, 'created undefined']);
    expect(results.map(({ problem }) => problem?.errors?.[0]?.pointer).slice(3, 6)).to.deep.equal([
      ...['#/x', '#/x', '#/totalTime'],
    ]);
  });

  it('are refused as a whole without laps, with too many, or with an Idempotency-Key header', async () => {
    const before = await lapsInAll();
    const many = Array.from({ length: 1_001 }, () => lap());
    for (const body of [{}, { laps: [] }, { laps: {} }, { laps: null }, [], { laps: many }]) {
      expectProblem(await api.venue.rig.post(BATCH, body), 400);
    }
    const keyed = await api.venue.rig.post(BATCH, { laps: [lap()] }, { 'Idempotency-Key': unique() });
    expectProblem(keyed, 400, '#/header/Idempotency-Key');
    expectProblem(await api.anyone.post(BATCH, { laps: [lap()] }), 401);
    expect(await lapsInAll()).to.equal(before);
  });

  it('may have 1,000 laps', async () => {
    const before = await lapsInAll();
    const results = await sendBatch(
      api.venue.rig,
      Array.from({ length: 1_000 }, (_, n) => lap({ key: unique(), totalTime: n })),
    );
    expect(new Set(results.map(({ verdict }) => verdict))).to.deep.equal(new Set(['created']));
    expect(new Set(results.map(({ id }) => id)).size).to.equal(1_000);
    expect(await lapsInAll()).to.equal(before + 1_000);
  });
});
