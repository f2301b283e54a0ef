import { createHash } from 'node:crypto';
import { readdirSync, utimesSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openFilesystemAssets } from '../../infra/filesystem/assets.ts';
import { filesProjection } from '../../projections/files.ts';
import type { Assets } from '../../src/kernel/ports/assets.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { chunks } from '../support/assets/content.ts';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { useFaultIn } from '../support/api/projection-fault.ts';
import { fileRow, upload } from '../support/api/uploads.ts';
import { createLicense, issueKey } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';
import { callCommand, expectCode } from '../support/processes/command-process.ts';
import { useDirectories } from '../support/directories.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { caughtUp, until } from '../support/processes/waits.ts';

const CDN = '/api/v1/cdn';

/** Files are on disk, where a test may look at them, whatever servers there are. */
const ON_DISK = { S3_BUCKET: '' };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Keys of everything in the store of files but the notes of recorded uploads. */
async function storedIn(assets: Assets): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of assets.list('')) if (!key.startsWith('recorded/')) keys.push(key);
  return keys;
}

/** Makes all files below a directory as old as that. */
function makeOld(directory: string, ageMs: number): void {
  const then = new Date(Date.now() - ageMs);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), then, then);
  }
}

const DAY_MS = 86_400_000;

/** The day, as `removed/<day>/…` has it, so many days ago. */
const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** A key without the `removed/<day>/` of what was set aside. */
const withoutDay = (key: string): string => key.replace(/^removed\/[^/]+\//, '');

async function putOld(assets: Assets, key: string, text: string): Promise<void> {
  await assets.put({ key, contentType: 'image/png', ...chunks(text) });
}

describe('API: uploaded files', () => {
  const api = useService(ON_DISK);
  let assets: Assets;
  let a: Awaited<ReturnType<typeof createLicense>>;
  let b: typeof a;
  before(async () => {
    assets = await openFilesystemAssets(join(api.service.dataDir, 'assets'));
    a = await createLicense(api.admin);
    b = await createLicense(api.admin);
  });

  async function shows(key: string, text: string): Promise<void> {
    expect((await api.anyone.get(`/cdn/${key}`)).text, key).to.equal(text);
    expect(await fileRow(api.admin, key)).to.include({ sha256: sha256(text), size: text.length });
  }

  async function succeeds(by: Client, key: string, text: string): Promise<void> {
    expect(expectStatus(await upload(by, key, text), 201).text).to.equal('Success');
    await shows(key, text);
  }

  async function refused(by: Client, key: string): Promise<void> {
    const before = await api.anyone.get(`/cdn/${key}`);
    expect(expectProblem(await upload(by, key, 'not yours'), 403).type).to.equal('urn:problem-type:not-yours');
    const after = await api.anyone.get(`/cdn/${key}`);
    expect([after.status, after.text, after.headers.get('etag')]).to.deep.equal([
      ...[before.status, before.text, before.headers.get('etag')],
    ]);
  }

  it('are listed once each, with their current bytes and the owner of the name', async () => {
    await succeeds(a.manager, 'LOGO/row/one.svg', 'first');
    const first = await fileRow(b.manager, 'LOGO/row/one.svg');
    expect(first).to.deep.equal({
      id: first.id,
      key: 'LOGO/row/one.svg',
      type: 'LOGO',
      name: 'row/one.svg',
      mediaType: 'image/svg+xml',
      size: 5,
      sha256: sha256('first'),
      licenseId: a.licenseId,
      createdAt: first.createdAt,
      updatedAt: first.createdAt,
    });
    await succeeds(a.manager, 'LOGO/row/one.svg', 'second');
    const second = await fileRow(b.manager, 'LOGO/row/one.svg');
    expect(second).to.deep.equal({ ...first, size: 6, sha256: sha256('second'), updatedAt: second.updatedAt });
    expect(textOf(second, 'updatedAt') > textOf(first, 'updatedAt')).to.equal(true);
    expect(await b.manager.read(`${CDN}/${idOf(first)}`)).to.deep.equal(second);
  });

  it('are listed, in pages too, by licence and by type', async () => {
    await succeeds(a.manager, 'TRACK/listed.png', 'a');
    await succeeds(b.manager, 'TRACK/listed-too.png', 'b');
    const filters = { type: 'TRACK', licenseId: b.licenseId };
    for (const chosen of [{ type: 'TRACK' }, { licenseId: filters.licenseId }, filters]) {
      const query = new URLSearchParams(chosen).toString();
      const rows = await a.manager.list(`${CDN}?${query}`);
      expect(rows, query).not.to.be.empty;
      for (const row of rows) expect(row).to.include(chosen);
      const page = await a.manager.read(`${CDN}/paged?${query}&size=1000`);
      const keys = (page.content as readonly JsonObject[]).map((row) => textOf(row, 'key'));
      expect(keys, 'sorted by key').to.deep.equal(rows.map((row) => textOf(row, 'key')).sort());
    }
    expectProblem(await a.manager.get(`${CDN}?type=FLAG`), 400);
    expectProblem(await api.anyone.get(CDN), 401);
  });

  it('belong to the licence of the first upload, whichever key replaces them', async () => {
    await succeeds(a.manager, 'LOGO/owned.png', 'of a');
    await refused(b.manager, 'LOGO/owned.png');
    const another = (await issueKey(a.manager, 'CRUD')).client;
    await succeeds(another, 'LOGO/owned.png', 'by another key');
    await succeeds(api.admin, 'LOGO/owned.png', 'by ADMIN');
    const operator = (await issueKey(api.admin, 'CRUD')).client;
    await succeeds(operator, 'LOGO/owned.png', 'by the operator');
    expect(await fileRow(api.admin, 'LOGO/owned.png')).to.include({ licenseId: a.licenseId });
    await refused(b.manager, 'LOGO/owned.png');
    await succeeds(a.manager, 'LOGO/owned.png', 'of a again');
  });

  it('are shared when an ADMIN key or the root licence made them, whichever key replaces them', async () => {
    const operator = (await issueKey(api.admin, 'CRUD')).client;
    for (const [key, creator] of [
      ['LOGO/shared.png', api.admin],
      ['LOGO/shared-too.png', operator],
    ] as const) {
      await succeeds(creator, key, 'shared');
      for (const one of [a, b]) await succeeds(one.manager, key, `by ${one.licenseId}`);
      expect(await fileRow(api.admin, key)).to.include({ licenseId: null });
    }
  });

  it('belong to one of two licences that upload the same name at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = `LOGO/race/${round}.png`;
      const uploads = [a, b].flatMap((one) => [1, 2].map((n) => [one, `${one.licenseId} ${n}`] as const));
      const answers = await Promise.all(uploads.map(([by, text]) => upload(by.manager, key, text)));
      const { licenseId } = await fileRow(api.admin, key);
      const won = uploads.filter((_, n) => answers[n]?.status === 201);
      expect(new Set(won.map(([by]) => by.licenseId))).to.deep.equal(new Set([licenseId]));
      for (const [n, answer] of answers.entries())
        if (uploads[n]?.[0]?.licenseId !== licenseId) expectProblem(answer, 403);
      const { text } = await api.anyone.get(`/cdn/${key}`);
      expect(won.map(([, sent]) => sent)).to.include(text);
      await shows(key, text);
    }
  });

  it('leave no bytes of replaced or refused uploads', async () => {
    const before = await storedIn(assets);
    await succeeds(a.manager, 'LOGO/once.png', '1');
    await succeeds(a.manager, 'LOGO/once.png', '2');
    await refused(b.manager, 'LOGO/once.png');
    const after = await storedIn(assets);
    expect(after).to.have.length(before.length + 1);
  });

  it('show each upload in their history, with its key and its SHA-256', async () => {
    await succeeds(a.manager, 'LOGO/shown.png', '1');
    await succeeds(api.admin, 'LOGO/shown.png', '22');
    const id = idOf(await fileRow(api.admin, 'LOGO/shown.png'));
    const history = await a.manager.list(`${CDN}/${id}/history`);
    expect(history.map(({ type, licenseId }) => [type, licenseId === a.licenseId])).to.deep.equal([
      ['FileUploaded', true],
      ['FileUploaded', false],
    ]);
    expect(history.map(({ changes }) => changes)).to.deep.equal([
      [
        { field: 'type', from: null, to: 'LOGO' },
        { field: 'name', from: null, to: 'shown.png' },
        { field: 'mediaType', from: null, to: 'image/png' },
        { field: 'size', from: null, to: 1 },
        { field: 'sha256', from: null, to: sha256('1') },
      ],
      [
        { field: 'size', from: 1, to: 2 },
        { field: 'sha256', from: sha256('1'), to: sha256('22') },
      ],
    ]);
    expect(
      history.map(({ keyPrefix }) => typeof keyPrefix),
      'the key of ADMIN is not for others',
    ).to.deep.equal(['string', 'object']);
  });

  it('stay unchanged when the same bytes are uploaded again, even if the stored bytes were lost', async () => {
    await succeeds(a.manager, 'LOGO/same.png', 'same');
    const row = await fileRow(api.admin, 'LOGO/same.png');
    const count = (await storedIn(assets)).length;
    await succeeds(a.manager, 'LOGO/same.png', 'same');
    expect(await fileRow(api.admin, 'LOGO/same.png')).to.deep.equal(row);
    expect(await storedIn(assets)).to.have.length(count);
    for (const key of await storedIn(assets)) if (key.includes(idOf(row))) await assets.remove(key);
    expectProblem(await api.anyone.get('/cdn/LOGO/same.png'), 404);
    await succeeds(a.manager, 'LOGO/same.png', 'same');
  });

  it('have no owner if they predate their events, until ADMIN replaces them; then they are shared', async () => {
    await putOld(assets, 'LOGO/old/a.png', 'old');
    await refused(a.manager, 'LOGO/old/a.png');
    expect((await api.anyone.get('/cdn/LOGO/old/a.png')).text).to.equal('old');
    await succeeds(api.admin, 'LOGO/old/a.png', 'new');
    expect(await fileRow(api.admin, 'LOGO/old/a.png')).to.include({ licenseId: null });
    expect(await storedIn(assets)).not.to.include('LOGO/old/a.png');
    await succeeds(b.manager, 'LOGO/old/a.png', 'by b');
  });
});

