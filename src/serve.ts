import { startApp } from './app.ts';
import { loadConfig } from './config.ts';
import { createLogger } from './log.ts';
import { startProjectorWorker } from './projector/worker.ts';
import { told } from './told.ts';

/** Period, in ms, of a timer that does nothing. */
const ALIVE_MS = 60_000;

/** Runs the service until it is told to end; the result is the exit code, as below. */
export async function serve(): Promise<number> {
  const config = loadConfig(process.env);
  const log = createLogger({ level: config.logLevel });
  const end = told();
  const app = await startApp({ config, log, announce });
  log.info({ url: app.url, dataDir: config.dataDir }, 'listening');
  process.stderr.write(`Listening on ${app.url} (try ${app.url}/swagger-ui)\n`);
  await end;
  log.info('shutting down');
  await app.close();
  log.info('stopped');
  return 0;
}

/** Runs a projector worker until it is told to end, or cannot go on. */
export async function project(): Promise<number> {
  const config = loadConfig(process.env);
  const log = createLogger({ level: config.logLevel });
  const end = told();
  const worker = await startProjectorWorker({ config, log });
  log.info({ url: worker.url, dataDir: config.dataDir }, 'listening');
  // Neither a subscription nor waiting for a signal keeps a process alive.
  const alive = setInterval(() => undefined, ALIVE_MS);
  await Promise.race([end, worker.ended]);
  clearInterval(alive);
  await worker.close();
  return worker.error() === null ? 0 : 1;
}

/** Shows the root key's token. Standard error, since it belongs in no log. */
function announce(token: string): void {
  process.stderr.write(`\nFirst start: this is the ADMIN key. It is shown only this once.\n\n  ${token}\n\n`);
}
