import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { depth } from './support/depth.ts';

/**
 * Tests that run when only one store is a server. They concern the interplay of stores: positions, checkpoints after a
 * restart, several services, renames, reads as of a time. If all stores are servers, the whole suite runs.
 */
const MIXED = depth({ short: ['api/restart', 'api/history', 'api/live', 'model/*'], deep: ['api/*'] });

/**
 * The API when all stores are servers. In the short version without those that ask for what no store takes part in: the
 * roles and owners of the matrix, and the limits of the phones of a venue.
 */
const API = depth({ short: 'api/!(matrix|phones)', deep: 'api/*' });

/** Number of files that run at the same time. */
const JOBS = '2';

/**
 * `npm run test:servers`: the contracts, the API and the faults on real servers, as the environment names them
 * (EVENTSTORE_URL, MONGODB_URL, S3_BUCKET with S3_ENDPOINT and the usual AWS variables). Servers that are not named are
 * skipped, with one exception: where an EventStoreDB has to be empty or to fail on command, the tests' double replaces
 * it. Then the interface behind each reverse proxy that is installed, as docs/proxies configures it.
 */
function main(): number {
  const given = Object.entries({ MONGODB_URL: 'mongodb', S3_BUCKET: 's3' }).filter(([name]) => process.env[name]);
  const servers = ['eventstore', ...given.map(([, store]) => store)];
  const missing = ['EVENTSTORE_URL', 'MONGODB_URL', 'S3_BUCKET'].filter((name) => !process.env[name]);
  if (missing.length > 0) process.stdout.write(`Not set: ${missing.join(', ')}. What needs them is skipped.\n`);
  const mixed = given.some(([, store]) => store === 'mongodb') ? ['eventstore', 'mongodb'] : ['eventstore'];
  // The longest first.
  const onServers = ['faults/mongodb*', 'faults/servers*', 'faults/s3*', 'contracts/read-store.mongodb*'];
  // On the double, `npm test` runs them.
  if (process.env['EVENTSTORE_URL'] !== undefined) onServers.push('contracts/event-store.eventstoredb*');
  onServers.push('contracts/assets.s3*');
  const runs = [
    // Behind the reverse proxies that are installed, on embedded stores.
    { stores: 'embedded', files: ['proxies/*'] },
    { stores: '', files: onServers },
    { stores: servers.join(','), files: [API, 'model/*'] },
  ];
  if (servers.length > 1) runs.push(...mixed.map((store) => ({ stores: store, files: [...MIXED] })));
  const failed = runs.filter(({ stores, files }) => !run(stores, files));
  return failed.length === 0 ? 0 : 1;
}

function run(stores: string, files: readonly string[]): boolean {
  process.stdout.write(`\n${files.join(', ')} on ${stores === '' ? 'the servers named' : stores}\n`);
  const here = dirname(fileURLToPath(import.meta.url));
  const mocha = join(dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js');
  const patterns = files.map((file) => join(here, `${file}.test.js`));
  const { status } = spawnSync(process.execPath, [mocha, '--parallel', '--jobs', JOBS, ...patterns], {
    stdio: 'inherit',
    env: { ...process.env, TEST_STORES: stores, TEST_LONG: 'yes' },
  });
  return status === 0;
}

process.exitCode = main();
