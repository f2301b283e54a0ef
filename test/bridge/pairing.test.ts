import { mkdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { bridgePlaces, readPairing } from '../../src/clients/bridge/config.ts';
import { idOf, textOf } from '../support/api/client.ts';
import { works } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { callCommand, expectRefusedUses, startCommand } from '../support/processes/command-process.ts';
import { useWorld } from '../support/processes/world.ts';

describe('a bridge that is paired', () => {
  const api = useVenue();
  const world = useWorld();

  const offer = async (name: string) => {
    const body = await api.venue.manager.create('/api/v1/rig-pairings', { name });
    return { id: idOf(body), code: textOf(body, 'code') };
  };

  const args = (code: string, directory: string, server = api.service.url) => {
    return ['bridge', '--pair', code, '--server', server, '--dir', directory];
  };

  const pairingIn = (directory: string) => readPairing(join(directory, 'bridge.json'));

  it('is a rig of the venue, and both ends see it', async () => {
    const { id, code } = await offer('By the door');
    const directory = world.directory();
    const running = startCommand(args(`${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`, directory));
    expect((await running.ended).code, running.err).to.equal(0);
    expect(running.out).to.include(`paired with ${api.service.url} as By the door`);
    const { rigId } = await api.venue.manager.read(`/api/v1/rig-pairings/${id}`);
    const pairing = pairingIn(directory);
    expect(pairing).to.include({ rigId, server: api.service.url });
    expect(await works(api.anyone.as(pairing?.key ?? ''))).to.equal(true);
    expect(running.out + running.err).not.to.include(pairing?.key);
    if (process.platform !== 'win32') {
      expect(statSync(join(directory, 'bridge.json')).mode & 0o777).to.equal(0o600);
      expect(statSync(join(directory, 'machine.json')).mode & 0o777).to.equal(0o600);
    }
  });

  it('keeps its key where programs keep their settings', async () => {
    const { code } = await offer('At home');
    const home = world.directory();
    const env = { XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'state') };
    const { code: exitCode, err } = await callCommand(['bridge', '--pair', code, '--server', api.service.url], env);
    expect(exitCode, err).to.equal(0);
    expect(readPairing(bridgePlaces(env, null, 'linux').pairingFile)).to.include({ server: api.service.url });
  });

  it('gets a key by the same code after its own was lost on the way to the disk', async () => {
    const { id, code } = await offer('Crashed');
    const directory = world.directory();
    // Nothing can take the place of a directory: the key that the service has sent is lost.
    mkdirSync(join(directory, 'bridge.json'));
    const lost = await callCommand(args(code, directory));
    expect(lost.code, lost.err).to.equal(1);
    const { rigId } = await api.venue.manager.read(`/api/v1/rig-pairings/${id}`);
    expect(rigId).to.be.a('string');
    rmdirSync(join(directory, 'bridge.json'));
    const again = await callCommand(args(code, directory));
    expect(again.code, again.err).to.equal(0);
    const pairing = pairingIn(directory);
    expect(pairing).to.include({ rigId });
    expect(await works(api.anyone.as(pairing?.key ?? ''))).to.equal(true);
  });

  it('says that a code is wrong, and keeps the pairing that it has', async () => {
    const { code } = await offer('Kept');
    const directory = world.directory();
    expect((await callCommand(args(code, directory))).code).to.equal(0);
    const kept = readFileSync(join(directory, 'bridge.json'), 'utf8');
    const wrong = await callCommand(args('AAAA-BBBB', directory));
    expect(wrong).to.deep.equal({
      code: 1,
      out: '',
      err: 'The code AAAA-BBBB is wrong, was used, or is over. This machine is paired with the service already.\n',
    });
    const another = await offer('Twice');
    const twice = await callCommand(args(another.code, directory));
    expect(twice.code).to.equal(1);
    expect(twice.err).to.match(/^This machine is a rig of http:\S+ already: .*\n$/);
    expect(readFileSync(join(directory, 'bridge.json'), 'utf8')).to.equal(kept);
    // That code was not used up.
    const other = await callCommand(args(another.code, world.directory()));
    expect(other.code, other.err).to.equal(0);
  });

  it('does not wait until wrong codes may be sent again, nor for a service that is not there', async () => {
    const busy = createServer((_, answer) => {
      answer.writeHead(429, { 'Retry-After': '500', 'Content-Type': 'application/problem+json' }).end('{}');
    });
    const port = await new Promise<number>((resolve) => {
      busy.listen(0, '127.0.0.1', () => {
        const address = busy.address();
        resolve(address !== null && typeof address === 'object' ? address.port : 0);
      });
    });
    const server = `http://127.0.0.1:${port}`;
    const tooMany = await callCommand(args('AAAABBBB', world.directory(), server));
    expect(tooMany).to.deep.equal({
      code: 1,
      out: '',
      err: 'Too many wrong codes were sent to the service: try again in 9 min\n',
    });
    busy.closeAllConnections();
    await new Promise((resolve) => {
      busy.close(resolve);
    });
    const absent = await callCommand(args('AAAABBBB', world.directory(), server));
    expect(absent.code).to.equal(1);
    expect(absent.err).to.include(`${server} does not answer (ECONNREFUSED)`);
  });

  it('refuses wrong uses', () =>
    expectRefusedUses('bridge', [
      [/--server is missing/, ['--pair', 'AAAABBBB']],
      [/is not the address of a service/, ['--pair', 'AAAABBBB', '--server', 'timing']],
      [/--pair takes the code/, ['--pair', ' ', '--server', api.service.url]],
      [/--pair comes first/, ['--pair', 'AAAABBBB', '--server', api.service.url, '--game', 'f1']],
    ]));
});
