import { expect } from 'chai';
import { announceSequence, sequenceDecider } from '../../commands/sequences.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { given, happened } from '../support/kernel/given.ts';

const RIG = '00000000-0000-7000-8000-0000000000a1';

const announced = (upTo: number) => happened('SequenceAnnounced', { rigId: RIG, boot: 'monday', upTo });

// What comes of it is in `test/queries/completeness.test.ts`.
describe('sequence', () => {
  it('is announced and goes up, but is not changed by an equal or lower number', () => {
    const announce = (upTo: number) => announceSequence.commands({ boot: 'monday', upTo }, { rigId: RIG });
    for (const [before, upTo] of [
      [[], 0],
      [[announced(0)], 1],
      [[announced(1), announced(40)], 41],
    ] as const)
      given(sequenceDecider, ...before)
        .when(...announce(upTo))
        .then(announced(upTo));
    for (const upTo of [40, 39, 0])
      given(sequenceDecider, announced(5), announced(40))
        .when(...announce(upTo))
        .thenNothing();
  });
});

describe('sequence bodies', () => {
  const isTaken = (fields: JsonObject): boolean =>
    announceSequence.body.safeParse({ boot: 'monday', upTo: 40, ...fields }).success;

  it('hold every field to its bounds', () => {
    for (const boot of ['b', 'x'.repeat(64), '🏁'.repeat(64)]) expect(isTaken({ boot }), boot).to.equal(true);
    for (const boot of [undefined, null, 1, '', 'x'.repeat(65)]) expect(isTaken({ boot }), `${boot}`).to.equal(false);
    for (const upTo of [0, 40, Number.MAX_SAFE_INTEGER]) expect(isTaken({ upTo }), `${upTo}`).to.equal(true);
    for (const upTo of [undefined, null, '1', -1, 0.5, 2 ** 53]) expect(isTaken({ upTo }), `${upTo}`).to.equal(false);
  });
});
