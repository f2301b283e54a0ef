import { startService } from '../../service/app/service.ts';
import { EXIT, runCommand } from './arguments.ts';
import { loadConfig } from '../../service/config/config.ts';
import { createLogger } from '../../service/observability/log.ts';
import { startProjectorProcess } from '../../service/app/projector-process.ts';
import { shutdownSignal } from './shutdown-signal.ts';

/** Period, in ms, of a timer that only keeps the process alive. */
const ALIVE_MS = 60_000;

const SERVE = {
  name: 'serve',
  about: `
Runs the service until it gets SIGTERM or Ctrl-C. Its settings are environment variables: PORT, DATA_DIR and more, which
docs/operations.md lists. The first start shows the ADMIN key, once, on standard error.`,
  options: {},
} as const;

const PROJECTOR = {
  name: 'projector',
  about: `
Keeps the read models up to date until it gets SIGTERM or Ctrl-C, for services that run with PROJECTOR=off. Of several,
one projects and the others stand by. Its settings are those of the service: see docs/operations.md.`,
  options: {},
} as const;

/** Runs the service until SIGTERM or SIGINT; the result is the exit code. */
export function serve(args: readonly string[]): Promise<number> {
  const { stdout: out, stderr: err } = process;
  return runCommand({ args, out, err }, SERVE, runService);
}

/** Runs a projector process until SIGTERM or SIGINT, or until it fails; the result is the exit code. */
export function project(args: readonly string[]): Promise<number> {
  const { stdout: out, stderr: err } = process;
  return runCommand({ args, out, err }, PROJECTOR, runProjector);
}

async function runService(): Promise<number> {
  const config = loadConfig(process.env);
  const log = createLogger({ level: config.logLevel });
  const end = shutdownSignal();
  const service = await startService({ config, log, announce });
  log.info({ url: service.url, dataDir: config.dataDir }, 'The service listens');
  process.stderr.write(`Listening on ${service.url} (try ${service.url}/swagger-ui)\n`);
  await end;
  log.info('The service shuts down: requests under way are finished first');
  await service.close();
  log.info('The service has stopped');
  return EXIT.done;
}

async function runProjector(): Promise<number> {
  const config = loadConfig(process.env);
  const log = createLogger({ level: config.logLevel });
  const end = shutdownSignal();
  const worker = await startProjectorProcess({ config, log });
  log.info({ url: worker.url, dataDir: config.dataDir }, 'The projector has started');
  // Neither a subscription nor waiting for a signal keeps a process alive.
  const alive = setInterval(() => undefined, ALIVE_MS);
  await Promise.race([end, worker.ended]);
  clearInterval(alive);
  await worker.close();
  return worker.error() === null ? EXIT.done : EXIT.failed;
}

/** Shows the root key's token. Standard error, since it belongs in no log. */
function announce(token: string): void {
  process.stderr.write(`\nFirst start: this is the ADMIN key. It is shown only this once.\n\n  ${token}\n\n`);
}
