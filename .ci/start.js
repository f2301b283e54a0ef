// Starts the service as a process under this version of Node, on an empty directory, until it is ready, and ends it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const dataDir = mkdtempSync(join(tmpdir(), 'timing-start-'));
const service = spawn(process.execPath, ['dist/src/main.js', 'serve'], {
  env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'inherit', 'pipe'],
});
let said = '';
for await (const text of service.stderr.setEncoding('utf8')) {
  said += text;
  const [, url] = /Listening on (\S+)/.exec(said) ?? [];
  if (url === undefined) continue;
  const { status } = await fetch(`${url}/actuator/health/readiness`);
  if (status !== 200) throw new Error(`readiness is ${status}`);
  break;
}
service.kill('SIGTERM');
const [code] = await once(service, 'exit');
rmSync(dataDir, { recursive: true });
if (code !== 0) throw new Error(`on Node ${process.version} the service ended with ${code}: ${said}`);
process.stdout.write(`the service starts on Node ${process.version}\n`);
