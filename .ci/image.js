/**
 * Carries out the Dockerfile without Docker: each stage in an empty folder, its COPY and RUN lines in order, then CMD
 * and HEALTHCHECK of the last stage. Exits with 0 if the resulting service is healthy, shuts down cleanly, and replays
 * an analyst's module.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ATTEMPTS = 50;

const root = mkdtempSync(join(tmpdir(), 'image-'));
const image = { stage: '', environment: {}, healthcheck: [], command: [] };

const directory = (stage) => join(root, stage === '' ? 'last' : stage);

function from(words) {
  image.stage = words[2] === undefined ? '' : words[2];
  mkdirSync(directory(image.stage), { recursive: true });
}

function copy(words) {
  const option = words[0].startsWith('--from=') ? words.shift().slice('--from='.length) : null;
  const target = words.pop();
  for (const source of words) {
    const path = option === null ? source : join(directory(option), source.replace(/^\/app\//, ''));
    const name = target.endsWith('/') ? source.split('/').at(-1) : target;
    cpSync(path, join(directory(image.stage), name), { recursive: true });
  }
}

/** Skips what root does to the image's own file system (the data directory, users). */
function run(line) {
  if (/\bchown\b/.test(line)) return;
  execFileSync('bash', ['-ec', line], { cwd: directory(image.stage), stdio: 'inherit' });
}

const STEPS = {
  FROM: (rest) => from(rest.split(' ')),
  COPY: (rest) => copy(rest.split(' ')),
  RUN: run,
  ENV: (rest) => {
    for (const [name, value] of rest.split(' ').map((pair) => pair.split('='))) {
      image.environment[name] = value
        .replace('$PATH', process.env.PATH)
        .replace(/^\/app\//, `${resolve(directory(image.stage))}/`);
    }
  },
  CMD: (rest) => {
    image.command = JSON.parse(rest);
  },
  HEALTHCHECK: (rest) => {
    image.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD ') + 'CMD '.length));
  },
};

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Checks as Docker does, until the service is healthy or all attempts have failed. */
async function becomesHealthy(environment) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [program, ...args] = image.healthcheck;
    const check = spawn(program, args, { env: environment, stdio: 'ignore' });
    const [code] = await once(check, 'exit');
    if (code === 0) return true;
  }
  return false;
}

try {
  for (const line of readFileSync('Dockerfile', 'utf8').split('\n')) {
    const [, step, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    STEPS[step]?.(rest);
  }
  const data = join(root, 'data');
  const environment = {
    ...process.env,
    ...image.environment,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATA_DIR: data,
  };
  const [program, ...args] = image.command;
  const service = spawn(program, args, {
    cwd: directory(''),
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(service, 'exit');
  const healthy = await becomesHealthy(environment);
  service.kill('SIGTERM');
  const [code] = await ended;
  if (!healthy || code !== 0) throw new Error(`the image's service: healthy ${healthy}, exit code ${code}`);
  const replay = ['replay', resolve('docs/examples/consistency.ts'), '--out', '-'];
  execFileSync('sim-racing-timing', replay, { cwd: directory(''), env: environment, stdio: 'inherit' });
  process.stdout.write('image: built, healthy, shut down cleanly, and replays\n');
} finally {
  rmSync(root, { recursive: true, force: true });
}
