import { expect } from 'chai';
import { decideAll, type Decider, type Decision } from '../../../src/kernel/aggregate/decider.ts';
import { Rejection, type RejectionCode } from '../../../src/kernel/aggregate/rejection.ts';
import type { DecidedEvent, Message } from '../../../src/kernel/event-types.ts';
import type { JsonObject } from '../../../src/kernel/json.ts';
import { requireValid } from '../../../src/kernel/aggregate/new-event.ts';

/** Expectations of a decider's result. */
export interface Verdict {
  /** Exactly these events, each true to its schema; sending the command again must then record nothing. */
  then(...events: readonly DecidedEvent[]): void;
  /** Exactly these events, each true to its schema; sending the command again must then be refused with this code. */
  thenOnce(code: RejectionCode, ...events: readonly DecidedEvent[]): void;
  /** Exactly these events, each true to its schema; sending the command again must then record as many again. */
  thenEachTime(...events: readonly DecidedEvent[]): void;
  /** Nothing to record: the request is already in effect. */
  thenNothing(): void;
  /** Refused with this code, for this field when one is named. */
  thenRejected(code: RejectionCode, pointer?: string): void;
}

/**
 * `given(decider, ...events).when(command).then(...events)`: a decider's behaviour as a sentence. Of several commands the
 * first refusal refuses them all.
 */
export function given<S, C extends Message>(
  decider: Decider<S, C>,
  ...history: readonly DecidedEvent[]
): { when(...commands: readonly C[]): Verdict } {
  const state = history.reduce((before, event) => decider.evolve(before, event), decider.initial);
  return {
    when(...commands) {
      const decide = (from: S): Decision => {
        const decided = decideAll(decider, from, commands);
        return decided instanceof Rejection ? decided : decided.events;
      };
      const decision = decide(state);
      const sentAgain = (events: readonly DecidedEvent[]): Decision => {
        expect(decision).to.deep.equal(events);
        for (const event of events) requireValid(decider.events, event);
        return decide(events.reduce((before, event) => decider.evolve(before, event), state));
      };
      return {
        // Not a promise: nothing is awaited on a verdict.
        then: (...events) => expect(sentAgain(events), 'the command sent again').to.deep.equal([]),
        thenOnce: (code, ...events) =>
          expect(rejectionOf(sentAgain(events)).code, 'the command sent again').to.equal(code),
        thenEachTime: (...events) =>
          expect(sentAgain(events), 'the command sent again').to.have.lengthOf(events.length),
        thenNothing: () => expect(decision).to.deep.equal([]),
        thenRejected: (code, pointer) => {
          const rejection = rejectionOf(decision);
          expect(rejection.code).to.equal(code);
          if (pointer !== undefined) expect(rejection.faults.map((fault) => fault.pointer)).to.deep.equal([pointer]);
        },
      };
    },
  };
}

function rejectionOf(decision: Decision): Rejection {
  if (decision instanceof Rejection) return decision;
  expect.fail(`not rejected: ${JSON.stringify(decision)}`);
}

/** An event as a decider makes it. */
export function happened(type: string, data: JsonObject = {}): DecidedEvent {
  return { type, data };
}
