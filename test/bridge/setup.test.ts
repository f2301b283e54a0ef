import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { bridgePlaces, readPairing } from '../../src/clients/bridge/config.ts';
import { startsWithWindows, startupScript, startWithWindows } from '../../src/clients/bridge/start-with-windows.ts';
import { idOf, textOf } from '../support/api/client.ts';
import { useVenue } from '../support/api/with-service.ts';
import { useDirectories } from '../support/directories.ts';
import { execArgv } from '../support/processes/script.ts';
import { Running, useWorld } from '../support/processes/world.ts';

const PROGRAM = fileURLToPath(new URL(`../../src/timing-bridge${extname(import.meta.url)}`, import.meta.url));

describe('a bridge that is started by a double click', () => {
  const api = useVenue();
  const world = useWorld();

  const offer = async (name: string) => {
    const body = await api.venue.manager.create('/api/v1/rig-pairings', { name });
    return { id: idOf(body), code: textOf(body, 'code') };
  };

  const environmentOf = (home: string) => {
    return { XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'state') };
  };

  /** Starts it without arguments; what is typed is written at once, and its window stays open. */
  const start = (home: string, typed: readonly string[]): Running => {
    const env = { PATH: process.env['PATH'] ?? '', ...environmentOf(home) };
    const child = spawn(process.execPath, [...execArgv, PROGRAM], { stdio: ['pipe', 'pipe', 'pipe'], env });
    child.stdin.write(typed.map((line) => `${line}\n`).join(''));
    return new Running(child, {});
  };

  it('asks for address, code and game, pairs the machine, and runs; the next time Enter is enough', async () => {
    const { id, code } = await offer('By the window');
    const home = world.directory();
    const first = start(home, [api.service.url, '', code, '2']);
    await first.said(/listens to acc/);
    expect(first.out).to.include('This is By the window now.').and.include('  2  Assetto Corsa Competizione');
    const { rigId } = await api.venue.manager.read(`/api/v1/rig-pairings/${id}`);
    const pairing = readPairing(bridgePlaces(environmentOf(home), null, 'linux').pairingFile);
    expect(pairing).to.include({ rigId, server: api.service.url });
    expect(first.out + first.err).not.to.include(pairing?.key);
    expect(await first.end('SIGTERM')).to.include({ code: 0 });

    const second = start(home, ['']);
    await second.said(/listens to acc/);
    expect(second.out).to.include(`paired with ${api.service.url}`).and.include('Its number [2]: ');
    expect(second.out).not.to.include('Address');
    expect(await second.end('SIGINT')).to.include({ code: 0 });
  });

  it('says what is wrong with an answer, and asks again', async () => {
    const { code } = await offer('Mistyped');
    const wrong = ['not an address', api.service.url, 'AAAABBBB'];
    const running = start(world.directory(), [...wrong, '', code, '0', 'forza', '2']);
    await running.said(/listens to acc/);
    expect(running.err)
      .to.include('"https://not an address" is not the address of a service')
      .and.include('The code AAAABBBB is wrong, was used, or is over.')
      .and.include('There is no 0 among them.')
      .and.include('There is no forza among them.');
    expect(running.out).to.include(`[${api.service.url}]: `);
    expect(await running.end('SIGTERM')).to.include({ code: 0 });
  });

  it('ends when its window is closed before everything is answered', async () => {
    const running = start(world.directory(), [api.service.url]);
    await running.said(/Code that/);
    running.child.stdin?.end();
    expect(await running.ended).to.include({ code: 1 });
    const interrupted = start(world.directory(), []);
    await interrupted.said(/Address/);
    expect(await interrupted.end('SIGINT')).to.include({ code: 130 });
  });

  it('keeps its window open until a failure was read', async () => {
    const { code } = await offer('Twice');
    const home = world.directory();
    const first = start(home, [api.service.url, code, '2']);
    await first.said(/listens to acc/);
    const second = start(home, ['']);
    await second.said(/Enter closes this window/);
    expect(second.err).to.include('Another bridge uses');
    second.child.stdin?.write('\n');
    expect(await second.ended).to.include({ code: 1 });
    expect(await first.end('SIGTERM')).to.include({ code: 0 });
  });

  it('is a command with arguments, under its own name', async () => {
    const run = (args: readonly string[]): Running =>
      new Running(spawn(process.execPath, [...execArgv, PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }), {});
    const list = run(['--list']);
    expect(await list.ended).to.include({ code: 0 });
    expect(list.out).to.include('20777');
    const wrong = run(['--nonsense']);
    expect(await wrong.ended).to.include({ code: 2 });
    expect(wrong.err).to.match(/^timing-bridge\.[jt]s: .*--nonsense.*; see timing-bridge\.[jt]s --help\n$/);
  });
});

describe('a bridge that starts with Windows', () => {
  const directory = useDirectories();

  it('has a script in the Startup folder of its user, whatever letters are in its path', () => {
    expect(startupScript({ APPDATA: 'C:\\Users\\Zoë\\AppData\\Roaming' })).to.equal(
      'C:\\Users\\Zoë\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\timing-bridge.cmd',
    );
    expect(startupScript({})).to.equal(null);
    const script = join(directory(), 'Startup', 'timing-bridge.cmd');
    const program = { command: ['C:\\Zoë 100%\\timing-bridge.exe'], args: ['--game', 'acc'] };
    expect(startsWithWindows(script, program)).to.equal(false);
    startWithWindows(script, program);
    expect(startsWithWindows(script, program)).to.equal(true);
    expect(startsWithWindows(script, { ...program, args: ['--game', 'f1'] })).to.equal(false);
    const lines = readFileSync(script, 'utf8').split('\r\n');
    expect(lines).to.include('chcp 65001 >nul');
    expect(lines).to.include('start "Timing bridge" /min "C:\\Zoë 100%%\\timing-bridge.exe" "--game" "acc"');
  });
});

describe('bridge.mjs', () => {
  const directory = useDirectories();

  it('is one file that needs nothing but Node', () => {
    const folder = directory();
    execFileSync(process.execPath, ['src/tools/build/build-bridge.js', 'mjs', folder], { stdio: 'ignore' });
    const file = join(folder, 'bridge.mjs');
    expect(execFileSync(process.execPath, [file, '--list'], { cwd: folder, encoding: 'utf8' })).to.include('20777');
    // Node's own modules, and nothing else.
    const imported = [...readFileSync(file, 'utf8').matchAll(/^import .*from "([^"]+)";$/gm)].map(
      ([, name = '']) => name,
    );
    expect(imported.filter((name) => !name.startsWith('node:'))).to.deep.equal([]);
    expect(readFileSync(file, 'utf8')).to.match(/\n\/\*\nzod \d/);
  });
});
