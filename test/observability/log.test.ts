import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { PoisonEvent } from '../../src/kernel/projection/unit-of-work.ts';
import { newEvent } from '../support/event-store/events.ts';
import { jsonLines } from '../support/json-lines.ts';
import { scriptFile } from '../support/processes/script.ts';
import { LogOutput, createLogger, type LogOptions } from '../../src/service/observability/log.ts';

const SECRET = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE';
const TOKEN = `srt_Ab3-_x9Z_${SECRET}`;

function capture(level: LogOptions['level'] = 'info') {
  const lines: string[] = [];
  return { log: createLogger({ level, destination: { write: (line) => lines.push(line) } }), lines };
}

function start(ending: string) {
  return spawn(process.execPath, [...process.execArgv, scriptFile('processes/log-process'), ending], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

async function outputOf(ending: string): Promise<string> {
  const child = start(ending);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  return output;
}

describe('log', () => {
  it('logs message and stack of an error, and nothing that it carries', () => {
    const { log, lines } = capture();
    const event = {
      ...newEvent('ParticipantRegistered', { lastName: 'Canary', email: 'canary@example.org' }),
      stream: 'participant-1',
      revision: 0,
      position: 7,
    };
    const cause = Object.assign(new TypeError('no such field'), { body: { phoneNumber: '+49 30 canary' } });
    log.error({ err: new PoisonEvent(event, null, cause) }, 'An event could not be projected');
    expect(JSON.parse(lines[0] ?? ''))
      .to.have.nested.property('err.message')
      .that.includes('position 7');
    expect(lines.join(''))
      .to.include('no such field')
      .and.not.to.match(/canary/i);
  });

  it('writes one JSON object per line, from its level on', () => {
    const { log, lines } = capture('warn');
    log.info('no');
    log.warn({ route: 'GET /x' }, 'yes\n');
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/^\{.*\}\n$/);
    expect(JSON.parse(lines[0] ?? '')).to.include({ level: 40, msg: 'yes\n', route: 'GET /x', pid: process.pid });
    const silent = capture('silent');
    silent.log.fatal('no');
    expect(silent.lines).to.be.empty;
  });

  it('strikes tokens out wherever they are, and leaves the prefix that identifies the key', () => {
    const { log, lines } = capture();
    log.info({ deep: [{ er: `a ${TOKEN} b` }], [TOKEN]: 1 }, `key ${TOKEN}.`);
    log.error(new Error(`bad key ${TOKEN}`));
    log.child({ token: TOKEN }).info('child');
    expect(lines.join('')).not.to.include(SECRET);
    expect(JSON.parse(lines[0] ?? '')).to.deep.include({
      msg: 'key srt_Ab3-_x9Z_[secret].',
      deep: [{ er: 'a srt_Ab3-_x9Z_[secret] b' }],
    });
    expect(lines[1]).to.include('bad key srt_Ab3-_x9Z_[secret]');
    log.info({ keyPrefix: 'srt_Ab3-_x9Z' });
    expect(lines[3]).to.include('"keyPrefix":"srt_Ab3-_x9Z"');
  });

  it('strikes out the headers that carry credentials, whatever their value', () => {
    const { log, lines } = capture();
    const headers = { 'x-api-key': 'any "quoted" \\ secret', host: 'h' };
    log.info({ req: { headers }, Authorization: 'Bearer secret', 'X-Api-Key': ['secret', 'secret'] });
    expect(JSON.parse(lines[0] ?? '')).to.deep.include({
      req: { headers: { 'x-api-key': '[secret]', host: 'h' } },
      Authorization: '[secret]',
      'X-Api-Key': '[secret]',
    });
  });

  for (const ending of ['exit', 'throw', 'return', 'kill']) {
    it(`loses no line when the process ends by ${ending}`, async () => {
      expect(jsonLines(await outputOf(ending))).to.have.length(ending === 'kill' ? 1_001 : 1_000);
    });
  }

  it('delays no request for a reader that stalls, and says how many lines were lost', async () => {
    const child = start('stall');
    // Nothing is read from its output until it has logged all.
    await once(child.stderr, 'data');
    const lost: unknown[] = [];
    let kept = 0;
    const all = (async () => {
      for await (const line of createInterface(child.stdout)) {
        const parsed: unknown = JSON.parse(line);
        if (typeof parsed === 'object' && parsed !== null && 'lost' in parsed) lost.push(parsed.lost);
        else kept += 1;
      }
    })();
    child.stdin.write('go on\n');
    await all;
    expect(lost).to.have.length(1);
    expect(kept + Number(lost[0])).to.equal(31_000);
    expect(kept).to.be.greaterThan(10_000);
  });

  it('lets the process continue and end when its output is no longer read', async () => {
    const child = start('wait');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stdin.write('go on\n');
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
  });
});

describe('log output', () => {
  let directory: string;
  let file: string;
  let fd: number;
  const written = () => readFileSync(file, 'utf8');

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'timing-log-'));
    file = join(directory, 'log');
    fd = openSync(file, 'w');
  });

  afterEach(() => {
    closeSync(fd);
    rmSync(directory, { recursive: true });
  });

  it('writes many lines at once', () => {
    const output = new LogOutput(fd);
    const line = `${'é'.repeat(99)}\n`;
    for (let n = 0; n < 163; n++) output.write(line);
    expect(written()).to.equal('');
    output.write(line);
    expect(written()).to.equal(line.repeat(164));
    output.write('last\n');
    output.flushSync();
    expect(written()).to.equal(`${line.repeat(164)}last\n`);
  });

  it('writes a lone line soon', async () => {
    new LogOutput(fd).write('lone\n');
    while (written() === '') await new Promise(setImmediate);
    expect(written()).to.equal('lone\n');
  });
});
