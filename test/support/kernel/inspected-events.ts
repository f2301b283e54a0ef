import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { inspectNewEvents } from '../../../src/kernel/aggregate/command-handler.ts';
import type { DecidedEvent, EventTypes } from '../../../src/kernel/event-types.ts';

/** Fails unless the data of an event are those that its schema describes, with nothing beside them. */
export function expectTrueToSchema({ type, data }: DecidedEvent, types: EventTypes): void {
  const declared = types[type];
  if (declared === undefined) expect.fail(`${type} is not declared`);
  const parsed = declared.schema.parse(data);
  // No function of the product: what a request runs through is counted, too (test/way).
  if (!isDeepStrictEqual(parsed, data)) expect(parsed, `${type} against its schema`).to.deep.equal(data);
}

/** Mocha loads this file first (.mocharc.json): no test appends a decided event that its schema does not describe. */
inspectNewEvents(expectTrueToSchema);
