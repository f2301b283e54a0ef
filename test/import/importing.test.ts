import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { run } from '../../src/tools/cli/import.ts';
import { idOf, textOf, type Client } from '../support/api/client.ts';
import { bodies, createLicense, issueKey } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { callCommand, startCommand } from '../support/processes/command-process.ts';
import { until } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';

interface Driver {
  readonly firstName: string;
  readonly lastName: string;
  readonly playerId: string;
}

/** A lap of an ACC server: the index of its driver, and its time in ms. */
type Lap = readonly [driver: number, ms: number, valid?: boolean];

const NO_TIME = 2_147_483_647;
/** When the files of these tests were last changed. */
const CHANGED_AT = new Date('2026-05-01T20:00:00.000Z');

/** A practice session of an ACC server, where each driver has a car of their own. */
function accFile(drivers: readonly Driver[], laps: readonly Lap[], more: { track?: string; models?: number[] } = {}) {
  const lines = drivers.map((driver, index) => ({
    car: { carId: 1_001 + index, carModel: more.models?.[index] ?? 32, drivers: [driver] },
    currentDriver: driver,
    timing: { bestLap: NO_TIME, totalTime: NO_TIME, lapCount: 0 },
  }));
  const driven = laps.map(([driver, laptime, isValidForBest = true]) => ({
    carId: 1_001 + driver,
    driverIndex: 0,
    laptime,
    isValidForBest,
    splits: [30_000, laptime - 30_000],
  }));
  const sessionResult = { leaderBoardLines: lines };
  const file = { sessionType: 'FP', trackName: more.track ?? 'spa', sessionResult, laps: driven };
  return new TextEncoder().encode(JSON.stringify(file));
}