function isSetAside(key: string): boolean {
  return key.startsWith('removed/');
}

describe('API: bytes of uploads that were killed', () => {
  const api = useService(ON_DISK);

  it('are set aside after a day and removed a week later; bytes of files, of other histories and without an owner stay', async () => {
    const directory = join(api.service.dataDir, 'assets');
    const assets = await openFilesystemAssets(directory);
    expectStatus(await upload(api.admin, 'LOGO/a.png', 'a'), 201);
    const [current = ''] = await storedIn(assets);
    const beside = current.replace(/[^/]+$/, 'left');
    const ofNoFile = current.replace(/[^/]+\/[^/]+$/, '00000000-0000-5000-8000-000000000000/left');
    const ofOther = ['files/another-history/file/upload', 'LOGO/old.png', 'something/else'];
    const removable = [beside, ofNoFile, 'LOGO/a.png'];
    for (const key of [...removable, ...ofOther]) await putOld(assets, key, key);
    const all = [...removable, current, ...ofOther];
    // A service searches from its start until it is closed.
    for (let times = 0; times < 2; times += 1) await api.restart();
    expect(await storedIn(assets), 'an upload may be under way').to.have.members(all);
    makeOld(directory, 2 * DAY_MS);
    await api.restart();
    const left = await until(
      () => storedIn(assets),
      // A listing beside a move may have a key at both places.
      (keys) => keys.length === all.length && keys.filter(isSetAside).length === removable.length,
    );
    expect(left.map(withoutDay)).to.have.members(all);
    expect(left).to.include.members([current, ...ofOther]);
    for (const key of removable) {
      expect((await assets.get(key))?.size, key).to.equal(undefined);
      expect(api.service.log.join(''), key).to.include(JSON.stringify(key));
    }
    expect((await api.admin.get('/cdn/LOGO/a.png')).text).to.equal('a');
    expectProblem(await api.admin.get(`/cdn/removed/${dayAgo(0)}/LOGO/a.png`), 404);

    for (const key of left.filter(isSetAside)) {
      await assets.move(key, `removed/${dayAgo(8)}/${withoutDay(key)}`);
    }
    await assets.move(`removed/${dayAgo(8)}/${beside}`, `removed/${dayAgo(7)}/${beside}`);
    await putOld(assets, `removed/${dayAgo(8)}/files/another-history/file/upload`, 'of another history');
    await api.restart();
    const kept = await until(
      () => storedIn(assets),
      ({ length }) => length === ofOther.length + 3,
    );
    expect(kept).to.have.members([
      ...[current, ...ofOther, `removed/${dayAgo(7)}/${beside}`],
      `removed/${dayAgo(8)}/files/another-history/file/upload`,
    ]);
  });
});

