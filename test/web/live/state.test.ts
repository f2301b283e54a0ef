import { expect } from 'chai';
import type { LiveLap, LiveMessage } from '../../../src/clients/web/live/messages.ts';
import { readMessage } from '../../../src/clients/web/live/messages.ts';
import {
  applyMessage,
  EMPTY,
  KEPT_LAPS,
  newestOnRigs,
  withEarlierLaps,
  type BoardState,
} from '../../../src/clients/web/live/state.ts';
import { isNews, lapRank, sectorRanks } from '../../../src/clients/web/live/sectors.ts';
import { exampleHead as head, exampleRow as row, exampleTime as time } from '../../support/web/example-board.ts';

function lap(lapId: string, second: number, more: Partial<LiveLap> = {}): LiveLap {
  return {
    lapId,
    participantId: 'a',
    participantName: 'A',
    rigId: 'r',
    rigName: 'Rig 1',
    car: 'c',
    totalTime: 100,
    sectors: [50, 50],
    valid: true,
    drivenAt: time(second),
    createdAt: time(second),
    ...more,
  };
}

const board: Extract<LiveMessage, { readonly name: 'board' }> = {
  name: 'board',
  head,
  rows: [row('a', 1, 90), row('b', 2, 95)],
  seats: [],
  queue: [],
  at: time(2),
};
const came = (one: LiveLap, left = false): LiveMessage => ({ name: 'lap', lap: one, left, at: one.createdAt });
const after = (...messages: readonly LiveMessage[]): BoardState => messages.reduce(applyMessage, EMPTY);
const ids = ({ rows }: BoardState): readonly string[] => rows.map(({ participantId }) => participantId);
const lapIds = ({ laps }: BoardState): readonly string[] => laps.map(({ lapId }) => lapId);

// What becomes of its rows, test/live compares with the boards of the service.
describe('Pages: the state of a live board', () => {
  it('keeps rows that did not change the same objects', () => {
    const first = after(board);
    const next = applyMessage(first, { name: 'rows', rows: [{ participantId: 'b', laps: 2 }] });
    expect(next.rows[0]).to.equal(first.rows[0]);
    expect(next.rows[1]?.laps).to.equal(2);
  });

  it('orders equal times as they were driven', () => {
    const tied = row('c', 2, 95);
    const earlier = { ...tied, bestLap: { ...tied.bestLap, drivenAt: time(1) } };
    expect(ids(after(board, { name: 'rows', rows: [earlier] }))).to.deep.equal(['a', 'c', 'b']);
  });

  it('knows who sits on which rig and who waits, until the next whole board', () => {
    const seat = { rigId: 'r', rigName: null, participantId: 'a', participantName: 'A', eventId: 'e', from: time(1) };
    const waiting = { participantId: 'b', participantName: 'B', since: time(1) };
    const state = after(board, { name: 'seat', ...seat }, { name: 'queue', queue: [waiting] });
    expect(state.seats.map(({ participantId }) => participantId)).to.deep.equal(['a']);
    expect(state.queue).to.deep.equal([waiting]);
    const other = applyMessage(state, { name: 'seat', ...seat, participantId: 'b', participantName: 'B' });
    expect(other.seats.map(({ participantId }) => participantId)).to.deep.equal(['b']);
    const left = applyMessage(other, { name: 'seat', ...seat, participantId: null, participantName: '', from: null });
    expect(left.seats).to.deep.equal([]);
    expect(applyMessage(state, board)).to.include({ seats: board.seats, queue: board.queue });
  });

  it('ignores a change of a row that it does not know', () => {
    expect(ids(after(board, { name: 'rows', rows: [{ participantId: 'x', laps: 2 }] }))).to.deep.equal(['a', 'b']);
  });

  it('has the newest laps first, and each once', () => {
    const state = after(came(lap('1', 1)), came(lap('2', 2)), came(lap('1', 1, { valid: false })));
    expect(lapIds(state)).to.deep.equal(['2', '1']);
    expect(state.laps[1]?.valid).to.equal(false);
    expect(lapIds(withEarlierLaps(state, [lap('0', 0), lap('1', 1)]))).to.deep.equal(['2', '1', '0']);
    expect(withEarlierLaps(state, [lap('1', 1)]).laps[1]?.valid, 'what the stream told is newer').to.equal(false);
  });

  it('forgets laps beyond the limit, however many arrive', () => {
    const state = after(...Array.from({ length: 3 * KEPT_LAPS }, (_, n) => came(lap(String(n), n))));
    expect(state.laps).to.have.length(KEPT_LAPS);
    expect(state.laps[0]?.lapId).to.equal(String(3 * KEPT_LAPS - 1));
    expect(newestOnRigs(state).size).to.equal(1);
  });

  it('knows the newest lap on each rig, also when a lap leaves or is of another rig', () => {
    const state = after(came(lap('1', 1)), came(lap('2', 2)), came(lap('0', 0)));
    expect(newestOnRigs(state).get('r')?.lapId).to.equal('2');
    const left = applyMessage(state, came(lap('2', 2), true));
    expect(newestOnRigs(left).get('r')?.lapId).to.equal('1');
    const moved = applyMessage(state, came(lap('2', 2, { participantId: 'b', rigId: 's' })));
    expect([...newestOnRigs(moved)].map(([key, { lapId }]) => [key, lapId])).to.deep.equal([
      ['r', '1'],
      ['s', '2'],
    ]);
    const none = ['0', '1', '2'].reduce((before, id) => applyMessage(before, came(lap(id, 0), true)), state);
    expect([none.laps.length, newestOnRigs(none).size]).to.deep.equal([0, 0]);
  });

  it('counts a late lap at the time when it was driven', () => {
    const state = after(came(lap('2', 5)), came(lap('late', 6, { drivenAt: time(1) })));
    expect(lapIds(state)).to.deep.equal(['late', '2']);
    expect(newestOnRigs(state).get('r')?.lapId).to.equal('2');
  });

  it('shows the new name of a driver on the laps too', () => {
    const changes = [
      { participantId: 'a', participantName: 'New' },
      { participantId: 'a', laps: 3 },
    ];
    const rename: LiveMessage = { name: 'rows', rows: changes };
    const state = after(board, came(lap('1', 1)), rename);
    expect(
      [state.rows[0], state.laps[0], newestOnRigs(state).get('r')].map((one) => one?.participantName),
    ).to.deep.equal(Array(3).fill('New'));
  });

  it('ignores unknown messages', () => {
    expect(readMessage('weather', '{"rain":true}')).to.equal(null);
    expect(readMessage('rows', '[]')).to.equal(null);
    expect(readMessage('heartbeat', '{"now":"2026-05-01T18:00:00.000Z","behindMs":0}')).to.have.property('name');
  });
});

