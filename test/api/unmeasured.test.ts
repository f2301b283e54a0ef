import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectStatus, idOf, textOf } from '../support/api/client.ts';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { LiveReader } from '../support/live/live-reader.ts';
import { useVenue } from '../support/api/with-service.ts';

/** The largest integers of 32 bits, which timing software sends for a time that it does not have. */
const NO_TIMES = [2 ** 31 - 1, 2 ** 32 - 1] as const;

/** The best sectors of a board or a row. */
function sectorsOf({ bestSectors, theoreticalBest }: JsonObject) {
  // The answer was held against the API document.
  const times = (bestSectors as readonly (JsonObject | number | null)[]).map((best) =>
    typeof best === 'object' && best !== null ? best['time'] : best,
  );
  return { times, theoreticalBest };
}

// All else is compared with plain boards over random histories, seasons and live ones, which have such times too.
describe('API: times that were not measured', () => {
  const api = useVenue();
  let race: Race;

  beforeEach(async () => {
    race = await createRace(api.admin, api.venue);
  });

  /** The best sectors of every kind of board, of all and of the first driver. */
  async function boards(at: string) {
    const { carId } = api.venue;
    const queries = ['', '?validOnly=false', `?carId=${carId}`, `?carId=${carId}`, `?asOf=${at}`];
    const shown: ReturnType<typeof sectorsOf>[] = [];
    for (const query of queries) {
      const { head, rows } = await race.board(query);
      shown.push(sectorsOf(head), sectorsOf(rows[0] ?? {}));
    }
    const reader = await LiveReader.open(api.service.url, race.eventId);
    const [first] = (await reader.change()) ?? [];
    reader.close();
    const { head, rows } = (first?.data ?? {}) as { head: JsonObject; rows: readonly JsonObject[] };
    return [...shown, sectorsOf(head), sectorsOf(rows[0] ?? {})];
  }

  it('count in no best sector of any board, and in no sum', async () => {
    const { participantId } = api.venue;
    await race.drive(participantId, [30_000, 30_000, 40_000]);
    const lap = await race.drive(participantId, [0, 35_817, 33_407]);
    const known = { times: [30_000, 30_000, 33_407], theoreticalBest: 93_407 };
    for (const board of await boards(textOf(lap, 'updatedAt'))) expect(board).to.deep.equal(known);
    const changed = await race.change(lap, { sectors: [29_000, NO_TIMES[0], 33_000] });
    const after = { times: [29_000, 30_000, 33_000], theoreticalBest: 92_000 };
    for (const board of await boards(textOf(changed, 'updatedAt'))) expect(board).to.deep.equal(after);
    const struck = await race.change(lap, { valid: false });
    const { head } = await race.board();
    expect(sectorsOf(head)).to.deep.equal({ times: [30_000, 30_000, 40_000], theoreticalBest: 100_000 });
    expect(struck['sectors'], 'what was recorded stays').to.deep.equal([29_000, NO_TIMES[0], 33_000]);
  });

  it('are null where nobody has one', async () => {
    const { participantId } = api.venue;
    const lap = await race.drive(participantId, [0, 35_817, NO_TIMES[1]], { totalTime: 69_224 });
    const nobody = { times: [null, 35_817, null], theoreticalBest: null };
    for (const board of await boards(textOf(lap, 'updatedAt'))) expect(board).to.deep.equal(nobody);
    const { head } = await race.board();
    expect(head['bestSectors']).to.deep.include({ sector: 1, time: null, participantId: null, participantName: '' });
    const other = await race.drive(participantId, [40_000, 40_000, 40_000]);
    const after = { times: [40_000, 35_817, 40_000], theoreticalBest: 115_817 };
    for (const board of await boards(textOf(other, 'updatedAt'))) expect(board).to.deep.equal(after);
  });

  it('keep a lap off boards and bests, and are recorded all the same', async () => {
    const participantId = await race.enter('Ada', 'Lovelace');
    const bests = async (): Promise<unknown> =>
      JSON.parse(expectStatus(await api.anyone.get(`/api/v1/participants/${participantId}/bests`), 200).text);
    for (const totalTime of [0, ...NO_TIMES]) {
      const lap = await race.drive(participantId, [10_000], { totalTime });
      const shown = await api.anyone.read(`/api/v1/laps/${idOf(lap)}`);
      expect(shown).to.include({ totalTime });
      for (const query of ['', '?validOnly=false', `?asOf=${textOf(lap, 'updatedAt')}`])
        expect((await race.board(query)).rows).to.deep.equal([]);
      expect(await bests()).to.deep.equal([]);
    }
    const slow = await race.drive(participantId, [10_000], { totalTime: 2 ** 31 - 2 });
    expect((await race.board()).rows).to.have.lengthOf(1);
    expect(await bests()).to.have.lengthOf(1);
    await race.change(slow, { totalTime: NO_TIMES[0] });
    expect((await race.board()).rows).to.deep.equal([]);
    expect(await bests()).to.deep.equal([]);
  });
});