describe('imports of result files', () => {
  const api = useVenue();
  const world = useWorld();
  let files = 0;

  /** A venue with a simulator that maps spa, and car 32. */
  const furnished = async () => {
    const { manager, licenseId } = await createLicense(api.admin);
    const simulator = { ...bodies.simulator(), displayName: 'Assetto Corsa Competizione', slug: `acc-${++files}` };
    const simulatorId = idOf(await manager.create('/api/v1/simulators', simulator));
    const { carId, trackLayoutId } = api.venue;
    await map(manager, simulatorId, 'cars', { carId, simulatorIdentifier: '32' });
    await map(manager, simulatorId, 'layouts', { trackLayoutId, simulatorIdentifier: 'spa' });
    return { manager, licenseId, simulatorId };
  };
  const map = async (manager: Client, simulatorId: string, what: string, body: JsonObject): Promise<void> => {
    await manager.create(`/api/v1/simulators/${simulatorId}/${what}`, body);
  };
  const written = async (bytes: Uint8Array, name = `results-${++files}.json`): Promise<string> => {
    await mkdir(world.dataDir, { recursive: true });
    const path = join(world.dataDir, name);
    await writeFile(path, bytes);
    await utimes(path, CHANGED_AT, CHANGED_AT);
    return path;
  };
  type Importer = Awaited<ReturnType<typeof furnished>>;
  const argsFor = ({ manager, simulatorId }: Importer, args: readonly string[]) => {
    const chosen = args.includes('--undo') ? [] : ['--simulator', simulatorId];
    return ['import', ...args, ...chosen, '--url', api.service.url, '--token', manager.token ?? ''];
  };
  const imported = (importer: Importer, ...args: readonly string[]) => callCommand(argsFor(importer, args));
  const rigOf = async ({ manager, licenseId }: Importer): Promise<string> =>
    idOf(await manager.read(`/api/v1/rigs/hardwareId/imported-results-${licenseId}`));
  const lapsOf = async (importer: Importer): Promise<readonly JsonObject[]> =>
    importer.manager.list(`/api/v1/laps?rigId=${await rigOf(importer)}`);
  const importIdIn = (out: string): string => /import ([0-9a-f]{16}(?:-\d+)?)/.exec(out)?.[1] ?? expect.fail(out);

  const IDA = { firstName: 'Ida', lastName: 'Moor', playerId: 'S1' };
  const BO = { firstName: 'Bo', lastName: 'Lind', playerId: 'S2' };

  it('shows what it would send, and changes nothing without --send', async () => {
    const importer = await furnished();
    const path = await written(
      accFile(
        [IDA, BO],
        [
          [0, 90_000],
          [1, NO_TIME],
          [1, 91_000],
        ],
        { models: [32, 7] },
      ),
    );
    const { code, out, err } = await imported(importer, path);
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(out).to.include('practice (FP) at spa: 3 laps; drivers: Ida Moor, Bo Lind; cars: 32, 7');
    expect(out).to.include('To be sent: 1 laps. Recorded before: 0. Waiting for mappings: 1.');
    expect(out).to.include('Laps without a time are not sent: 1.');
    expect(out).to.include('Not mapped in Assetto Corsa Competizione: car 7, 1 laps wait.');
    expect(out).to.include('Driver Ida Moor (acc:S1) is new, and will be checked in.');
    expect(out).to.include('Nothing is sent');
    const { status } = await importer.manager.get(`/api/v1/rigs/hardwareId/imported-results-${importer.licenseId}`);
    expect(status).to.equal(404);
    expect(await importer.manager.list('/api/v1/participants?name=Ida')).to.have.length(0);
  });

  it('records a whole file once, to the millisecond, on a rig and in an event of its own', async () => {
    const importer = await furnished();
    const path = await written(
      accFile(
        [IDA, BO],
        [
          [0, 90_001],
          [1, 91_002],
          [0, NO_TIME],
          [1, 89_999, false],
        ],
      ),
    );
    const first = await imported(importer, path, '--send', '--event-name', 'Club night');
    expect(first, first.err).to.include({ code: 0 });
    const laps = await lapsOf(importer);
    expect(laps.map(({ totalTime }) => totalTime)).to.have.members([90_001, 91_002, 89_999]);
    const byTime = new Map(laps.map((lap) => [lap['totalTime'], lap]));
    const lap = byTime.get(90_001) ?? {};
    expect(lap).to.deep.include({ participantName: 'Ida Moor', rigName: 'Imported results', eventName: 'Club night' });
    expect(lap).to.deep.include({ sectors: [30_000, 60_001], valid: true, drivenAt: CHANGED_AT.toISOString() });
    expect(lap).to.deep.include({ car: api.venue.carId, trackId: api.venue.trackLayoutId });
    expect(byTime.get(89_999)).to.include({ valid: false, participantName: 'Bo Lind' });
    const board = await importer.manager.read(`/api/v1/events/${textOf(lap, 'eventId')}/leaderboard`);
    expect(JSON.stringify(board)).to.include('90001').and.include('91002');

    const again = await imported(importer, path, '--send');
    expect(again.code).to.equal(0);
    expect(again.out).to.include('0 laps recorded, 3 recorded before').and.include('Checked in: 0 drivers.');
    expect(await lapsOf(importer)).to.deep.equal(laps);
    expect(await importer.manager.list('/api/v1/participants?name=Ida')).to.have.length(1);
  });

  it('sends laps that waited once their car is mapped, into the event that the first import made', async () => {
    const importer = await furnished();
    const path = await written(
      accFile(
        [IDA, BO],
        [
          [0, 90_000],
          [1, 91_000],
        ],
        { models: [32, 8] },
      ),
    );
    const first = await imported(importer, path, '--send');
    expect(first, first.err).to.include({ code: 1 });
    expect(first.out).to.include('1 laps wait for mappings');
    const carId = idOf(
      await importer.manager.create('/api/v1/cars', bodies.car(api.venue.carBrandId, api.venue.carClassId)),
    );
    await map(importer.manager, importer.simulatorId, 'cars', { carId, simulatorIdentifier: '8' });
    expect(await imported(importer, path, '--send')).to.include({ code: 0 });
    const laps = await lapsOf(importer);
    expect(laps.map(({ totalTime }) => totalTime)).to.have.members([90_000, 91_000]);
    const events = new Set(laps.map((lap) => textOf(lap, 'eventId')));
    expect(events.size).to.equal(1);
    const event = await importer.manager.read(`/api/v1/events/${[...events][0] ?? ''}`);
    expect(event['carIds']).to.have.members([api.venue.carId, carId]);
  });

  it('strikes what an import has recorded, and records the file again after that', async () => {
    const importer = await furnished();
    const other = await written(accFile([IDA], [[0, 95_000]]));
    expect(await imported(importer, other, '--send')).to.include({ code: 0 });
    const path = await written(
      accFile(
        [IDA],
        [
          [0, 90_000],
          [0, 91_000],
          [0, 92_000, false],
        ],
      ),
    );
    const { out } = await imported(importer, path, '--send');
    const importId = importIdIn(out);
    const undone = await imported(importer, '--undo', importId);
    expect(undone).to.include({ code: 0 });
    expect(undone.out).to.include(`Import ${importId} is undone: 2 laps are struck.`);
    const laps = await lapsOf(importer);
    expect(laps.filter(({ valid }) => valid === true).map(({ totalTime }) => totalTime)).to.deep.equal([95_000]);
    const struck = laps.find(({ totalTime }) => totalTime === 90_000) ?? {};
    const history = await importer.manager.list(`/api/v1/laps/${idOf(struck)}/history`);
    expect(history.at(-1)).to.include({ type: 'LapInvalidated', reason: `import ${importId} was undone` });

    const { rigId, brandId, carId, trackLayoutId } = api.venue;
    const { simulatorId } = importer;
    const chosen = bodies.event({ simulatorId, carId, trackLayoutId, rigId, brandId });
    const eventId = idOf(await importer.manager.create('/api/v1/events', chosen));
    const again = await imported(importer, path, '--send', '--event', eventId);
    expect(again.out).to.include(`Import ${importId}-2: 3 laps recorded`);
    const counting = (await lapsOf(importer)).filter(({ valid }) => valid === true);
    expect(counting.map(({ totalTime }) => totalTime)).to.have.members([95_000, 90_000, 91_000]);
    expect(counting.filter((lap) => lap['eventId'] === eventId)).to.have.length(2);
    expect((await imported(importer, path, '--send')).out).to.include('0 laps recorded, 3 recorded before');
    expect(await imported(importer, '--undo', '0123456789abcdef')).to.include({ code: 1, out: '' });
  });

  it('strikes all laps of an import that has more of them than one answer holds', async () => {
    const importer = await furnished();
    const last = 1_100;
    // Only the first and the last one count: the others have nothing to be struck.
    const laps = Array.from({ length: last }, (_, index) => [0, 90_000 + index, index % (last - 1) === 0] as const);
    const { out, err } = await imported(importer, await written(accFile([IDA], laps)), '--send');
    expect(out, err).to.include('1100 laps recorded');
    const undone = await imported(importer, '--undo', importIdIn(out));
    expect(undone.out, undone.err).to.include('2 laps are struck. The other 1098 did not count.');
    expect((await lapsOf(importer)).filter(({ valid }) => valid === true)).to.have.length(0);
  });

  it('needs a key of role CRUD to send and to undo; one that only reads has the preview', async () => {
    const importer = await furnished();
    const body = { firstName: 'Nia', lastName: 'Holm' };
    await importer.manager.create('/api/v1/check-ins', body);
    const path = await written(accFile([{ ...body, playerId: 'S20' }], [[0, 90_000]]));
    const reader = { ...importer, manager: (await issueKey(importer.manager, 'R')).client };
    const shown = await imported(reader, path);
    expect(shown.code, shown.err).to.equal(0);
    expect(shown.out).to.include('To be sent: 1 laps.');
    expect(shown.out).to.match(/Driver Nia Holm \(acc:S20\) is Nia Holm.*, by name\./);
    const refused = await imported(reader, path, '--send');
    expect(refused.code).to.equal(1);
    expect(refused.err).to.include('403 of /api/v1/licenses/');
    const rigPath = `/api/v1/rigs/hardwareId/imported-results-${importer.licenseId}`;
    expect((await importer.manager.get(rigPath)).status).to.equal(404);
    expect(await importer.manager.list('/api/v1/participants?name=Nia')).to.have.length(1);

    const { out } = await imported(importer, path, '--send');
    const notUndone = await imported(reader, '--undo', importIdIn(out));
    expect(notUndone.code).to.equal(1);
    expect(notUndone.err).to.include('(403 of /api/v1/laps/');
    expect((await lapsOf(importer)).map(({ valid }) => valid)).to.deep.equal([true]);
  });

  it('neither finds people of another licence, nor undoes its imports', async () => {
    const importer = await furnished();
    const path = await written(accFile([{ firstName: 'Uma', lastName: 'Falk', playerId: 'S21' }], [[0, 90_000]]));
    const { out } = await imported(importer, path, '--send');
    const other = { ...importer, ...(await createLicense(api.admin)) };
    const undone = await imported(other, '--undo', importIdIn(out));
    expect(undone.code).to.equal(1);
    expect(undone.err).to.include('There is no import');
    expect((await imported(other, path)).out).to.include('Driver Uma Falk (acc:S21) is new, and will be checked in.');
    expect(await imported(other, path, '--send')).to.include({ code: 0 });
    const [own] = await lapsOf(importer);
    const [theirs] = await lapsOf(other);
    expect(own?.['valid']).to.equal(true);
    expect(theirs?.['participantId']).to.not.equal(own?.['participantId']);
  });

  it('finds drivers by the id of the game, and then by name, whatever the accents and the order of words', async () => {
    const importer = await furnished();
    const body = { firstName: 'Jürgen', lastName: 'Østby', extraFieldsJson: { shirt: 'M' } };
    const known = idOf(await importer.manager.create('/api/v1/check-ins', body));
    const byName = await written(accFile([{ firstName: 'OSTBY', lastName: 'Jurgen', playerId: 'S7' }], [[0, 90_000]]));
    expect(await imported(importer, byName, '--send')).to.include({ code: 0 });
    // The same account, under another name.
    const byId = await written(accFile([{ firstName: 'xX', lastName: 'Speed', playerId: 'S7' }], [[0, 91_000]]));
    const second = await imported(importer, byId, '--send');
    expect(second.out).to.include('Checked in: 0 drivers.');
    expect((await lapsOf(importer)).map(({ participantId }) => participantId)).to.deep.equal([known, known]);
    const { extraFieldsJson } = await importer.manager.read(`/api/v1/participants/${known}`);
    expect(extraFieldsJson).to.deep.equal({ shirt: 'M', importedAs: ['acc:S7'] });
  });

  it('sends nothing until it is said which of several namesakes a driver is, and remembers it', async () => {
    const importer = await furnished();
    const body = { firstName: 'Kim', lastName: 'Berg' };
    const older = idOf(await importer.manager.create('/api/v1/check-ins', body));
    const younger = idOf(await importer.manager.create('/api/v1/check-ins', body));
    const path = await written(accFile([{ ...body, playerId: 'S8' }], [[0, 90_000]]));
    const doubtful = await imported(importer, path, '--send');
    expect(doubtful).to.include({ code: 1 });
    expect(doubtful.out).to.include(`--driver "acc:S8=${older}"`).and.include(`--driver "acc:S8=${younger}"`);
    expect(doubtful.err).to.include('say with --driver who each driver is');
    expect(await imported(importer, path, '--send', '--driver', `acc:S8=${younger}`)).to.include({ code: 0 });
    const later = await written(accFile([{ ...body, playerId: 'S8' }], [[0, 91_000]]));
    expect(await imported(importer, later, '--send')).to.include({ code: 0 });
    expect((await lapsOf(importer)).map(({ participantId }) => participantId)).to.deep.equal([younger, younger]);
  });

  it('takes whom somebody says for a driver, not who has the name, and remembers it', async () => {
    const importer = await furnished();
    const body = { firstName: 'Ulf', lastName: 'Berg' };
    const father = idOf(await importer.manager.create('/api/v1/check-ins', body));
    const son = idOf(await importer.manager.create('/api/v1/check-ins', { firstName: 'Ulf jr.', lastName: 'Berg' }));
    const path = await written(accFile([{ ...body, playerId: 'S30' }], [[0, 90_000]]));
    expect((await imported(importer, path)).out).to.include('Driver Ulf Berg (acc:S30) is Ulf Berg, by name.');
    const chosen = ['--driver', `Ulf Berg=${son}`];
    expect((await imported(importer, path, ...chosen)).out).to.include('(acc:S30) is Ulf jr. Berg, as you say.');
    expect(await imported(importer, path, '--send', ...chosen)).to.include({ code: 0 });
    const later = await written(accFile([{ ...body, playerId: 'S30' }], [[0, 91_000]]));
    expect(await imported(importer, later, '--send')).to.include({ code: 0 });
    expect((await lapsOf(importer)).map(({ participantId }) => participantId)).to.deep.equal([son, son]);

    // It was the father after all: the son is forgotten.
    const corrected = await written(accFile([{ ...body, playerId: 'S30' }], [[0, 92_000]]));
    expect(await imported(importer, corrected, '--send', '--driver', `acc:S30=${father}`)).to.include({ code: 0 });
    const last = await written(accFile([{ ...body, playerId: 'S30' }], [[0, 93_000]]));
    expect(await imported(importer, last, '--send')).to.include({ code: 0 });
    const drivers = new Map((await lapsOf(importer)).map((lap) => [lap['totalTime'], lap['participantId']]));
    expect([drivers.get(92_000), drivers.get(93_000)]).to.deep.equal([father, father]);
    const { extraFieldsJson } = await importer.manager.read(`/api/v1/participants/${son}`);
    expect(extraFieldsJson).to.deep.equal({ importedAs: [] });

    const nobody = '00000000-0000-4000-8000-000000000000';
    const unknown = await imported(importer, last, '--send', '--driver', `acc:S30=${nobody}`);
    expect(unknown.code).to.equal(0, 'nothing of that file is left to be sent');
    const more = await written(accFile([{ ...body, playerId: 'S30' }], [[0, 94_000]]));
    const refused = await imported(importer, more, '--send', '--driver', `acc:S30=${nobody}`);
    expect(refused.code).to.equal(1);
    expect(refused.err).to.include(`There is no participant ${nobody}`);
    expect(await lapsOf(importer)).to.have.length(4);
  });

  it('checks somebody new in once, however often the same answer is given', async () => {
    const importer = await furnished();
    const body = { firstName: 'Jo', lastName: 'Berg' };
    await importer.manager.create('/api/v1/check-ins', body);
    const drivers = [{ ...body, playerId: 'S31' }];
    for (const ms of [90_000, 91_000]) {
      const path = await written(accFile(drivers, [[0, ms]]));
      expect(await imported(importer, path, '--send', '--driver', 'Jo Berg=new')).to.include({ code: 0 });
    }
    expect(await importer.manager.list('/api/v1/participants?name=Jo')).to.have.length(2);
    expect(new Set((await lapsOf(importer)).map((lap) => textOf(lap, 'participantId'))).size).to.equal(1);
  });

  it('asks who a driver is whom two participants are remembered as', async () => {
    const importer = await furnished();
    const both = { extraFieldsJson: { importedAs: ['acc:S32'] } };
    for (const firstName of ['Ava', 'Eva']) {
      await importer.manager.create('/api/v1/check-ins', { ...both, firstName, lastName: 'Berg' });
    }
    const path = await written(accFile([{ firstName: 'A.', lastName: 'B.', playerId: 'S32' }], [[0, 90_000]]));
    const { code, out } = await imported(importer, path, '--send');
    expect(code).to.equal(1);
    expect(out).to.include('Ava Berg').and.include('Eva Berg').and.include('may be each of these');
  });

  it('records laps as driven when somebody says', async () => {
    const importer = await furnished();
    const path = await written(accFile([IDA], [[0, 90_000]]));
    const sent = await imported(importer, path, '--send', '--driven-at', '2026-04-03T22:15:00+02:00');
    expect(sent.code, sent.err).to.equal(0);
    expect((await lapsOf(importer)).map(({ drivenAt }) => drivenAt)).to.deep.equal(['2026-04-03T20:15:00.000Z']);
  });

  it('asks at a terminal who a driver is, and whether to send', async () => {
    const importer = await furnished();
    const body = { firstName: 'Kai', lastName: 'Berg' };
    await importer.manager.create('/api/v1/check-ins', body);
    await importer.manager.create('/api/v1/check-ins', body);
    const path = await written(accFile([{ ...body, playerId: 'S9' }], [[0, 90_000]]));
    const answering = async (answers: string[]) => {
      const out: string[] = [];
      const [, ...args] = argsFor(importer, [path]);
      const code = await run({
        args,
        env: {},
        signal: new AbortController().signal,
        out: { write: (text) => out.push(text) },
        err: { write: (text) => out.push(text) },
        ask: (question) => {
          out.push(question);
          return Promise.resolve(answers.shift() ?? '');
        },
      });
      return { code, out: out.join('') };
    };
    const declined = await answering(['1', 'n']);
    expect(declined.code).to.equal(0);
    expect(declined.out).to.include('Who is Kai Berg (acc:S9)?').and.include('Nothing is sent.');
    const sent = await answering(['n', 'y']);
    expect(sent.code, sent.out).to.equal(0);
    expect(sent.out).to.include('1 laps recorded').and.include('Checked in: 1 drivers.');
    expect(await importer.manager.list('/api/v1/participants?name=Kai')).to.have.length(3);
  });

  it('takes two drivers of one name for two people, where the game tells them apart', async () => {
    const importer = await furnished();
    const name = { firstName: 'Lou', lastName: 'Berg' };
    const drivers = [
      { ...name, playerId: 'S10' },
      { ...name, playerId: 'S11' },
    ];
    const path = await written(
      accFile(drivers, [
        [0, 90_000],
        [1, 91_000],
      ]),
    );
    expect(await imported(importer, path, '--send')).to.include({ code: 0 });
    expect(new Set((await lapsOf(importer)).map((lap) => textOf(lap, 'participantId'))).size).to.equal(2);
    const nameless = await written(accFile([{ ...name, playerId: '' }], [[0, 92_000]]));
    expect(await imported(importer, nameless, '--send')).to.include({ code: 1 });
    expect(await lapsOf(importer)).to.have.length(2);
  });

  it('counts for an event that is over, and takes each content once', async () => {
    const importer = await furnished();
    const { rigId, brandId, carId, trackLayoutId } = api.venue;
    const { simulatorId, manager } = importer;
    const chosen = bodies.event({ simulatorId, carId, trackLayoutId, rigId, brandId });
    const eventId = idOf(await manager.create('/api/v1/events', chosen));
    const finishedAt = '2026-04-01T20:00:00.000Z';
    await manager.change(`/api/v1/events/${eventId}`, { finishedAt });
    const bytes = accFile([IDA], [[0, 90_017]]);
    const path = await written(bytes);
    const copy = await written(bytes);
    const { code, err } = await imported(importer, path, copy, '--send', '--event', eventId);
    expect(code, err).to.equal(0);
    expect(err).to.include(`Left out: ${copy} has the same content as ${path}`);
    expect((await lapsOf(importer)).map(({ drivenAt }) => drivenAt)).to.deep.equal([finishedAt]);
    expect(JSON.stringify(await manager.read(`/api/v1/events/${eventId}/leaderboard`))).to.include('90017');
  });

  it('is completed by another import after it was killed, each lap once', async () => {
    const importer = await furnished();
    const times = Array.from({ length: 4_000 }, (_, index) => 90_000 + index);
    const path = await written(
      accFile(
        [IDA],
        times.map((ms) => [0, ms] as const),
      ),
    );
    const running = startCommand(argsFor(importer, [path, '--send']));
    const rigPath = `/api/v1/rigs/hardwareId/imported-results-${importer.licenseId}`;
    await until(async () => (await importer.manager.get(rigPath)).status === 200);
    const completeness = `/api/v1/rigs/${await rigOf(importer)}/completeness`;
    const hasLaps = async () => JSON.stringify(await importer.manager.read(completeness)).includes('"boot"');
    await until(hasLaps, Boolean, { everyMs: 5 });
    await running.end('SIGKILL');
    const again = await imported(importer, path, '--send');
    expect(again, again.err).to.include({ code: 0 });
    expect(again.out).to.match(/ laps recorded.*, [1-9]\d* recorded before/);
    const laps = await lapsOf(importer);
    expect(laps).to.have.length(times.length);
    expect(new Set(laps.map(({ totalTime }) => totalTime)).size).to.equal(times.length);
    expect(new Set(laps.map((lap) => textOf(lap, 'eventId'))).size).to.equal(1);
    expect(await importer.manager.list('/api/v1/participants?name=Ida')).to.have.length(1);
  });
});
