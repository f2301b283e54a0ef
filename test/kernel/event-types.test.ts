import { expect } from 'chai';
import { z } from 'zod';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { eventType, UnknownEvent, upcast } from '../../src/kernel/event-types.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { DocumentMeta } from '../../src/kernel/ports/read-store.ts';
import { projection, readModel } from '../../src/kernel/projection/projection.ts';
import { givenHistory, recorded } from '../support/kernel/projecting.ts';

const types = {
  Measured: eventType(
    z.object({ ms: z.number(), by: z.string() }),
    ({ seconds, ...data }) => ({ ...data, ms: Number(seconds) * 1_000 }),
    (data) => ({ ...data, by: 'nobody' }),
  ),
};

describe('event types', () => {
  it('have the version after their last upcaster', () => {
    expect(types.Measured.version).to.equal(3);
    expect(eventType(z.object({})).version).to.equal(1);
  });

  it('upcast every old version to the newest', () => {
    expect(read(1, { seconds: 2 })).to.deep.equal({ ms: 2_000, by: 'nobody' });
    expect(read(2, { ms: 5 })).to.deep.equal({ ms: 5, by: 'nobody' });
    expect(read(3, { ms: 5, by: 'me' })).to.deep.equal({ ms: 5, by: 'me' });
  });

  it('reach projections as the newest version', async () => {
    const scales = readModel<DocumentMeta & { readonly ms: number }>('scales', { category: 'scale', indexes: [] });
    const ofTypes = projection(scales, { own: types }, { Measured: ({ data, id }) => scales.insert(id, data) });
    const event = { stream: 'scale-1', type: 'Measured', version: 1, data: { seconds: 2 } };
    const { thenDocument } = await givenHistory([ofTypes], event);
    expect(await thenDocument(scales, '1')).to.include({ ms: 2_000, by: 'nobody' });
  });

  it('refuse versions of a later release, and unknown types', () => {
    for (const version of [4, 0, -1]) expect(() => read(version, {})).to.throw(UnknownEvent, `Measured v${version}`);
    for (const type of ['Weighed', 'toString', '__proto__']) {
      expect(() => read(1, {}, type)).to.throw(UnknownEvent, type);
    }
  });

  it('report the stream and position of an unknown event, and that the outcome is unknown', () => {
    expect(() => read(9, {})).to.throw(StoreUnavailable, /position 1 of scale-1/);
  });
});

function read(version: number, data: JsonObject, type = 'Measured'): JsonObject {
  const [event] = recorded([{ stream: 'scale-1', type, data, version }]);
  if (event === undefined) throw new Error('nothing was recorded');
  return upcast(types, event);
}
