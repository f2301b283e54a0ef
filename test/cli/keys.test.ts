import { expect } from 'chai';
import { callCommand, expectCode, runCommand } from '../support/processes/command-process.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { caughtUp, until } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';

describe('sim-racing-timing keys', () => {
  const world = useWorld();
  const keys = (...args: readonly string[]) => callCommand(['keys', ...args], { DATA_DIR: world.dataDir });

  it('issues an ADMIN key that a running service accepts at once, and records who issued it', async () => {
    const args = ['keys', 'issue', '--role', 'ADMIN', '--name', 'Way back'];
    const out = await withServiceHere(world.dataDir, async ({ admin }) => {
      const issued = await runCommand(args, { DATA_DIR: world.dataDir });
      expect(issued).to.include({ code: 0, err: '' });
      expect(issued.out).to.match(/^srt_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}\n$/);
      const way = admin.as(issued.out.trim());
      expect((await way.get('/api/v1/licenses/current')).status).to.equal(200);
      await caughtUp(admin);
      const shown = await way.list('/api/v1/api-keys');
      expect(shown.find(({ name }) => name === 'Way back')).to.include({ role: 'ADMIN', enabled: true });
      return issued.out;
    });
    const history = await callCommand(['events', '--type', 'ApiKeyIssued'], { DATA_DIR: world.dataDir });
    expect(history.out).to.match(/"correlationId":"cli:[^@"]+@[^"]+"/);
    expect(history.out).not.to.include(out.trim().slice(13));
  });

  it('lists keys without their tokens, and revokes one that a running service refuses at once', async () => {
    await withServiceHere(world.dataDir, async ({ admin }) => {
      const { out } = await keys('issue', '--role', 'CRUD', '--name', 'Leaked', '--json');
      const { id, token } = JSON.parse(out) as { readonly id: string; readonly token: string };
      expect((await admin.as(token).get('/api/v1/rigs')).status).to.equal(200);
      const listed = await keys('list');
      expect(listed.out).to.match(new RegExp(`^${id}  CRUD   enabled .* Leaked$`, 'm'));
      expect(listed.out).not.to.contain(token);
      expect((await keys('list', '--license', id)).out).to.equal('');
      expect(await keys('revoke', id)).to.include({ code: 0, out: `${id} is revoked\n` });
      await until(
        // Not the streamed list: what is being sent when the key ends is cut off.
        async () => (await admin.as(token).get('/api/v1/rigs/paged')).status,
        (status) => status === 401,
      );
      expect((await keys('list', '--json')).out).to.match(new RegExp(`"id":"${id}","role":"CRUD","enabled":false`));
      await expectCode(1, keys('revoke', token.slice(0, 12)));
    });
  });

  it('refuses wrong usage, and an unknown licence', async () => {
    await withServiceHere(world.dataDir, () => Promise.resolve());
    for (const args of [
      [],
      ['issue'],
      ['issue', '--role', 'admin'],
      ['issue', '--role', 'R', '--name', 'ab'],
      ['revoke'],
      ['list', 'all'],
      ['issue', 'ADMIN'],
    ]) {
      expect(await keys(...args)).to.include({ code: 2, out: '' });
    }
    const nowhere = await keys('issue', '--role', 'R', '--license', '00000000-0000-7000-8000-0000000000ff');
    expect(nowhere).to.include({ code: 1, out: '' });
    expect(nowhere.err).to.include('there is no licence');
  });
});
