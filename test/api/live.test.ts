import { expect } from 'chai';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { ClientBoard, LiveReader, type LiveEvent, type Watching } from '../support/api/live-reader.ts';
import { useVenue } from '../support/api/with-service.ts';

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
  const namesOf = (events: readonly LiveEvent[]): readonly string[] => events.map(({ event }) => event);

  beforeEach(async () => {
    race = await createRace(api.admin, api.venue);
    [ada, niki] = [await race.enter('Ada', 'Lovelace'), await race.enter('Niki', 'Lauda')];
  });

  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  it('begins with the whole board, and goes on with each change', async () => {
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
    const { modelName } = await api.anyone.read(`/api/v1/cars/${api.venue.carId}`);
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

  it('goes on after the change that a reader has', async () => {
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
  });
});
