import { expect } from 'chai';
import { expectProblem, idOf } from '../support/api/client.ts';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { LiveReader, type Watching } from '../support/live/live-reader.ts';
import type { LiveEvent } from '../support/live/events.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

// `test/live/histories.test.ts` compares live boards with plain ones, in every form; `requests.test.ts` has values that are refused.
describe('API: live board', () => {
  const api = useVenue();
  let race: Race;
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

  beforeEach(async () => {
    race = await createRace(api.admin, api.venue);
  });

  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  it('begins with the complete board, and continues with each change', async () => {
    await race.drive(api.venue.participantId, [30_000, 30_000]);
    const reader = await watch();
    expect(reader.response.statusCode).to.equal(200);
    expect(reader.response.headers).to.include({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const { rows, head } = await race.board();
    const first = await nextOf(reader);
    expect(first.map(({ event }) => event)).to.deep.equal(['board']);
    expect(first[0]?.data).to.deep.include({ rows, head });
    await race.drive(await race.enter('Niki', 'Lauda'), [29_000, 30_500]);
    expect((await nextOf(reader)).map(({ event }) => event)).to.deep.equal(['lap', 'rows', 'heads']);
  });

  it('sends the whole board again when other laps are too short', async () => {
    const { participantId, trackId: ofTrack } = api.venue;
    const trackId = idOf(await api.admin.create('/api/v1/track-layouts', bodies.trackLayout(ofTrack)));
    const event = `/api/v1/events/${race.eventId}`;
    const layout = `/api/v1/track-layouts/${trackId}`;
    await race.drive(participantId, [30_000, 30_000], { trackId });
    const query = `?trackLayoutId=${trackId}`;
    const reader = await watch({ query });
    await nextOf(reader);
    for (const [path, minLapTime, shown] of [
      [event, 60_001, 0],
      [event, null, 1],
      [layout, 60_001, 0],
      [layout, null, 1],
    ] as const) {
      await api.admin.change(path, { minLapTime });
      const [board] = await nextOf(reader);
      const { rows, head } = await race.board(query);
      expect(rows).to.have.length(shown);
      expect(board).to.deep.include({ event: 'board' }).and.to.have.property('data').that.deep.includes({ rows, head });
    }
  });

  it('continues after the change that the header names, or else the query', async () => {
    await race.drive(api.venue.participantId, [30_000, 30_000]);
    const first = await watch();
    await nextOf(first);
    await race.drive(api.venue.participantId, [29_000, 30_500]);
    const second = await nextOf(first);
    const { lastEventId } = first;
    await race.drive(api.venue.participantId, [39_000, 30_500]);
    const third = await nextOf(first);
    for (const watching of [
      { query: `?after=${lastEventId}` },
      { query: '?after=0', lastEventId: lastEventId ?? '' },
    ]) {
      expect(await nextOf(await watch(watching))).to.deep.equal(third);
    }
    const all = await watch({ query: '?after=0', lastEventId: '' });
    await nextOf(all);
    expect(await nextOf(all)).to.deep.equal(second);
  });

  it('refuses malformed positions', async () => {
    const path = `/api/v1/events/${race.eventId}/live`;
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

  it('ends with the service, and tells clients when to reconnect', async () => {
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