describe('API: files after a restore of older events beside the same store of files', () => {
  const directory = useDirectories();

  const KEPT = 'The store of files holds uploads that are missing in the events; their bytes are kept';

  /** Uploads files of these names, each with its name as its text. */
  async function uploadAll(client: Client, ...keys: readonly string[]): Promise<void> {
    for (const key of keys) expectStatus(await upload(client, key, key), 201);
  }

  it('are all there again when the newer events come back, however old they are', async () => {
    const root = directory();
    const dirs = { first: join(root, 'first'), older: join(root, 'older'), newer: join(root, 'newer') };
    const backUp = (from: string, to: string) => expectCode(0, callCommand(['backup', to], { DATA_DIR: from }));
    /** Restores a backup, beside the files of the directory in use until now. */
    const restoreBeside = async (backup: string, used: string, to: string): Promise<void> => {
      await expectCode(0, callCommand(['restore', backup, to], {}));
      await rm(join(to, 'assets'), { recursive: true });
      await rename(join(used, 'assets'), join(to, 'assets'));
      makeOld(join(to, 'assets'), 3 * DAY_MS);
    };
    const settings = (dataDir: string) => ({ ...ON_DISK, DATA_DIR: dataDir, LOG_LEVEL: 'info' });
    const untilLogged = (log: readonly string[], text: string) =>
      until(
        async () => log.join(''),
        (all) => all.includes(text),
      );
    const late = ['LOGO/late-1.png', 'LOGO/late-2.png', 'TRACK/late/3.svg'];

    const all = await withServiceHere(settings(dirs.first), async ({ admin }) => {
      await uploadAll(admin, 'LOGO/both.png');
      await backUp(dirs.first, dirs.older);
      await uploadAll(admin, ...late);
      expectStatus(await upload(admin, 'LOGO/late-1.png', 'replaced'), 201);
      expectStatus(await upload(admin, 'LOGO/both.png', 'replaced, too'), 201);
      await backUp(dirs.first, dirs.newer);
      return storedIn(await openFilesystemAssets(join(dirs.first, 'assets')));
    });

    const second = join(root, 'second');
    await restoreBeside(dirs.older, dirs.first, second);
    const assets = await openFilesystemAssets(join(second, 'assets'));
    const killed = all[0]?.replace(/[^/]+$/, 'killed') ?? '';
    await putOld(assets, killed, 'killed');
    makeOld(join(second, 'assets'), 3 * DAY_MS);
    await withServiceHere(settings(second), async ({ admin, log }) => {
      await untilLogged(log, KEPT);
      const found = await storedIn(assets);
      expect(found).to.include.members(all);
      expect(found.map(withoutDay), 'what no event ever named').to.have.members([...all, killed]);
      expect(found).not.to.include(killed);
      expect(log.join('')).to.include(JSON.stringify(killed));
      // The older history goes on.
      expectStatus(await upload(admin, 'LOGO/late-2.png', 'of the older'), 201);
      expectStatus(await upload(admin, 'LOGO/new.png', 'of the older'), 201);
      expect(await storedIn(assets)).to.include.members(all);
    });
    makeOld(join(second, 'assets'), 3 * DAY_MS);
    await withServiceHere(settings(second), async ({ log }) => {
      await untilLogged(log, KEPT);
      expect(await storedIn(assets)).to.include.members(all);
    });

    const third = join(root, 'third');
    await restoreBeside(dirs.newer, second, third);
    const back = await openFilesystemAssets(join(third, 'assets'));
    // As a service would that has never seen the newer events.
    const [aside = ''] = all;
    await back.move(aside, `removed/${dayAgo(2)}/${aside}`);
    await withServiceHere(settings(third), async ({ admin, log }) => {
      await caughtUp(admin);
      const texts = {
        'LOGO/late-1.png': 'replaced',
        'LOGO/late-2.png': 'LOGO/late-2.png',
        'TRACK/late/3.svg': 'TRACK/late/3.svg',
        'LOGO/both.png': 'replaced, too',
      };
      for (const [key, text] of Object.entries(texts)) {
        expect(expectStatus(await admin.get(`/cdn/${key}`), 200).text, key).to.equal(text);
      }
      await untilLogged(log, 'The bytes of a file that were set aside are back');
      expect(await storedIn(back)).to.include(aside);
    });
  }).timeout(120_000);
});

