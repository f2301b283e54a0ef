import { expect } from 'chai';
import { expectStatus } from '../support/api/client.ts';
import { bodies, registerRig } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const NAMES = [
  ...['2026-11-22T18:00:00Z', 'boot 7', 'a:b:c', 'Überstart/%2f', '🏁', '\u0001\u007f', ' '],
  ...['x'.repeat(64), '🏁'.repeat(64)],
];

// What is missing, late or in conflict, of rigs and of events, is compared with a plain model in
// `test/queries/completeness.test.ts` and, over HTTP, in seasons.
describe('API: completeness', () => {
  const api = useVenue();

  it('is reported for each start of a rig, whatever its name, up to the highest number that the rig announced', async () => {
    const { rigId, rig } = await registerRig(api.venue.manager, api.venue.licenseId);
    const path = `/api/v1/rigs/${rigId}`;
    const announce = async (boot: string, upTo: number) =>
      expectStatus(await rig.put(`${path}/sequence`, { boot, upTo }), 200).body;
    for (const boot of NAMES) {
      const lap = { ...bodies.lap({ ...api.venue, rigId }), sequence: { boot, number: 1 } };
      await rig.create('/api/v1/laps', lap);
      for (const upTo of [2, 1]) expect(await announce(boot, upTo)).to.deep.equal({ boot, upTo: 2 });
    }
    const { rigs } = await api.venue.manager.read(`${path}/completeness`);
    // The client has already checked the answer against the document.
    const [found] = rigs as readonly { readonly boots: readonly unknown[] }[];
    const expected = { received: 1, expected: 2, missing: [[2, 2]], late: [], conflicts: [] };
    expect(found?.boots).to.have.deep.members(NAMES.map((boot) => ({ boot, ...expected })));
  });
});
