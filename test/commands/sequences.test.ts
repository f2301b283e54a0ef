import { expect } from 'chai';
import { announceSequence, sequenceDecider } from '../../commands/sequences.ts';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { given, happened } from '../support/kernel/given.ts';

const RIG = '00000000-0000-7000-8000-0000000000a1';

const announce = (upTo: number) => announceSequence.commands({ boot: 'monday', upTo }, { rigId: RIG });
const announced = (upTo: number) => happened('SequenceAnnounced', { rigId: RIG, boot: 'monday', upTo });

describe('sequence', () => {
  it('is announced, by nothing sent too', () => {
    given(sequenceDecider)
      .when(...announce(40))
      .then(announced(40));
    given(sequenceDecider)
      .when(...announce(0))
      .then(announced(0));
  });

  it('goes up', () => {
    given(sequenceDecider, announced(0))
      .when(...announce(1))
      .then(announced(1));
    given(sequenceDecider, announced(1), announced(40))
      .when(...announce(41))
      .then(announced(41));
  });

  it('is not changed by what was said before, or by less', () => {
    for (const upTo of [40, 39, 1, 0])
      given(sequenceDecider, announced(5), announced(40))
        .when(...announce(upTo))
        .thenNothing();
  });

  it('is that of the rig in the path, whatever the body says', () => {
    const body = { boot: 'monday', upTo: 1, rigId: 'another' };
    expect(announceSequence.commands(body, { rigId: RIG })[0]?.data.rigId).to.equal(RIG);
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
