import { expect } from 'chai';
import { z } from 'zod';
import { decider, whenAbsent } from '../../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../../src/service/kernel/event-types.ts';
import { projection, readModel } from '../../src/service/kernel/projection/projection.ts';
import type { DocumentMeta } from '../../src/service/kernel/ports/read-store.ts';
import { givenHistory, recorded, type HistoryEvent } from '../support/kernel/projecting.ts';

/** Version 1 had seconds; version 2 had ms, and no unit; version 3 says who measured. */
const scaleEvents = {
  Measured: eventType(
    z.object({ ms: z.number(), by: z.string() }),
    ({ seconds }) => ({ ms: Number(seconds) * 1_000 }),
    (data) => ({ ...data, by: 'nobody' }),
  ),
};

type Measure = { readonly ms: number; readonly by: string };

const scaleDecider = decider<Measure | null, { type: 'Measure'; data: Measure }, typeof scaleEvents>({
  category: 'scale',
  initial: null,
  events: scaleEvents,
  evolve: { Measured: (_, data) => data },
  decide: { Measure: whenAbsent((data: Measure) => [{ type: 'Measured', data }]) },
});

const scales = readModel<DocumentMeta & Measure>('scales', { category: 'scale', indexes: [] });
const scalesProjection = projection(
  scales,
  { own: scaleEvents },
  { Measured: ({ data, id }) => scales.insert(id, data) },
);

/** What each version says of the same. */
const VERSIONS: readonly HistoryEvent[] = [
  { stream: 'scale-1', type: 'Measured', version: 1, data: { seconds: 2 } },
  { stream: 'scale-1', type: 'Measured', version: 2, data: { ms: 2_000 } },
  { stream: 'scale-1', type: 'Measured', version: 3, data: { ms: 2_000, by: 'nobody' } },
];

describe('upcasting', () => {
  for (const event of VERSIONS) {
    it(`gives a decider version ${event.version} as the newest`, () => {
      const events = recorded([event]);
      const state = events.reduce((before, event) => scaleDecider.replay(before, event), scaleDecider.initial);
      expect(state).to.deep.equal({ ms: 2_000, by: 'nobody' });
      expect(scaleDecider.decide(state, { type: 'Measure', data: { ms: 1, by: 'me' } })).to.deep.equal([]);
    });

    it(`gives a projection version ${event.version} as the newest`, async () => {
      const { thenDocument } = await givenHistory([scalesProjection], event);
      expect(await thenDocument(scales, '1')).to.include({ ms: 2_000, by: 'nobody' });
    });
  }
});
