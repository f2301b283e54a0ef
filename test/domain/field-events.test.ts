import { expect } from 'chai';
import { z } from 'zod';
import { changesTo, evolvedBy, fieldsChanged, flagSet, referenceMoved } from '../../src/service/domain/field-events.ts';

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
