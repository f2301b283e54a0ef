import { expect } from 'chai';
import consistency from '../../projections/examples/consistency.ts';
import rigUtilisation from '../../projections/examples/rig-utilisation.ts';
import trackRecords from '../../projections/examples/track-records.ts';
import { planLaps, type PlannedLap } from '../../src/clients/demo/lap-plan.ts';
import type { Projection } from '../../src/service/kernel/projection/projection.ts';
import type { Document } from '../../src/service/kernel/ports/read-store.ts';
import { demoHistory, demoLapAt } from '../support/history/demo-history.ts';
import { givenHistory } from '../support/kernel/projecting.ts';

const LAPS = planLaps(1_000);

async function rowsOf(projections: readonly Projection[], table: string): Promise<readonly Document[]> {
  const { models } = await givenHistory(projections, ...demoHistory(LAPS));
  const documents: Document[] = [];
  for await (const batch of models.stream(table, { where: {} })) documents.push(...batch);
  return documents;
}

/** Laps by something that they share, each group in the order of time. */
function grouped(laps: readonly PlannedLap[], keyOf: (lap: PlannedLap, n: number) => string) {
  const groups = new Map<string, PlannedLap[]>();
  for (const [n, lap] of laps.entries()) groups.set(keyOf(lap, n), [...(groups.get(keyOf(lap, n)) ?? []), lap]);
  return groups;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const valid = LAPS.filter((lap) => lap.valid);

describe('example projections on the laps of the demo', () => {
  it('tell theoretical best and consistency as plain loops over the laps do', async () => {
    const rows = await rowsOf(consistency, 'consistency');
    const groups = grouped(valid, ({ person, layout }) => `${person}:${layout}`);
    expect(rows.filter(({ laps }) => laps !== 0))
      .to.have.lengthOf(groups.size)
      .and.to.have.length.above(50);
    for (const [id, laps] of groups) {
      const row = rows.find((each) => each.id === id);
      const times = laps.map(({ totalTime }) => totalTime);
      const mean = sum(times) / times.length;
      const deviation = Math.sqrt(sum(times.map((time) => (time - mean) ** 2)) / times.length);
      expect(row).to.include({
        laps: laps.length,
        best: Math.min(...times),
        mean: Math.round(mean),
        deviation: Math.round(deviation),
        theoreticalBest: sum([0, 1, 2].map((n) => Math.min(...laps.map(({ sectors }) => sectors[n] ?? NaN)))),
      });
      expect(row?.['participant'], id).to.match(/^\p{L}.* .*\p{L}$/u);
    }
  });

  it('tell how busy each rig was, hour by hour', async () => {
    const rows = await rowsOf(rigUtilisation, 'rigUtilisation');
    const groups = grouped(LAPS, ({ rig }, n) => `${rig}:${demoLapAt(n).slice(0, 13)}:00:00.000Z`);
    expect(new Map(rows.map(({ id, laps, driven }) => [id, [laps, driven]]))).to.deep.equal(
      new Map([...groups].map(([id, laps]) => [id, [laps.length, sum(laps.map(({ totalTime }) => totalTime))]])),
    );
    for (const { hour, rig } of rows) {
      expect(hour).to.match(/^2026-01-\d\dT\d\d:00:00\.000Z$/);
      expect(rig).to.be.a('string').and.not.equal('');
    }
  });

  it('tell track records as they fell', async () => {
    const rows = await rowsOf(trackRecords, 'trackRecords');
    const records = [...grouped(valid, ({ layout }) => layout).values()].flatMap((laps) =>
      laps.filter(({ totalTime }, n) => laps.slice(0, n).every((before) => before.totalTime > totalTime)),
    );
    expect(rows.map(({ lapId, time }) => [lapId, time])).to.have.deep.members(
      records.map(({ number, totalTime }) => [number, totalTime]),
    );
    for (const { previous, gain, time, struckAt } of rows) {
      expect(struckAt).to.equal(null);
      if (previous !== null) expect(Number(previous) - Number(gain)).to.equal(time);
    }
  });
});