describe('Pages: colours of sectors', () => {
  const own = { bestSectors: [41, 50] };

  it('are purple for the overall best, green for the driver’s personal best, otherwise yellow', () => {
    expect(sectorRanks([40, 51], own, { head }, true)).to.deep.equal(['purple', 'yellow']);
    expect(sectorRanks([41, 50], own, { head }, true)).to.deep.equal(['green', 'purple']);
  });

  it('fade, all but the overall best, when the lap is no longer news', () => {
    expect(sectorRanks([41, 51], own, { head }, false)).to.deep.equal(['faded', 'faded']);
    expect(sectorRanks([40, 51], own, { head }, false)).to.deep.equal(['purple', 'faded']);
    const state = after(board);
    expect(lapRank(lap('1', 1, { totalTime: 95 }), state.rows[1], state, false)).to.equal('faded');
    expect(lapRank(lap('1', 1, { totalTime: 90 }), state.rows[0], state, false)).to.equal('purple');
  });

  it('are of laps that are two minutes old at most, of drivers who have others', () => {
    const at = '2026-05-01T18:00:00.000Z';
    const now = Date.parse(at);
    expect(isNews(at, { validLaps: 2 }, now + 119_999)).to.equal(true);
    expect(isNews(at, { validLaps: 2 }, now + 120_000)).to.equal(false);
    expect(isNews(at, { validLaps: 1 }, now), 'the first lap is the best one anyway').to.equal(false);
    expect(isNews(at, undefined, now)).to.equal(false);
  });

  it('are none for another number of sectors, times of 0, and drivers without a row', () => {
    expect(sectorRanks([40], own, { head }, true)).to.deep.equal(['none']);
    expect(sectorRanks([0, 50], own, { head }, true)).to.deep.equal(['none', 'purple']);
    expect(sectorRanks([40, 50], undefined, { head }, true)).to.deep.equal(['none', 'none']);
    expect(sectorRanks([40, 50], own, { head: null }, true)).to.deep.equal(['none', 'none']);
  });

  it('has the same for complete laps, and none for invalid ones', () => {
    const state = after(board);
    const [leader, second] = state.rows;
    expect(lapRank(lap('1', 1, { totalTime: 90 }), leader, state, true)).to.equal('purple');
    expect(lapRank(lap('1', 1, { totalTime: 95 }), second, state, true)).to.equal('green');
    expect(lapRank(lap('1', 1, { totalTime: 99 }), second, state, true)).to.equal('yellow');
    expect(lapRank(lap('1', 1, { totalTime: 80, valid: false }), leader, state, true)).to.equal('none');
  });
});
