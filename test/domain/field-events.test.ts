import { expect } from 'chai';
import { z } from 'zod';
import { resourceProjection, type DocumentOf } from '../../src/service/domain/documents.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet, referenceMoved } from '../../src/service/domain/field-events.ts';
import { eventType } from '../../src/service/kernel/event-types.ts';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { readModel } from '../../src/service/kernel/projection/projection.ts';
import { recorded } from '../support/kernel/projecting.ts';

const Toy = z.object({
  name: z.string(),
  width: z.number(),
  height: z.number(),
  open: z.boolean(),
  ownerId: z.string(),
});
type Toy = z.output<typeof Toy>;

const changes = {
  ToyResized: fieldsChanged(Toy, 'width', 'height'),
  ToyRenamed: fieldsChanged(Toy, 'name'),
  ToyOpened: flagSet('open', true),
  ToyClosed: flagSet('open', false),
  ToyGivenAway: referenceMoved('ownerId'),
};
const [ANN, BOB] = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'];
const toy: Toy = { name: 'Ball', width: 1, height: 2, open: false, ownerId: ANN };

describe('field events', () => {
  it('are recorded for what is changed, in the order of their declaration', () => {
    expect(changesTo(changes, toy, { ownerId: BOB, open: true, name: 'Box', width: 3 })).to.deep.equal([
      { type: 'ToyResized', data: { width: 3, height: 2 } },
      { type: 'ToyRenamed', data: { name: 'Box' } },
      { type: 'ToyOpened', data: {} },
      { type: 'ToyGivenAway', data: { from: ANN, to: BOB } },
    ]);
    const opened: Toy = { ...toy, open: true };
    expect(changesTo(changes, opened, { open: false })).to.deep.equal([{ type: 'ToyClosed', data: {} }]);
  });

  it('are not recorded for what is as it was, or not mentioned', () => {
    expect(changesTo(changes, toy, toy)).to.deep.equal([]);
    expect(changesTo(changes, toy, { name: undefined })).to.deep.equal([]);
  });

  it('compare values as JSON: null is a value, and the order of keys does not count', () => {
    const Box = z.object({ size: z.number().nullable(), tags: z.object({ x: z.number(), y: z.array(z.number()) }) });
    const boxed = fieldsChanged(Box, 'size', 'tags');
    const box = { size: 1, tags: { x: 1, y: [1, 2] } };
    expect(boxed.dataFor(box, { size: null })).to.deep.equal({ ...box, size: null });
    expect(boxed.dataFor(box, { tags: { x: 1, y: [2, 1] } })).to.deep.equal({ size: 1, tags: { x: 1, y: [2, 1] } });
    expect(boxed.dataFor(box, { tags: { y: [1, 2], x: 1 } })).to.equal(null);
  });

  it('make the state what was asked for, and are true to their schemas', () => {
    const change = { ownerId: BOB, open: true, name: 'Box', width: 3 };
    const evolve = evolvedBy(changes);
    const after = changesTo(changes, toy, change).reduce<Toy>((state, { type, data }) => {
      expect(changes[type].schema.parse(data)).to.deep.equal(data);
      // The handler of this very event.
      return (evolve[type] as (state: Toy, data: unknown) => Toy)(state, data);
    }, toy);
    expect(after).to.deep.equal({ ...toy, ...change });
  });

  it('do not compile for fields that the resource does not have', () => {
    // @ts-expect-error a toy has no colour
    expect(changesTo({ ToyPainted: fieldsChanged(z.object({ colour: z.string() }), 'colour') }, toy, {})).to.deep.equal(
      [],
    );
    // @ts-expect-error a width is no flag
    expect(changesTo({ ToyWidened: flagSet('width', true) }, toy, {})).to.deep.equal([]);
  });
});

describe('the projection of a resource', () => {
  const toys = readModel<DocumentOf<Omit<Toy, 'ownerId'> & { readonly owner: string }>>('toys', {
    category: 'toy',
    indexes: [],
  });
  const own = { ToyMade: eventType(Toy), ...changes, ToyBroken: eventType(z.object({})) };
  const made = { ToyMade: () => null, ToyBroken: () => null };

  it('sets what events say that fields are, unless a handler does something else', async () => {
    const set = (id: string, fields: Partial<Toy>) => toys.set(id, { ...fields, updatedAt: 'now' });
    const { on } = resourceProjection(toys, { own }, { ...made, ToyGivenAway: () => null, ToyClosed: () => null });
    const effect = (type: string, data: JsonObject) => {
      const [recordedEvent] = recorded([{ stream: 'toy-1', type, data }]);
      if (recordedEvent === undefined) expect.fail('no event');
      const nothing = () => null;
      async function* none() {}
      return on.get(type)?.({ data, id: '1', at: 'now', recorded: recordedEvent }, nothing, none);
    };
    expect(await effect('ToyResized', { width: 1, height: 2 })).to.deep.equal(set('1', { width: 1, height: 2 }));
    expect(await effect('ToyOpened', {})).to.deep.equal(set('1', { open: true }));
    expect([await effect('ToyClosed', {}), [...on.keys()].length]).to.deep.equal([null, Object.keys(own).length]);
  });

  it('does not compile without a handler where an event says nothing of a field of the document', () => {
    // @ts-expect-error the document has no ownerId
    resourceProjection(toys, { own }, made);
    // @ts-expect-error what ToyMade does is not said
    resourceProjection(toys, { own }, { ToyBroken: () => null, ToyGivenAway: () => null });
  });
});
