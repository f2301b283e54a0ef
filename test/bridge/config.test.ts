import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { bridgePlaces, readKeyFile, readPairing, writePairing } from '../../src/clients/bridge/config.ts';
import { useWorld } from '../support/processes/world.ts';

const PAIRING = { server: 'https://timing.example.org', rigId: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e12', key: 'srt_abc' };

describe('the configuration of a bridge', () => {
  const world = useWorld();

  it('is where programs keep theirs, or all in one directory', () => {
    const env = { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' };
    expect(bridgePlaces(env, null, 'linux')).to.deep.equal({
      pairingFile: '/c/sim-racing-timing/bridge.json',
      dataDirectory: '/s/sim-racing-timing',
    });
    const windows = bridgePlaces({ LOCALAPPDATA: 'local' }, null, 'win32');
    expect(windows.dataDirectory).to.equal(join('local', 'sim-racing-timing'));
    expect(windows.pairingFile).to.equal(join('local', 'sim-racing-timing', 'bridge.json'));
    expect(bridgePlaces(env, '/d')).to.deep.equal({ pairingFile: '/d/bridge.json', dataDirectory: '/d' });
  });

  it('has the pairing in a file that only its user reads', () => {
    const path = join(world.dataDir, 'folder', 'bridge.json');
    expect(readPairing(path)).to.equal(null);
    writePairing(path, PAIRING);
    expect(readPairing(path)).to.deep.equal(PAIRING);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it('says what is wrong with a file', () => {
    const path = join(world.directory(), 'bridge.json');
    for (const [text, reason] of [
      ['{', /bridge\.json cannot be read: it is no JSON/],
      ['{}', /bridge\.json cannot be read: server: /],
      [JSON.stringify({ ...PAIRING, server: 'ftp://x' }), /bridge\.json cannot be read: server: /],
    ] as const) {
      writeFileSync(path, text);
      expect(() => readPairing(path)).to.throw(reason);
    }
    writeFileSync(path, 'two words');
    expect(() => readKeyFile(path)).to.throw(/holds no key/);
  });

  it('takes a key from a file with a token, or from that of a pairing', () => {
    const path = join(world.directory(), 'key');
    writeFileSync(path, 'srt_abc\r\n');
    expect(readKeyFile(path)).to.deep.equal({ key: 'srt_abc', rigId: null });
    writeFileSync(path, JSON.stringify(PAIRING));
    expect(readKeyFile(path)).to.deep.equal({ key: PAIRING.key, rigId: PAIRING.rigId });
  });
});
