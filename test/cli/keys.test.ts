import { expect } from 'chai';
import { callCommand, runCommand } from '../support/processes/command-process.ts';
import { World } from '../support/processes/world.ts';

describe('sim-racing-timing keys', () => {
  const world = new World();
  let dataDir = '';
  beforeEach(() => {
    dataDir = world.directory();
  });
  afterEach(() => world.clean());

  it('issues an ADMIN key beside a service, which knows it at once, and records who did', async () => {
    const { admin } = await world.service({ dataDir });
    const { code, out, err } = await runCommand(['keys', 'issue', '--role', 'ADMIN', '--name', 'Way back'], {
      DATA_DIR: dataDir,
    });
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(out).to.match(/^srt_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}\n$/);
    const keys = await admin.as(out.trim()).list('/api/v1/api-keys');
    expect(keys.find(({ name }) => name === 'Way back')).to.include({ role: 'ADMIN', enabled: true });
    const history = await callCommand(['events', '--type', 'ApiKeyIssued'], { DATA_DIR: dataDir });
    expect(history.out).to.match(/"correlationId":"cli:[^@"]+@[^"]+"/);
    expect(history.out).not.to.include(out.trim().slice(13));
  });

  it('refuses what is wrong, and a licence that there is not', async () => {
    await world.service({ dataDir });
    const keys = (...args: readonly string[]) => callCommand(['keys', ...args], { DATA_DIR: dataDir });
    for (const args of [
      [],
      ['issue'],
      ['issue', '--role', 'admin'],
      ['issue', '--role', 'R', '--name', 'ab'],
      ['revoke'],
    ]) {
      expect(await keys(...args)).to.include({ code: 2, out: '' });
    }
    const nowhere = await keys('issue', '--role', 'R', '--license', '00000000-0000-7000-8000-0000000000ff');
    expect(nowhere).to.include({ code: 1, out: '' });
    expect(nowhere.err).to.include('there is no licence');
  });
});
