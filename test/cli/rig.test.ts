import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { createLicense, createVenue } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { jsonLines } from '../support/json-lines.ts';
import { callCommand, runCommand } from '../support/processes/command-process.ts';
import { until } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';

describe('the reference rig', () => {
  const api = useVenue();
  const world = useWorld();

  /** Starts the rig, which drives until it has this many laps in all. */
  const argsOf = (venue: Client, laps: number, more: readonly string[] = []) => [
    ...['rig', '--laps', `${laps}`, '--every', '1', '--event', api.venue.eventId, ...more],
    ...['--url', api.service.url, '--token', venue.token ?? '', '--data', world.dataDir],
  ];
  const drive = (...driving: Parameters<typeof argsOf>) => callCommand(argsOf(...driving));
  const linesOf = async (file: string): Promise<readonly JsonObject[]> =>
    jsonLines(await readFile(join(world.dataDir, file), 'utf8'));
  /** Adds laps to the queue of a rig that has driven, each like its last one but for some fields. */
  const queue = async (boot: string, laps: readonly JsonObject[]): Promise<void> => {
    const last = (await linesOf('laps.ndjson')).at(-1);
    const lines = laps.map((more, n) => {
      const sequence = { boot, number: n + 1 };
      return `${JSON.stringify({ ...last, key: `${boot}/${n + 1}`, sequence, ...more })}\n`;
    });
    await appendFile(join(world.dataDir, 'laps.ndjson'), lines.join(''));
  };

  it('keeps its laps when a move to another licence has ended its key, and sends each once with the next key', async () => {
    const { manager } = api.venue;
    const first = await drive(manager, 5);
    expect(first, first.err).to.include({ code: 0 });
    const rigId = /^rig (\S+): 5 laps driven/.exec(first.out)?.[1] ?? '';
    // The answer to the last two laps is lost, as if the rig had crashed before it noted them.
    await writeFile(join(world.dataDir, 'settled.json'), JSON.stringify({ settled: 3 }));
    const other = await createLicense(api.admin);
    await api.admin.change(`/api/v1/rigs/${rigId}`, { licenseId: other.licenseId });

    const refused = await drive(manager, 8, ['--offline-for', '1']);
    expect(refused).to.include({ code: 1, out: '' });
    const advice = `The rig needs a new key: its licence issues one by POST /api/v1/rigs/${rigId}/key`;
    expect(refused.err).to.include('401 of /api/v1/laps/batch').and.include(advice).and.include('5 laps wait');
    expect(await drive(manager, 8)).to.include({ code: 1, out: '' });

    const issued = expectStatus(await other.manager.send('POST', `/api/v1/rigs/${rigId}/key`), 200).body;
    const resumed = await drive(manager, 10, ['--rig-key', textOf(issued, 'token')]);
    expect(resumed, resumed.err).to.include({ code: 0 });
    const laps = await api.admin.list(`/api/v1/laps?rigId=${rigId}`);
    const sequences = laps.map(({ sequence }) => JSON.stringify(sequence));
    expect(laps).to.have.length(10);
    expect(new Set(sequences).size).to.equal(10);
    const again = await drive(manager, 11);
    expect(again, again.err).to.include({ code: 0 });
  });

  it('sets refused laps aside, and sends other laps before one that it cannot send yet', async () => {
    const elsewhere = await createVenue(api.admin);
    expect(await drive(api.venue.manager, 1)).to.include({ code: 0 });
    await queue('faults', [
      {},
      { carId: '00000000-0000-7000-8000-0000000000ff' },
      { totalTime: 500 }, // a fault of the service
      { rigId: elsewhere.rigId },
      { totalTime: 503 }, // a store that does not answer, twice
      { totalTime: 413 },
      { eventId: elsewhere.eventId },
      {},
    ]);
    const sent: string[] = [];
    const unknown: string[] = [];
    const driven = await withBatches(
      async ({ laps }, send) => {
        const status = [500, 413].find((one) => laps.some(({ totalTime }) => totalTime === one));
        if (status !== undefined) return Response.json({}, { status });
        const { results } = (await (await send()).json()) as { results: object[] };
        sent.push(...laps.map(({ key }) => key));
        const late = laps.find(({ totalTime }) => totalTime === 503 && unknown.length < 2);
        if (late === undefined) return Response.json({ results });
        unknown.push(late.key);
        return Response.json({ results: results.with(laps.indexOf(late), { verdict: 'retry' }) });
      },
      () => drive(api.venue.manager, 9),
    );
    expect(driven, driven.err).to.include({ code: 1 });
    expect(driven.out).to.include('9 laps driven, 5 refused');
    const aside = (await linesOf('refused.ndjson')).map((line) => z.object(ASIDE).parse(line));
    expect(Object.fromEntries(aside.map(({ lap, problem }) => [lap.key, problem.status]))).to.deep.equal({
      'faults/2': 422,
      'faults/3': 500,
      'faults/4': 403,
      'faults/6': 413,
      'faults/7': 403,
    });
    expect(unknown).to.deep.equal(['faults/5', 'faults/5']);
    expect(sent.indexOf('faults/8')).to.be.lessThan(sent.lastIndexOf('faults/5'));
    const recorded = await api.admin.list(`/api/v1/laps?rigId=${driven.out.split(/[ :]/)[1] ?? ''}`);
    expect(recorded.filter(({ totalTime }) => totalTime === 503)).to.have.length(1);
    expect(recorded).to.have.length(4);
  });

  it('keeps laps that were driven while nobody sat on it until the venue says who it was', async () => {
    const { manager, eventId, participantId } = api.venue;
    const began = new Date().toISOString();
    const missingOf = async (rigId: string) => {
      const { rigs } = await manager.read(`/api/v1/rigs/${rigId}/completeness`);
      return JSON.stringify(rigs).match(/"missing":\[\[\d+,\d+\]\]/g) ?? [];
    };
    const rigsOf = async (): Promise<readonly string[]> => (await manager.list('/api/v1/rigs')).map((rig) => idOf(rig));
    const before = await rigsOf();
    const driving = drive(manager, 3, ['--seated', '--name', 'Seated rig']);
    const rigId = await until(
      async () => (await rigsOf()).find((id) => !before.includes(id)) ?? '',
      (id) => id !== '',
    );
    await until(
      () => missingOf(rigId),
      (missing) => missing.join() === '"missing":[[1,3]]',
    );
    expect(await linesOf('settled.json')).to.deep.equal([{ settled: 3, putOff: [0, 1, 2] }]);
    expect(await manager.list(`/api/v1/laps?rigId=${rigId}`)).to.deep.equal([]);
    await manager.put(`/api/v1/rigs/${rigId}/seat`, { participantId, eventId, from: began });
    const driven = await driving;
    expect(driven, driven.err).to.include({ code: 0 });
    expect(driven.out).to.include('3 laps driven, 0 refused');
    const laps = await manager.list(`/api/v1/laps?rigId=${rigId}`);
    expect(laps).to.have.length(3);
    for (const lap of laps) expect(lap).to.include({ participantId, eventId });
  });

  it('takes the time from the service, and corrects laps that were refused for their time', async () => {
    const minutesAhead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    expect(await drive(api.venue.manager, 1)).to.include({ code: 0 });
    await queue('clock', [
      { drivenAt: '1970-01-01T00:01:00.000Z' },
      { drivenAt: minutesAhead(30) },
      { drivenAt: minutesAhead(90) },
    ]);
    const driven = await runCommand(argsOf(api.venue.manager, 5), {
      NODE_OPTIONS: `--import=data:text/javascript,${AHEAD}`,
    });
    expect(driven, driven.err).to.include({ code: 0 });
    const laps = await api.admin.list(`/api/v1/laps?rigId=${driven.out.split(/[ :]/)[1] ?? ''}`);
    const ages = new Map(
      laps.map(({ sequence, drivenAt, createdAt }) => {
        const { boot, number } = z.object({ boot: z.string(), number: z.int() }).parse(sequence);
        const age = Date.parse(textOf({ createdAt }, 'createdAt')) - Date.parse(textOf({ drivenAt }, 'drivenAt'));
        return [`${boot}/${number}`, Math.round(age / 60_000) + 0];
      }),
    );
    // Neither a clock that was never set nor one that is too far ahead says when it was.
    expect(Object.fromEntries(ages)).to.deep.equal({ '1/1': 0, 'clock/1': 0, 'clock/2': 30, 'clock/3': 0, '2/1': 0 });
  });
});

const ASIDE = { lap: z.object({ key: z.string() }), problem: z.object({ status: z.int() }) };

interface SentLaps {
  readonly laps: readonly { readonly key: string; readonly totalTime: number }[];
}

/** Runs a client in this process whose batches of laps are answered by `answer`; `send` forwards one to the service. */
async function withBatches<T>(
  answer: (batch: SentLaps, send: () => Promise<Response>) => Promise<Response>,
  run: () => Promise<T>,
): Promise<T> {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.endsWith('/laps/batch')) return fetch(request);
    // Only laps of the rig.
    const batch = (await request.clone().json()) as SentLaps;
    return Object.defineProperty(await answer(batch, () => fetch(request)), 'url', { value: request.url });
  };
  try {
    return await run();
  } finally {
    globalThis.fetch = fetch;
  }
}

/** Sets the clock of a process an hour ahead. */
const AHEAD = 'const{now}=Date;Date.now=()=>now()+36e5';
