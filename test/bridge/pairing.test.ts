import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { textOf } from '../support/api/client.ts';
import { useVenue } from '../support/api/with-service.ts';
import { callCommand } from '../support/processes/command-process.ts';
import { useWorld } from '../support/processes/world.ts';
import { CAPTURES, captureBytes } from './captures.ts';

/** The bits of a file's mode that say who may read and write it. */
const PERMISSIONS = 0o777;

describe('a bridge that is paired', () => {
  const api = useVenue();
  const world = useWorld();

  const codeFor = async (name: string): Promise<string> =>
    textOf(await api.venue.manager.create('/api/v1/rig-pairings', { name }), 'code');
  const pair = (code: string, dir: string) =>
    callCommand(['bridge', '--pair', code, '--server', api.service.url, '--dir', dir]);
  const stored = (dir: string): { readonly rigId: string; readonly key: string } =>
    JSON.parse(readFileSync(join(dir, 'bridge.json'), 'utf8'));

  it('is a rig of the venue, whose key only its user may read, and sends laps without further settings', async () => {
    const dir = world.directory();
    const done = await pair(await codeFor('Corner rig'), dir);
    expect(done, done.err).to.include({ code: 0, err: '' });
    expect(done.out).to.match(/^This machine is Corner rig \(rig [\da-f-]{36}\) now\./);
    if (process.platform !== 'win32') {
      expect(statSync(join(dir, 'bridge.json')).mode & PERMISSIONS).to.equal(0o600);
    }
    const { rigId, key } = stored(dir);
    expect(done.out).not.to.include(key);
    const rig = await api.venue.manager.read(`/api/v1/rigs/${rigId}`);
    expect(rig).to.include({ name: 'Corner rig', licenseId: api.venue.licenseId });
    const capture = join(dir, 'capture.gz');
    writeFileSync(capture, captureBytes(CAPTURES.acc.records));
    const sent = await callCommand(['bridge', '--game', 'acc', '--replay', capture, '--speed', '1000', '--dir', dir]);
    expect(sent.err, 'the key works: only mappings are missing').to.include('laps wait');
  });

  it('takes a code as people type it, and each code once', async () => {
    const code = await codeFor('Typed');
    const typed = `${code.slice(0, 4).toLowerCase()} ${code.slice(4)}`;
    expect((await pair(typed, world.directory())).code).to.equal(0);
    const again = await pair(code, world.directory());
    expect(again).to.include({ code: 1, out: '' });
    expect(again.err).to.match(/^This code does not exist, has expired, or has been used\./);
  });

  it('is the same rig when it lost the answer, or the key before it was kept', async () => {
    const dir = world.directory();
    const code = await codeFor('Cut off');
    // What a crash leaves: the attempt, and no key.
    const attempt = { server: api.service.url, code, hardwareId: 'bridge-cut-off', requestKey: 'pairing-cut-off' };
    const headers = { 'Idempotency-Key': attempt.requestKey };
    const body = { code, hardwareId: attempt.hardwareId };
    const answer = await api.anyone.post('/api/v1/rig-pairings/redemption', body, headers);
    expect(answer.status).to.equal(201);
    writeFileSync(join(dir, 'pairing-attempt.json'), JSON.stringify(attempt));
    const done = await pair(code, dir);
    expect(done, done.err).to.include({ code: 0 });
    expect(stored(dir).rigId).to.equal(textOf(answer.body, 'rig', 'id'));
  });

  it('is not paired twice, nor without an address', async () => {
    const dir = world.directory();
    expect((await pair(await codeFor('First'), dir)).code).to.equal(0);
    const before = readFileSync(join(dir, 'bridge.json'), 'utf8');
    const again = await pair(await codeFor('Second'), dir);
    expect(again.code).to.equal(1);
    expect(again.err).to.match(/^This machine is rig .* already\. To pair it anew, delete .*bridge\.json\.$/m);
    expect(readFileSync(join(dir, 'bridge.json'), 'utf8')).to.equal(before);
    const nowhere = await callCommand(['bridge', '--pair', 'ABCDEFGH']);
    expect(nowhere.code).to.equal(2);
    expect(nowhere.err).to.include('--server is missing');
  });
});