describe('API: files on another server', () => {
  const fault = useFaultIn(filesProjection, ['FileUploaded'], () => {
    throw new Error('cannot project such a file');
  });
  const api = useService({ ...ON_DISK, CDN_BASE_URL: 'https://files.example/base' });

  it('are redirected to the current bytes', async () => {
    const locationOf = async (key: string) => (await api.anyone.get(`/cdn/${key}`)).header('location');
    expect(await locationOf('LOGO/old.png'), 'it may be older than the events').to.equal(
      'https://files.example/base/LOGO/old.png',
    );
    expectStatus(await upload(api.admin, 'LOGO/a.png', '1'), 201);
    const first = await locationOf('LOGO/a.png');
    const assets = await openFilesystemAssets(join(api.service.dataDir, 'assets'));
    expect(await storedIn(assets)).to.deep.equal([first.replace('https://files.example/base/', '')]);
    expectStatus(await upload(api.admin, 'LOGO/a.png', '2'), 201);
    expect(await locationOf('LOGO/a.png')).not.to.equal(first);
  });

  it('are redirected to existing bytes, even if the read models are behind the upload', async () => {
    expectStatus(await upload(api.admin, 'LOGO/behind.png', '1'), 201);
    const assets = await openFilesystemAssets(join(api.service.dataDir, 'assets'));
    fault.on = true;
    try {
      await upload(api.admin, 'LOGO/behind.png', '2');
      const location = (await api.anyone.get('/cdn/LOGO/behind.png')).header('location');
      expect(await storedIn(assets)).to.include(location.replace('https://files.example/base/', ''));
    } finally {
      fault.on = false;
    }
  });

  it('are redirected for GET and HEAD with each part of the name encoded, unless no file can have the name', async () => {
    const names = {
      'gt3/acc.png': 'gt3/acc.png',
      '%252e%252e': '%252e%252e',
      'a%20b%3F%23%26.png': 'a%20b%3F%23%26.png',
      '%C3%BC.png': '%C3%BC.png',
      'x%2Fy': 'x/y',
    };
    for (const method of ['GET', 'HEAD']) {
      for (const [asked, expected] of Object.entries(names)) {
        const answer = expectStatus(await api.anyone.send(method, `/cdn/LOGO/${asked}`), 302);
        expect(answer.header('location')).to.equal(`https://files.example/base/LOGO/${expected}`);
        expect(answer.header('cache-control')).to.equal('public, no-cache');
      }
    }
    for (const path of ['NOPE/a.png', 'LOGO/', 'LOGO//a', 'LOGO/x%2f..%2fa', 'LOGO/%5Cx'])
      expect((await api.anyone.get(`/cdn/${path}`)).status, path).to.be.oneOf([400, 404]);
  });
});

