import { spawnSync } from 'node:child_process';

/** The scripts of package.json that `npm run test:deep` runs in turn, and what their environment adds to its own. */
const RUNS = [
  { script: 'test', env: { TEST_DEEP: 'yes' } },
  { script: 'test:servers', env: { TEST_DEEP: 'yes' } },
  { script: 'test:strangers', env: {} },
];

/** `npm run test:deep`: the long versions of the tests; the first failure ends it. The result is the exit code. */
function main(): number {
  const npm = process.env['npm_execpath'];
  if (npm === undefined) throw new Error('start it with npm run test:deep');
  for (const { script, env } of RUNS) {
    const options = { stdio: 'inherit', env: { ...process.env, ...env } } as const;
    const { status } = spawnSync(process.execPath, [npm, 'run', script], options);
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

process.exitCode = main();
