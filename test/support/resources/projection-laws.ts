import { expect } from 'chai';
import { builtInProjections } from '../../../src/service/resources/built-in.ts';
import { sameJson, type Json, type JsonObject } from '../../../src/kernel/json.ts';
import type { Document } from '../../../src/kernel/ports/read-store.ts';
import { givenHistory, minute, type HistoryEvent } from '../kernel/projecting.ts';
import { entryOf, IN_ORDER, namesIn, referencesOf, textIn, type Lookup } from './entries.ts';
import { fieldsOf, type Entry } from './entry.ts';
import type { Product } from './product.ts';
import { createdEvent, flagEvents, lawId, stepsOf, wholeState, type Nth, type Step } from './steps.ts';

/** What resources are, by their ids. */
type World = ReadonlyMap<string, { readonly entry: Entry; readonly state: JsonObject }>;

/** Resources whose events follow from the entries: all except those with secrets. */
const WITH_PLAIN_EVENTS = IN_ORDER.filter(({ events }) => Object.values(events)[0] !== 'special');

/** The id of the document of the nth resource. */
function idOf(entry: Entry, n: Nth): string {
  return entry.maps === undefined
    ? lawId(entry.name, n)
    : [...referencesOf(entry)].map(({ refersTo }) => lawId(refersTo, n)).join(':');
}

function streamOf(entry: Entry, n: Nth): string {
  return `${entry.category}-${idOf(entry, n)}`;
}

/** Two of each resource, and then a name for each second one that has none at first. */
function beginning() {
  const history: HistoryEvent[] = [];
  const world = new Map<string, { entry: Entry; state: JsonObject }>();
  for (const entry of WITH_PLAIN_EVENTS) {
    for (const n of [1, 2] as const) {
      history.push({ stream: streamOf(entry, n), ...createdEvent(entry, n) });
      world.set(idOf(entry, n), { entry, state: wholeState(entry, n) });
    }
    const naming = stepsOf(entry).find(({ values }) => 'name' in values && entry.initial?.['name'] === null);
    if (naming !== undefined) happen({ history, world }, { entry, n: 2, step: naming });
  }
  return { history, world };
}

interface Happening {
  readonly entry: Entry;
  readonly n: Nth;
  readonly step: Step;
}

/** Adds an event to a history, and what it changes to the world. */
function happen({ history, world }: ReturnType<typeof beginning>, { entry, n, step }: Happening): void {
  const { type, data, values } = step;
  history.push({ stream: streamOf(entry, n), type, data });
  const before = world.get(idOf(entry, n)) ?? { entry, state: {} };
  world.set(idOf(entry, n), { entry, state: { ...before.state, ...values } });
}

/** What a resource shows of itself, and of those that it refers to. */
function viewIn(world: World, id: string): JsonObject {
  const { entry, state } = world.get(id) ?? expect.fail(`there is no ${id}`);
  const used = Object.fromEntries((entry.used ?? []).map((name) => [name, null]));
  const made = Object.fromEntries((entry.made ?? []).map((name) => [name, state[name] ?? null]));
  const own = Object.entries(fieldsOf(entry)).map(([name, { shownAs = name, storedAs = name }]): [string, Json] => [
    shownAs,
    state[storedAs] ?? null,
  ]);
  const lookup: Lookup = (_kind, other, field) => world.get(textIn(other))?.state[field] ?? null;
  return { ...used, ...made, ...Object.fromEntries(own), ...namesIn(entry, state, lookup) };
}

/** Those whose names a resource shows, and those whose names these show. */
function neighbours(entry: Entry): readonly Entry[] {
  const direct = referencesOf(entry).map(({ refersTo }) => entryOf(refersTo));
  const shown = referencesOf(entry).filter(({ field: { shows = {} } }) => Object.keys(shows).length > 0);
  return [...new Set([...direct, ...shown.flatMap(({ refersTo }) => neighbours(entryOf(refersTo)))])].filter((one) =>
    WITH_PLAIN_EVENTS.includes(one),
  );
}

/** Declares what holds of the read model of any resource. */
export function itIsProjected(entry: Entry, { decider, query }: Product): void {
  /**
   * Plays a history, and expects the documents of both resources to show what the world says, and only their own events
   * to have moved them; resolves to the first.
   */
  const expectShown = async ({ history, world }: ReturnType<typeof beginning>): Promise<Document> => {
    const { thenDocument } = await givenHistory(builtInProjections, ...history);
    const shown = async (n: Nth): Promise<Document> => {
      const id = idOf(entry, n);
      const document = (await thenDocument(query.model, id)) ?? expect.fail('no document');
      const own = history.flatMap(({ stream }, at) => (stream === streamOf(entry, n) ? [at] : []));
      const moments = { createdAt: minute(own[0] ?? 0), updatedAt: minute(own.at(-1) ?? 0) };
      // Mappings show no times.
      const times = entry.maps === undefined ? moments : {};
      const visible = Object.entries(document).filter(([field]) => !field.startsWith('_'));
      const view = { id, ...viewIn(world, id), ...times };
      expect(Object.fromEntries(visible)).to.deep.equal(view);
      expect(document).to.include({ _created: (own[0] ?? 0) + 1, _revision: own.length - 1 });
      const hidden = Object.keys(document).filter((field) => field.startsWith('_'));
      expect(['_created', '_position', '_revision', ...(entry.internal ?? [])]).to.include.members(hidden);
      return document;
    };
    await shown(2);
    return shown(1);
  };

  it('shows a new one, with the names of those that it refers to', async () => {
    const story = beginning();
    const { _position, _created } = await expectShown(story);
    expect(_position).to.be.at.least(_created);
  });

  for (const step of stepsOf(entry)) {
    it(`follows ${step.type}`, async () => {
      const story = beginning();
      const stream = streamOf(entry, 1);
      for (const event of flagEvents(entry, step.before)) story.history.push({ stream, ...event });
      const before = viewIn(story.world, idOf(entry, 1));
      expect(decider.events[step.type]?.schema.parse(step.data), 'the data against its schema').to.deep.equal(
        step.data,
      );
      happen(story, { entry, n: 1, step });
      if (step.kind !== 'flag') expect(viewIn(story.world, idOf(entry, 1))).not.to.deep.equal(before);
      expect((await expectShown(story))._position).to.equal(story.history.length);
    });
  }

  for (const neighbour of neighbours(entry)) {
    it(`follows what it shows of ${neighbour.name}, is not touched by all else, and is not taken for another`, async () => {
      const before = await expectShown(beginning());
      for (const step of stepsOf(neighbour)) {
        const story = beginning();
        const view = viewIn(story.world, idOf(entry, 1));
        happen(story, { entry: neighbour, n: 1, step });
        const isShown = !sameJson(viewIn(story.world, idOf(entry, 1)), view);
        const document = await expectShown(story);
        if (isShown) expect(document._position, step.type).to.equal(story.history.length);
        else expect(document, step.type).to.deep.equal(before);
      }
    });
  }

  const moves = stepsOf(entry).filter(({ kind, data }) => kind === 'move' && 'from' in data);
  if (moves.length === 0) return;
  it('follows the names of those that it moved to, and of those that it left no more', async () => {
    const story = beginning();
    const renamed = (n: Nth) => {
      for (const neighbour of neighbours(entry))
        for (const step of stepsOf(neighbour)) if (step.kind === 'fields') happen(story, { entry: neighbour, n, step });
    };
    renamed(2);
    for (const step of moves) happen(story, { entry, n: 1, step });
    renamed(1);
    await expectShown(story);
  });
}
