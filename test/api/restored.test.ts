import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectProblem, expectStatus, type Client } from '../support/api/client.ts';
import { LiveReader } from '../support/live/live-reader.ts';
import { bodies, createVenue } from '../support/api/venue.ts';
import { useDirectories } from '../support/directories.ts';
import { withServiceHere } from '../support/processes/service-here.ts';

/** Changes of a lap in the history that is lost, and in the one that goes on from the backup. */
const LOST = 3;

describe('API: a service that continues on an older backup', () => {
  const directory = useDirectories();

  it('does not accept ETags and positions that clients kept from the lost history', async () => {
    const root = directory();
    const first = join(root, 'first');
    const second = join(root, 'second');
    const made = await withServiceHere(first, async ({ admin }) => {
      const venue = await createVenue(admin);
      return { venue, eventId: venue.eventId, lap: `/api/v1/laps/${venue.lapId}` };
    });
    await cp(first, second, { recursive: true });
    const { eventId, lap, venue } = made;
    const list = '/api/v1/laps';
    const drive = (admin: Client, totalTime: number) =>
      admin.create('/api/v1/laps', { ...bodies.lap(venue), sectors: [totalTime], totalTime });
    /** Records laps; resolves to the id of the last change that somebody sees who watches them. */
    const watched = async (url: string, admin: Client, time: number): Promise<string> => {
      const reader = await LiveReader.open(url, eventId);
      await reader.change();
      for (let n = 0; n < LOST; n += 1) {
        await drive(admin, time - n);
        await reader.change();
      }
      reader.close();
      return reader.lastId ?? '';
    };
    const kept = await withServiceHere(first, async ({ admin, url }) => {
      await admin.change(lap, { totalTime: 71_001 });
      const etag = (await admin.get(lap)).header('etag');
      expectStatus(await admin.patch(lap, { totalTime: 71_001 }, { 'If-Match': etag }), 200);
      const id = await watched(url, admin, 59_000);
      return { etag, id, list: (await admin.get(list)).header('etag') };
    });
    expect(kept.id).to.match(/^\d+-[0-9a-z]+$/);
    await withServiceHere(second, async ({ admin, url }) => {
      await admin.change(lap, { totalTime: 72_002 });
      const now = (await admin.get(lap)).header('etag');
      expect(now.split('-')[0], 'the same revision').to.equal(kept.etag.split('-')[0]);
      expectProblem(await admin.patch(lap, { totalTime: 73_003 }, { 'If-Match': kept.etag }), 412);
      expectStatus(await admin.patch(lap, { totalTime: 72_002 }, { 'If-Match': `${now.split('.')[0]}"` }), 200);
      const own = await watched(url, admin, 58_000);
      expect(Number.parseInt(own, 10), 'the same position').to.be.at.least(Number.parseInt(kept.id, 10));
      expectStatus(await admin.get(list, { 'If-None-Match': kept.list }), 200);
      for (const watching of [{ lastEventId: kept.id }, { query: `?after=${kept.id}` }]) {
        const reader = await LiveReader.open(url, eventId, watching);
        expect((await reader.change())?.map(({ event }) => event)).to.deep.equal(['board']);
        reader.close();
      }
      const reader = await LiveReader.open(url, eventId, { lastEventId: own });
      await drive(admin, 57_000);
      expect((await reader.change())?.[0]?.event, 'one of its own').to.equal('lap');
      reader.close();
    });
  }).timeout(120_000);
});
