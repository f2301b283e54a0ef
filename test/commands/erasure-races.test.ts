import { expect } from 'chai';
import { systemClock, systemIds } from '../../infra/system/system.ts';
import { changeParticipant, participantDecider } from '../../commands/participants.ts';
import { ERASED_PERSON } from '../../src/domain/erased-person.ts';
import { createCommandHandler, type CommandHandler } from '../../src/kernel/aggregate/command-handler.ts';
import { loadAggregate } from '../../src/kernel/aggregate/aggregates.ts';
import { Rejection } from '../../src/kernel/aggregate/rejection.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { depth } from '../support/depth.ts';
import { gathered } from '../support/event-store/events.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';

const ERASURES = depth({ short: 100, deep: 1_000 });

const PERSON = {
  licenseId: 'license',
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@example.org',
  phoneNumber: '1',
  extraFieldsJson: { shirtSize: 'M' },
  nickname: 'Ace',
};

/** Changes that would bring somebody back. */
const CHANGES: readonly JsonObject[] = [
  { firstName: 'Augusta' },
  { email: 'back@example.org', phoneNumber: '2' },
  { extraFieldsJson: { shirtSize: 'L' } },
  { nickname: 'Lady A', lastName: 'King' },
];

describe('erasures that race writes of two nodes', () => {
  it(`bring nobody back, whoever is first (${ERASURES})`, async () => {
    const deadline = systemClock.now() + 600_000;
    const origin = { correlationId: 'race', deadline };
    const handle = (node: CommandHandler, id: string, body: JsonObject) =>
      node.handle({
        decider: participantDecider,
        id,
        origin,
        commands: changeParticipant.commands(changeParticipant.body.parse(body), {}),
      });
    let refused = 0;
    let recorded = 0;
    for (let n = 0; n < ERASURES; n += 1) {
      const id = `p${n}`;
      const store = memoryEventStore();
      const one = createCommandHandler({ store, clock: systemClock, ids: systemIds });
      const other = createCommandHandler({ store, clock: systemClock, ids: systemIds });
      const register = { type: 'RegisterParticipant', data: { ...PERSON, licenseId: `license-${n}` } } as const;
      await one.handle({ decider: participantDecider, id, origin, commands: [register] });
      const erase = () =>
        other.handle({ decider: participantDecider, id, origin, commands: [{ type: 'EraseParticipant', data: {} }] });
      // The erasure begins before, between or after the writes.
      const before = n % (CHANGES.length + 1);
      const under = CHANGES.slice(0, before).map((body) => handle(one, id, body));
      under.push(erase());
      under.push(...CHANGES.slice(before).map((body) => handle(one, id, body)));
      const outcomes = await Promise.all(under);
      for (const outcome of outcomes) {
        if (!(outcome instanceof Rejection)) recorded += 1;
        else if (outcome.code === 'PARTICIPANT_ERASED') refused += 1;
        else expect.fail(outcome.detail);
      }
      const stream = `participant-${id}`;
      const types = (await gathered(store.readStream(stream))).map(({ type }) => type);
      expect(types.at(-1), 'nothing follows the erasure').to.equal('ParticipantErased');
      const { state } = await loadAggregate(store, participantDecider, stream);
      expect(state).to.deep.include(ERASED_PERSON);
    }
    expect(recorded + refused).to.equal(ERASURES * (CHANGES.length + 1));
    expect(refused, 'some writes came after').to.be.above(0);
    expect(recorded, 'some came before').to.be.above(ERASURES);
  });
});
