import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectStatus, textOf, type Client } from '../support/api/client.ts';
import { createLicense } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { callCommand } from '../support/processes/command-process.ts';

describe('the reference rig', () => {
  const api = useVenue();
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'timing-rig-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  /** Starts the rig, which drives until it has this many laps in all. */
  const drive = (venue: Client, laps: number, more: readonly string[] = []) =>
    callCommand([
      ...['rig', '--laps', `${laps}`, '--every', '1', '--event', api.venue.eventId, ...more],
      ...['--url', api.service.url, '--token', venue.token ?? '', '--data', home],
    ]);

  it('keeps its laps when its key has ended with a move, asks for a new one, and sends each lap once with that', async () => {
    const { manager } = api.venue;
    const first = await drive(manager, 5);
    expect(first, first.err).to.include({ code: 0 });
    const rigId = /^rig (\S+): 5 laps driven/.exec(first.out)?.[1] ?? '';
    // The answer to the last two laps is lost, as if the rig had crashed before it noted them.
    await writeFile(join(home, 'settled.json'), JSON.stringify({ settled: 3 }));
    const other = await createLicense(api.admin);
    await api.admin.change(`/api/v1/rigs/${rigId}`, { licenseId: other.licenseId });

    const refused = await drive(manager, 8, ['--offline-for', '1']);
    expect(refused).to.include({ code: 1, out: '' });
    const advice = `The rig needs a new key: its licence issues one by POST /api/v1/rigs/${rigId}/key`;
    expect(refused.err).to.include('401 of /api/v1/laps/batch').and.include(advice).and.include('5 laps wait');
    expect(await drive(manager, 8)).to.include({ code: 1, out: '' });

    const issued = expectStatus(await other.manager.send('POST', `/api/v1/rigs/${rigId}/key`), 200).body;
    const resumed = await drive(manager, 10, ['--rig-key', textOf(issued, 'token')]);
    expect(resumed, resumed.err).to.include({ code: 0 });
    const laps = await api.admin.list(`/api/v1/laps?rigId=${rigId}`);
    const sequences = laps.map(({ sequence }) => JSON.stringify(sequence));
    expect(laps).to.have.length(10);
    expect(new Set(sequences).size).to.equal(10);
    const again = await drive(manager, 11);
    expect(again, again.err).to.include({ code: 0 });
  });
});
