import { cars } from '../../projections/cars.ts';
import { fullName, participants } from '../../projections/participants.ts';
import { trackLayouts } from '../../projections/track-layouts.ts';
import { nameOf, readOne } from '../../src/service/domain/documents.ts';
import type { ReadModels } from '../../src/service/kernel/ports/read-store.ts';
import type { FoundBoard } from './find-board.ts';
import type { Placed } from './places.ts';

/** Returns the name of a thing by its id; '' if there is no such thing. */
export type Names = (id: string) => string;

/** Looks up, once each, the names that rows, best sectors and layouts need and do not have. */
export async function namesFor(models: ReadModels, placed: readonly Placed[], found: FoundBoard): Promise<Names> {
  const [nameless, carIds] = [new Set<string>(), new Set<string>()];
  const layoutIds = new Set(found.layouts.map(({ trackLayoutId }) => trackLayoutId));
  if (found.trackLayoutId !== null) layoutIds.add(found.trackLayoutId);
  for (const { participantId, participantName } of found.board.sectors)
    if (participantName === null) nameless.add(participantId);
  for (const { ranked } of placed) {
    const { participantId, participantName, lap } = ranked;
    if (participantName === null) nameless.add(participantId);
    carIds.add(lap.car);
  }
  const names = new Map<string, string>();
  const note = async (ids: ReadonlySet<string>, lookUp: (id: string) => Promise<string>): Promise<void> => {
    await Promise.all([...ids].map(async (id) => names.set(id, await lookUp(id))));
  };
  await note(nameless, async (id) => fullName(await readOne(models, participants, id)));
  await note(carIds, async (id) => (await readOne(models, cars, id))?.modelName ?? '');
  await note(layoutIds, (id) => nameOf(readOne(models, trackLayouts, id)));
  return (id) => names.get(id) ?? '';
}