// `upload-room.test.ts` has what is counted.
describe('API: room for uploads', () => {
  const of = (bytes: number): string => 'x'.repeat(bytes);
  const api = useService({ ...ON_DISK, UPLOAD_LICENSE_BYTES: '1000', UPLOAD_TOTAL_BYTES: '1500' });

  async function refusedFor(client: Client, key: string, bytes: number): Promise<void> {
    const problem = expectProblem(await upload(client, key, of(bytes)), 507);
    expect(problem.type).to.equal('urn:problem-type:insufficient-storage');
  }

  it('is limited for each licence, also for many at once and after a restart, and by the disk', async () => {
    const { manager } = await createLicense(api.admin);
    const all = await Promise.all(Array.from({ length: 12 }, (_, n) => upload(manager, `LOGO/${n}.png`, of(150))));
    expect(all.map(({ status }) => status).sort()).to.deep.equal([
      ...Array.from({ length: 6 }, () => 201),
      ...Array.from({ length: 6 }, () => 507),
    ]);
    const kept = all.findIndex(({ status }) => status === 201);
    await api.restart();
    const again = api.admin.as(manager.token);
    await refusedFor(again, 'LOGO/more.png', 101);
    await refusedFor(again, `LOGO/${kept}.png`, 251);
    expect((await api.admin.get(`/cdn/LOGO/${kept}.png`)).text, 'as it was').to.equal(of(150));
    expectStatus(await upload(again, 'LOGO/more.png', of(100)), 201);
    await refusedFor(api.admin, 'LOGO/of-all.png', 501);
    await refusedFor(again, 'LOGO/large.png', 200_000);
    // What ADMIN puts in its place is not the licence's any more.
    expectStatus(await upload(api.admin, `LOGO/${kept}.png`, of(140)), 201);
    expectStatus(await upload(again, 'LOGO/freed.png', of(150)), 201);
    await refusedFor(again, 'LOGO/freed.png', 151);
    await api.restart({ UPLOAD_KEEPS_FREE_BYTES: '500000000000000' });
    await refusedFor(api.admin, 'LOGO/1.png', 1);
  });
});
