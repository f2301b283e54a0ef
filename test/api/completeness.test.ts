import { expect } from 'chai';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { expectProblem, expectStatus, idOf, type Client } from '../support/api/client.ts';
import { bodies, registerRig } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const COMPLETE = { missing: [], late: [], conflicts: [] };

// What is missing, late or in conflict, of rigs and of events, is held against a plain model in
// `test/queries/completeness.test.ts`.
describe('API: completeness', () => {
  const api = useVenue();

  /** A new rig, so that each test sees only its own numbers. */
  async function newRig() {
    const { rigId, rig } = await registerRig(api.venue.manager, api.venue.licenseId);
    const lap = (boot: string, number: number, more: JsonObject = {}): JsonObject => ({
      ...bodies.lap({ ...api.venue, rigId }),
      totalTime: 60_000 + number,
      sequence: { boot, number },
      ...more,
    });
    return {
      rigId,
      rig,
      lap,
      record: (boot: string, number: number, more: JsonObject = {}) =>
        rig.create('/api/v1/laps', lap(boot, number, more)),
      announce: (body: JsonObject, client: Client = rig) => client.put(`/api/v1/rigs/${rigId}/sequence`, body),
      boots: async (query = '') =>
        bootsOf(await api.venue.manager.read(`/api/v1/rigs/${rigId}/completeness${query}`), rigId),
    };
  }

  function bootsOf(body: JsonObject, rigId: string): readonly JsonObject[] {
    // The client has already checked the answer against the document.
    const rigs = body['rigs'] as unknown as readonly {
      readonly rigId: string;
      readonly boots: readonly JsonObject[];
    }[];
    return rigs.find((rig) => rig.rigId === rigId)?.boots ?? [];
  }

  it('shows what has arrived since each start, and what is missing', async () => {
    const rig = await newRig();
    expect(await rig.boots()).to.deep.equal([]);
    for (const number of [1, 2, 5, 9]) await rig.record('monday', number);
    await rig.record('tuesday', 3);
    await rig.rig.create('/api/v1/laps', bodies.lap({ ...api.venue, rigId: rig.rigId }));
    const monday = {
      boot: 'monday',
      received: 4,
      expected: 9,
      ...COMPLETE,
      missing: [
        [3, 4],
        [6, 8],
      ],
    };
    const tuesday = { boot: 'tuesday', received: 1, expected: 3, ...COMPLETE, missing: [[1, 2]] };
    expect(await rig.boots()).to.deep.equal([monday, tuesday]);
    expect(await rig.boots('?boot=tuesday')).to.deep.equal([tuesday]);
    expect(await rig.boots('?boot=sunday')).to.deep.equal([]);
    const { eventId, manager } = api.venue;
    const ofEvent = bootsOf(await manager.read(`/api/v1/events/${eventId}/completeness`), rig.rigId);
    expect(ofEvent.map(({ received, missing }) => [received, missing])).to.deep.equal([
      [4, monday.missing],
      [1, tuesday.missing],
    ]);
  });

  it('detects a missing tail once the rig has reported what it sent', async () => {
    const rig = await newRig();
    await rig.record('b', 1);
    expect(expectStatus(await rig.announce({ boot: 'b', upTo: 4 }), 200).body).to.deep.equal({ boot: 'b', upTo: 4 });
    const missing = { boot: 'b', received: 1, expected: 4, ...COMPLETE, missing: [[2, 4]] };
    expect(await rig.boots()).to.deep.equal([missing]);
    for (const upTo of [4, 2, 0]) {
      expect(expectStatus(await rig.announce({ boot: 'b', upTo }), 200).body).to.deep.equal({ boot: 'b', upTo: 4 });
    }
    expect(await rig.boots()).to.deep.equal([missing]);
    await rig.record('b', 6);
    const more = { boot: 'b', received: 2, expected: 6, ...COMPLETE, missing: [[2, 5]] };
    expect(await rig.boots()).to.deep.equal([more]);
    for (const bad of [{}, { boot: 'b' }, { boot: '', upTo: 1 }, { boot: 'b', upTo: -1 }, { boot: 'b', upTo: 1.5 }]) {
      expectProblem(await rig.announce(bad), 400);
    }
    expectProblem(await rig.announce({ boot: 'b', upTo: 7 }, api.venue.rig), 403);
    expectStatus(await rig.announce({ boot: 'silent', upTo: 0 }), 200);
    expect(await rig.boots()).to.deep.equal([more, { boot: 'silent', received: 0, expected: 0, ...COMPLETE }]);
  });

  it('keeps numbers with the rig that recorded them, whatever a correction says', async () => {
    const [rig, other] = [await newRig(), await newRig()];
    const id = idOf(await rig.record('b', 1));
    await api.venue.manager.change(`/api/v1/laps/${id}`, { rigId: other.rigId, sequence: { boot: 'c', number: 9 } });
    expect(await rig.boots()).to.deep.equal([{ boot: 'b', received: 1, expected: 1, ...COMPLETE }]);
    expect(await other.boots()).to.deep.equal([]);
    const shown = await api.anyone.read(`/api/v1/laps/${id}`);
    expect(shown['sequence']).to.deep.equal({ boot: 'b', number: 1 });
  });

  it('accepts any text as the name of a start', async () => {
    const rig = await newRig();
    const names = [
      '2026-11-22T18:00:00Z',
      'boot 7',
      'a:b:c',
      'Überstart/%2f',
      '🏁',
      '\u0001\u007f',
      ' ',
      'x'.repeat(64),
      '🏁'.repeat(64),
    ];
    for (const boot of names) {
      await rig.record(boot, 1);
      expectStatus(await rig.announce({ boot, upTo: 2 }), 200);
    }
    const found = await rig.boots();
    expect(found.map(({ boot }) => boot)).to.have.members(names);
    for (const boot of found) expect(boot).to.deep.include({ received: 1, expected: 2, missing: [[2, 2]] });
    expectProblem(await rig.rig.post('/api/v1/laps', rig.lap('x'.repeat(65), 1)), 400, '#/sequence/boot');
    expectProblem(await rig.rig.post('/api/v1/laps', rig.lap('b', 0)), 400, '#/sequence/number');
  });
});
