import { expect } from 'chai';
import { expectProblem } from '../support/api/client.ts';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { LiveReader, type Watching } from '../support/api/live-reader.ts';
import { ClientBoard, type LiveEvent } from '../support/live/events.ts';
import { useVenue } from '../support/api/with-service.ts';

const UNKNOWN = '00000000-0000-7000-8000-0000000000ff';

// Seasons compare live boards with plain ones, in every form.
describe('API: live board', () => {
  const api = useVenue();
  let race: Race;
  let [ada, niki]: [string, string] = ['', ''];
  const readers: LiveReader[] = [];

  const watch = async (watching: Watching = {}): Promise<LiveReader> => {
    const reader = await LiveReader.open(api.service.url, race.eventId, watching);
    readers.push(reader);
    return reader;
  };
  const nextOf = async (reader: LiveReader): Promise<readonly LiveEvent[]> => {
    const change = await reader.change();
    if (change === null) throw new Error('the stream has ended');
    return change;
  };
  /** The rows of the complete board, which is sent first. */
  const boardFrom = async (reader: LiveReader): Promise<ClientBoard['rows']> => {
    const board = new ClientBoard();
    for (const event of await nextOf(reader)) board.take(event);
    return board.rows;
  };
  const namesOf = (events: readonly LiveEvent[]): readonly string[] => events.map(({ event }) => event);

  beforeEach(async () => {
    race = await createRace(api.admin, api.venue);
    [ada, niki] = [await race.enter('Ada', 'Lovelace'), await race.enter('Niki', 'Lauda')];
  });

  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  it('sends a new board when other laps are too short', async () => {
    await race.drive(ada, [30_000, 30_000]);
    await race.drive(niki, [40_000, 40_000]);
    const reader = await watch();
    expect(await boardFrom(reader)).to.have.lengthOf(2);
    await api.admin.change(`/api/v1/events/${race.eventId}`, { minLapTime: 60_001 });
    expect(await boardFrom(reader)).to.deep.equal((await race.board()).rows);
    await race.drive(ada, [30_000, 30_000]);
    await race.drive(ada, [30_000, 40_000]);
    const [, ...changes] = [await nextOf(reader), await nextOf(reader)].flat();
    expect(namesOf(changes)).to.deep.equal(['lap', 'rows', 'heads']);
    expect((await race.board()).names).to.deep.equal(['Lovelace', 'Lauda']);
  });

  it('begins with the complete board, and continues with each change', async () => {
    await race.drive(ada, [30_000, 30_000]);
    const reader = await watch();
    expect(reader.response.statusCode).to.equal(200);
    expect(reader.response.headers).to.include({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const board = new ClientBoard();
    const [first] = await nextOf(reader);
    expect(first?.event).to.equal('board');
    if (first) board.take(first);
    let shown = await race.board();
    expect(board.rows).to.deep.equal(shown.rows);
    expect(board.head).to.deep.equal(shown.head);
    const { modelName, brandDisplayName } = await api.anyone.read(`/api/v1/cars/${api.venue.carId}`);
    const lap = await race.drive(niki, [29_000, 30_500]);
    const change = await nextOf(reader);
    expect(namesOf(change)).to.deep.equal(['lap', 'rows', 'heads']);
    expect(change[0]?.data).to.deep.equal({
      lap: {
        lapId: lap['id'],
        participantId: niki,
        participantName: 'Niki Lauda',
        rigId: lap['rigId'],
        rigName: lap['rigName'],
        car: lap['car'],
        carDisplayName: modelName,
        carBrandDisplayName: brandDisplayName,
        trackId: lap['trackId'],
        totalTime: 59_500,
        sectors: [29_000, 30_500],
        valid: true,
        drivenAt: lap['drivenAt'],
        createdAt: lap['createdAt'],
      },
      left: false,
      cause: 'LapRecorded',
      at: lap['createdAt'],
    });
    for (const event of change) board.take(event);
    shown = await race.board();
    expect(board.rows).to.deep.equal(shown.rows);
  });

  it('continues after the last change that the reader has received', async () => {
    await race.drive(ada, [30_000, 30_000]);
    const first = await watch();
    await nextOf(first);
    await race.drive(niki, [29_000, 30_500]);
    const second = await nextOf(first);
    const { lastEventId } = first;
    const slow = await race.drive(niki, [39_000, 30_500]);
    await race.change(slow, { valid: false });
    const rest = [await nextOf(first), await nextOf(first)];
    for (const watching of [{ lastEventId: Number(lastEventId) }, { query: `?after=${Number(lastEventId)}` }]) {
      const again = await watch(watching);
      expect([await nextOf(again), await nextOf(again)]).to.deep.equal(rest);
    }
    const all = await watch({ query: '?after=0', lastEventId: '' });
    await nextOf(all);
    expect(await nextOf(all)).to.deep.equal(second);
    expect(await nextOf(await watch({ query: '?after=0', lastEventId: Number(lastEventId) }))).to.deep.equal(rest[0]);
  });

  it('refuses a layout, car or class that the event neither lists nor has a lap of', async () => {
    await race.drive(ada, [30_000, 30_000]);
    for (const field of ['trackLayoutId', 'carId', 'carClassId']) {
      const path = `/api/v1/events/${race.eventId}/live?${field}=${UNKNOWN}`;
      expectProblem(await api.anyone.get(path), 400, `#/query/${field}`);
    }
    await nextOf(await watch({ query: `?carClassId=${api.venue.carClassId}` }));
  });

  it('refuses unknown parameters and values', async () => {
    const path = `/api/v1/events/${race.eventId}/live`;
    for (const [query, field] of [
      ['x=1', 'x'],
      ['after=-1', 'after'],
      ['after=1.5', 'after'],
      ['delaySeconds=3601', 'delaySeconds'],
      ['from=yesterday', 'from'],
      ['from=2026-05-01T18:00:00Z&speed=0.5', 'speed'],
      ['from=2026-05-01T18:00:00Z&speed=61', 'speed'],
      ['speed=2', 'speed'],
      ['validOnly=maybe', 'validOnly'],
      ['trackLayoutId=1', 'trackLayoutId'],
      ['page=1', 'page'],
    ]) {
      expectProblem(await api.anyone.get(`${path}?${String(query)}`), 400, `#/query/${String(field)}`);
    }
    for (const id of ['x', '-1', '1e3', '99999999999999999']) {
      expectProblem(await api.anyone.get(path, { 'Last-Event-ID': id }), 400, '#/header/Last-Event-ID');
    }
    expectProblem(await api.anyone.send('POST', path), 405);
  });

  it('answers HEAD with its headers alone', async () => {
    const { status, headers, text } = await api.anyone.send('HEAD', `/api/v1/events/${race.eventId}/live`);
    expect({ status, text, type: headers.get('content-type') }).to.deep.equal({
      status: 200,
      text: '',
      type: 'text/event-stream',
    });
  });

  it('ends with the service, and says when to come back', async () => {
    const service = await api.service.another();
    const reader = await LiveReader.open(service.url, race.eventId);
    await nextOf(reader);
    const closed = service.close();
    const last = await reader.next();
    expect(last?.retry).to.be.within(1_000, 3_000);
    expect(await reader.next()).to.equal(null);
    await closed;
  });

  it('is counted in the metrics', async () => {
    const reader = await watch();
    await nextOf(reader);
    const { text } = await api.admin.get('/actuator/prometheus');
    expect(text).to.match(/^live_readers [1-9]\d*$/m);
    expect(text).to.match(/^live_readers_dropped_total 0$/m);
    expect(text).to.match(/^live_behind_seconds 0$/m);
  });
});
