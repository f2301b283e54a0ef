import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm run test:strangers`: laps of rigs beside each attack of strangers. */
const mocha = join(dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js');
const tests = join(dirname(fileURLToPath(import.meta.url)), 'faults', 'strangers.test.js');
const env = { ...process.env, TEST_STRANGERS: 'yes' };
process.exitCode = spawnSync(process.execPath, [mocha, tests], { stdio: 'inherit', env }).status ?? 1;
