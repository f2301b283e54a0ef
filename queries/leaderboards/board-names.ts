import { cars } from '../../projections/cars.ts';
import { participants } from '../../projections/participants.ts';
import { rigs } from '../../projections/rigs.ts';
import { trackLayouts } from '../../projections/track-layouts.ts';
import { readOne } from '../../src/domain/documents.ts';
import { createYielder } from '../../src/runtime/give-way.ts';
import type { Document, ReadModels } from '../../src/kernel/ports/read-store.ts';
import type { ReadModel } from '../../src/kernel/projection/projection.ts';
import type { Standing } from './boards.ts';
import type { FoundBoard } from './find-board.ts';
import type { PositionedRow } from './positions.ts';

/** Names by the id of the thing; '' if there is no such thing. */
export interface Names {
  readonly of: (id: string) => string;
  /** The name of the maker of a car. */
  readonly brandOf: (carId: string) => string;
}

export interface Brand {
  readonly id: string;
  readonly name: string;
}

/** What a thing is called. */
interface Named {
  /** Null: it has none; a rig may have none. */
  readonly name: string | null;
  /** Of a car. */
  readonly brand?: Brand;
  /** Of a participant: the licences that say by which name everybody sees them. */
  readonly namedBy?: readonly string[];
}

const NAME_BY_KIND = {
  participant: nameFrom(participants, ({ publicName: name, _namedBy: namedBy }) => ({ name, namedBy })),
  rig: nameFrom(rigs, ({ name }) => ({ name })),
  car: nameFrom(cars, ({ modelName: name, brandId, brandDisplayName }) => ({
    name,
    brand: { id: brandId, name: brandDisplayName },
  })),
  trackLayout: nameFrom(trackLayouts, ({ displayName: name }) => ({ name })),
};

/** The collections that the names of boards come from. */
const NAMED = [participants, cars, trackLayouts].map(({ collection }) => collection);

/** A thing that boards name. */
export interface Nameable {
  readonly kind: keyof typeof NAME_BY_KIND;
  readonly id: string;
}

/** The name in the read models; null: there is no such thing (yet). */
export function nameIn(models: ReadModels, { kind, id }: Nameable): Promise<Named | null> {
  return NAME_BY_KIND[kind](models, id);
}

/** The parts of a board that name things. */
type NamedBoard = Pick<FoundBoard, 'layouts' | 'trackLayoutId'> & {
  readonly board: Pick<FoundBoard['board'], 'sectors'>;
};

/** Names that are looked up at once. */
const AT_ONCE = 100;

/** Looks up, once each, the names that rows, best sectors and layouts need and do not have. */
export async function namesFor(models: ReadModels, positioned: readonly PositionedRow[], found: NamedBoard) {
  const names = await namesOfNow(models);
  const unknown = new Map<string, Nameable['kind']>();
  const need = (id: string, kind: Nameable['kind']) => names.things.has(id) || unknown.set(id, kind);
  const needDriver = ({ participantId, participantName }: Pick<Standing, 'participantId' | 'participantName'>) =>
    participantName ?? need(participantId, 'participant');
  for (const { trackLayoutId } of found.layouts) need(trackLayoutId, 'trackLayout');
  if (found.trackLayoutId !== null) need(found.trackLayoutId, 'trackLayout');
  for (const { participantId, participantName } of found.board.sectors)
    if (participantId !== null) needDriver({ participantId, participantName });
  for (const { ranked } of positioned) {
    need(ranked.lap.car, 'car');
    needDriver(ranked);
  }
  const step = createYielder();
  for (let n = 0; n < unknown.size; n += AT_ONCE) {
    const some = [...unknown].slice(n, n + AT_ONCE);
    await Promise.all(some.map(async ([id, kind]) => names.things.set(id, await nameIn(models, { kind, id }))));
    await step();
  }
  return names;
}

type KnownNames = ReturnType<typeof knownNames>;

/** Names as of a version of what has them. */
function knownNames(version: string) {
  const things = new Map<string, Named | null>();
  const of = (id: string) => things.get(id)?.name ?? '';
  return { version, things, of, brandOf: (carId: string) => things.get(carId)?.brand?.name ?? '' };
}

/** Most names that are known from one board to the next. */
const MAX_KNOWN = 10_000;

const known = new WeakMap<ReadModels, KnownNames>();

/** The names that boards have looked up since anything was renamed or added. */
async function namesOfNow(models: ReadModels): Promise<KnownNames> {
  const version = await models.version(NAMED);
  const before = known.get(models);
  if (before?.version === version && before.things.size < MAX_KNOWN) return before;
  const names = knownNames(version);
  known.set(models, names);
  return names;
}

function nameFrom<D extends Document>(model: ReadModel<D>, named: (document: D) => Named) {
  return async (models: ReadModels, id: string): Promise<Named | null> => {
    const document = await readOne(models, model, id);
    return document && named(document);
  };
}
