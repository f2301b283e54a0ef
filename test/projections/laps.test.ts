import { expect } from 'chai';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { lapVersions } from '../../projections/leaderboards/lap-versions.ts';
import { laps } from '../../projections/laps.ts';
import { leaderboards } from '../../projections/leaderboards/leaderboards.ts';
import { recorded, registered, scheduled, eventOn } from '../support/history/lap-events.ts';
import { givenHistory, type HistoryEvent } from '../support/kernel/projecting.ts';

const CORRECTIONS = 200;

describe('laps projection', () => {
  it('keeps the size of a document however often it is corrected', async () => {
    const sectors = Array.from({ length: 64 }, (_, n) => 10_000_000 + n);
    const corrections = (count: number): readonly HistoryEvent[] =>
      Array.from({ length: count }, (_, n) => eventOn('lap-1', 'LapCorrected', { sectors, totalTime: n + 1 }));
    const largest = async (count: number): Promise<number> => {
      const history = [registered('ada', 'Ada'), scheduled, recorded('1', [31_000]), ...corrections(count)];
      const { models } = await givenHistory(builtInProjections, ...history);
      let most = 0;
      for (const { collection } of [laps, lapVersions, leaderboards]) {
        for await (const batch of models.stream(collection, { where: {} })) {
          for (const { _position, _revision, ...fields } of batch) most = Math.max(most, JSON.stringify(fields).length);
        }
      }
      return most;
    };
    // Numbers with a few more digits are all that is added.
    expect(await largest(CORRECTIONS)).to.be.within(500, (await largest(1)) + 20);
  });

  it('moves a lap to a rig without a name', async () => {
    const rigs = ['rig', 'other'].map((id) =>
      eventOn(`rig-${id}`, 'RigRegistered', { hardwareId: id, licenseId: 'license' }),
    );
    const { thenDocument } = await givenHistory(
      builtInProjections,
      ...rigs,
      eventOn('rig-rig', 'RigRenamed', { name: 'Rig 1' }),
      recorded('1', [31_000]),
      eventOn('lap-1', 'LapMovedToRig', { from: 'rig', to: 'other' }),
    );
    expect(await thenDocument(laps, '1')).to.include({ rigId: 'other', rigName: null });
  });
});
