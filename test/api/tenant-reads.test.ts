import { expect } from 'chai';
import { expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { LiveReader } from '../support/live/live-reader.ts';
import { operationsOf } from '../support/api/openapi.ts';
import { fileRow, upload } from '../support/api/uploads.ts';
import { bodies, createLicense, issueKey, registerRig } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

/** What one licence keeps to itself, as the tests store it. */
const HIDDEN = {
  email: 'hidden.address@example.org',
  phoneNumber: '+49 176 5550198',
  extraFieldsJson: '{"seat":"hidden answer"}',
};

/** Everything of that which an answer may not show to others, the name that a person had before, and internal fields. */
const NOT_SHOWN = /hidden|5550198|Formername|tokenHash|srt_[\w-]{8}_|"_\w+":/;

/** How boards, lists and live boards can be requested beside what their paths say. */
const QUERIES: readonly (readonly [path: RegExp, queries: readonly string[]])[] = [
  [/\/(leaderboard|results\.csv)$/, ['', '?validOnly=false', '?asOf=', '?carId=', '?carClassId=']],
  [/\/live$/, ['', '?validOnly=false', '?after=0', '?from=']],
  [/\/paged$/, ['?size=1000', '?size=1000&sort=email', '?email=hidden.address@example.org']],
  [/^\/api\/v1\/[\w-]+$/, ['', '?format=csv', '?email=hidden.address@example.org']],
];

describe('API: reading as another licence, or without a key', () => {
  const api = useVenue();
  let ids: Readonly<Record<string, string>>;
  let moment = '';
  const readers = new Map<string, Client>();

  before(async () => {
    const { venue } = api;
    const body = { ...bodies.participant(venue.licenseId), ...HIDDEN, lastName: 'Formername' };
    await venue.manager.change(`/api/v1/participants/${venue.participantId}`, {
      ...HIDDEN,
      extraFieldsJson: { seat: 'hidden answer' },
      lastName: 'Formername',
    });
    const { licenseId } = await createLicense(api.admin);
    const second = idOf(await api.admin.create('/api/v1/participants', { ...body, licenseId }));
    for (const participantId of [venue.participantId, second]) {
      await venue.manager.create('/api/v1/laps', bodies.lap({ ...venue, participantId }));
    }
    moment = new Date().toISOString();
    for (const participantId of [venue.participantId, second]) {
      await api.admin.change(`/api/v1/participants/${participantId}`, { lastName: 'Newname' });
    }
    expectStatus(await upload(venue.manager, 'LOGO/seen.png', 'bytes'), 201);
    const fileId = idOf(await fileRow(venue.manager, 'LOGO/seen.png'));
    const rigPairingId = idOf(await venue.manager.create('/api/v1/rig-pairings', { name: 'Rig 7' }));
    ids = {
      ...idsOf(venue),
      rigPairingId,
      fileId,
      apiKeyId: venue.managerKeyId,
      type: 'LOGO',
      name: 'seen.png',
      view: 'laps',
    };

    const other = await createLicense(api.admin);
    for (const role of ['R', 'CR', 'CRUD']) readers.set(role, (await issueKey(other.manager, role)).client);
    readers.set('rig', (await registerRig(other.manager, other.licenseId)).rig);
    readers.set('no key', api.anyone);
  });

  /** The paths of an operation, with the ids of the venue, in every form. */
  function pathsOf(path: string): readonly string[] {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? expect.fail(`no ${name}`));
    const [, queries = ['']] = QUERIES.find(([pattern]) => pattern.test(path)) ?? [];
    const values: Readonly<Record<string, string | undefined>> = { ...ids, asOf: moment, from: moment };
    return queries.map(
      (query) => filled + query.replace(/(\w+)=$/, (whole, name: string) => whole + (values[name] ?? '')),
    );
  }

  it('shows no contact data, former names, secrets or internal fields of another licence', async () => {
    const unfit: string[] = [];
    let seen = 0;
    const paths = operationsOf(api.service.document)
      .filter(({ method, path }) => method === 'GET' && !path.endsWith('/live') && path !== '/api-docs')
      .flatMap(({ path }) => pathsOf(path));
    for (const [who, client] of readers) {
      for (const path of paths) {
        const { status, text } = await client.get(path);
        // A problem may repeat what was asked for.
        if (status !== 200) continue;
        seen += 1;
        const shown = NOT_SHOWN.exec(text)?.[0] ?? (text.includes(api.venue.licenseKey) ? 'the licence key' : null);
        if (shown !== null) unfit.push(`${who} reads ${shown} at ${path}`);
      }
    }
    expect(unfit).to.deep.equal([]);
    expect(seen).to.be.greaterThan(paths.length * 2);
  });

  it('shows none of that in live boards and replays', async () => {
    for (const path of pathsOf('/api/v1/events/{eventId}/live')) {
      const query = path.slice(path.indexOf('/live') + 5);
      const reader = await LiveReader.open(api.service.url, ids['eventId'] ?? '', { query });
      const lap = await api.venue.manager.create('/api/v1/laps', bodies.lap(api.venue));
      let text = '';
      while (!text.includes(idOf(lap))) text += JSON.stringify(await reader.change());
      reader.close();
      expect(NOT_SHOWN.exec(text)?.[0], query).to.equal(undefined);
      expect(text, query).to.include('Newname');
    }
  });

  it('shows all of that to the licence itself', async () => {
    const own = await api.venue.manager.get(`/api/v1/participants/${api.venue.participantId}/history`);
    for (const value of [HIDDEN.email, HIDDEN.phoneNumber, 'hidden answer', 'Formername']) {
      expect(expectStatus(own, 200).text).to.include(value);
    }
    expect(textOf(await api.venue.manager.read('/api/v1/licenses/current'), 'licenseKey')).to.match(/^lic_/);
  });
});

/** The ids of a venue, by their names. */
function idsOf(venue: object): Record<string, string> {
  const entries = Object.entries(venue).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}
