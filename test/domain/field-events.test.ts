import { expect } from 'chai';
import { z } from 'zod';
import { resourceProjection, type DocumentOf } from '../../src/domain/documents.ts';
import { changesTo, fieldsChanged, flagSet, referenceMoved } from '../../src/domain/field-events.ts';
import { eventType } from '../../src/kernel/event-types.ts';
import { readModel } from '../../src/kernel/projection/projection.ts';

const Toy = z.object({ name: z.string(), width: z.number(), open: z.boolean(), ownerId: z.string() });
type Toy = z.output<typeof Toy>;

const changes = {
  ToyRenamed: fieldsChanged(Toy, 'name'),
  ToyOpened: flagSet('open', true),
  ToyGivenAway: referenceMoved('ownerId'),
};
const toy: Toy = { name: 'Ball', width: 1, open: false, ownerId: 'ann' };

describe('field events', () => {
  it('compare values as JSON: null is a value, and the order of keys does not count', () => {
    const Box = z.object({ size: z.number().nullable(), tags: z.object({ x: z.number(), y: z.array(z.number()) }) });
    const boxed = fieldsChanged(Box, 'size', 'tags');
    const box = { size: 1, tags: { x: 1, y: [1, 2] } };
    expect(boxed.dataFor(box, { size: null })).to.deep.equal({ ...box, size: null });
    expect(boxed.dataFor(box, { tags: { x: 1, y: [2, 1] } })).to.deep.equal({ size: 1, tags: { x: 1, y: [2, 1] } });
    expect(boxed.dataFor(box, { tags: { y: [1, 2], x: 1 } })).to.equal(null);
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

  it('does not compile without a handler where an event says nothing of a field of the document', () => {
    // @ts-expect-error the document has no ownerId
    resourceProjection(toys, { own }, made);
    // @ts-expect-error what ToyMade does is not said
    resourceProjection(toys, { own }, { ToyBroken: () => null, ToyGivenAway: () => null });
  });
});
