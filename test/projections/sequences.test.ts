import { expect } from 'chai';
import {
  announcedSequences,
  announcedSequencesProjection,
  eventBoots,
  eventBootsProjection,
  numberedLaps,
  numberedLapsProjection,
} from '../../projections/sequences.ts';
import { streamAll } from '../../src/service/domain/documents.ts';
import type { Document, ReadModels } from '../../src/service/kernel/ports/read-store.ts';
import type { ReadModel } from '../../src/service/kernel/projection/projection.ts';
import { recorded, told } from '../support/history/lap-events.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const GROUP = [numberedLapsProjection, eventBootsProjection, announcedSequencesProjection];

const numbered = (id: string, number: number, others: { readonly rigId?: string; readonly eventId?: string } = {}) =>
  recorded(id, [60_000], { sequence: { boot: 'monday', number }, ...others });
const announced = (upTo: number) => told('sequence-s', 'SequenceAnnounced', { rigId: 'rig', boot: 'monday', upTo });

async function documentsOf<D extends Document>(models: ReadModels, model: ReadModel<D>): Promise<readonly D[]> {
  const all: D[] = [];
  for await (const batch of streamAll(models, model, { where: {} })) all.push(...batch);
  return all;
}

describe('numbered laps projection', () => {
  it('keeps the number of a lap with its rig and its event', async () => {
    const { thenDocument } = await givenHistory(GROUP, numbered('1', 37));
    expect(await thenDocument(numberedLaps, '1')).to.deep.equal({
      id: '1',
      rigId: 'rig',
      boot: 'monday',
      number: 37,
      eventId: 'cup',
      _created: 1,
      _position: 1,
      _revision: 0,
    });
  });

  it('has no lap that was not numbered', async () => {
    const { models } = await givenHistory(GROUP, recorded('1', [60_000]));
    expect(await documentsOf(models, numberedLaps)).to.deep.equal([]);
    expect(await documentsOf(models, eventBoots)).to.deep.equal([]);
  });

  it('is changed by no correction: position and number stay those of the recording', async () => {
    const { models } = await givenHistory(
      GROUP,
      numbered('1', 1),
      told('lap-1', 'LapMovedToRig', { from: 'rig', to: 'other' }),
      told('lap-1', 'LapMovedToEvent', { from: 'cup', to: 'final' }),
      told('lap-1', 'LapInvalidated'),
    );
    const [lap, ...others] = await documentsOf(models, numberedLaps);
    expect(lap).to.include({ rigId: 'rig', eventId: 'cup', number: 1, _position: 1 });
    const [boot, ...otherBoots] = await documentsOf(models, eventBoots);
    expect(boot).to.include({ rigId: 'rig', eventId: 'cup' });
    expect([others, otherBoots]).to.deep.equal([[], []]);
  });
});

describe('event boots projection', () => {
  it('keeps one document for each event, rig and start, with the moment of the first lap', async () => {
    const { models } = await givenHistory(
      GROUP,
      numbered('1', 2),
      numbered('2', 1),
      numbered('3', 1, { rigId: 'other' }),
      numbered('4', 3, { eventId: 'final' }),
      numbered('5', 4),
    );
    const found = (await documentsOf(models, eventBoots)).map(({ eventId, rigId, boot, since }) => [
      eventId,
      rigId,
      boot,
      since,
    ]);
    expect(found).to.have.deep.members([
      ['cup', 'rig', 'monday', minute(0)],
      ['cup', 'other', 'monday', minute(2)],
      ['final', 'rig', 'monday', minute(3)],
    ]);
  });
});

describe('announced sequences projection', () => {
  it('keeps what was said last, and when it was said first', async () => {
    const { thenDocument } = await givenHistory(GROUP, announced(0), announced(7), announced(40));
    expect(await thenDocument(announcedSequences, 's')).to.deep.equal({
      id: 's',
      rigId: 'rig',
      boot: 'monday',
      upTo: 40,
      since: minute(0),
      _created: 1,
      _position: 3,
      _revision: 2,
    });
  });
});
