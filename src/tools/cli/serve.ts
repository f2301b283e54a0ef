import { once } from 'node:events';
import { startProjectorProcess } from '../../service/app/projector-process.ts';
import { startService } from '../../service/app/service.ts';
import { describeLocation, locationIn } from '../history/location.ts';
import { loadConfig, misspeltVariables, type Config } from '../../service/config/config.ts';
import { createLogger } from '../../service/observability/log.ts';
import { command, EXIT, flag, type Invocation } from './command.ts';

/** Period, in ms, of a timer that only keeps the process alive. */
const ALIVE_MS = 60_000;

export const run = command(
  {
    name: 'serve',
    about: `
Runs the service until it gets SIGTERM or Ctrl-C. Its settings are environment variables: PORT, DATA_DIR and more, which
docs/operations.md lists. The first start shows the ADMIN key, once, on standard error.`,
    options: { 'read-only': flag('record nothing, and start on damaged events too: what can be read is shown') },
  },
  async (given) => {
    const { config, log } = settingsIn(given);
    const readOnly = given.values['read-only'] === true;
    const service = await given.waiting.during(storesOf(config), () =>
      startService({ config, log, announce, readOnly }),
    );
    log.info({ url: service.url, dataDir: config.dataDir }, 'The service listens');
    process.stderr.write(`Listening on ${service.url} (try ${service.url}/swagger-ui)\n`);
    await aborted(given);
    log.info('The service shuts down: requests under way are finished first');
    await service.close();
    log.info('The service has stopped');
    return EXIT.done;
  },
);

export const runProjector = command(
  {
    name: 'projector',
    about: `
Keeps the read models up to date until it gets SIGTERM or Ctrl-C, for services that run with PROJECTOR=off. Of several,
one projects and the others stand by. Its settings are those of the service: see docs/operations.md.`,
    options: {},
  },
  async (given) => {
    const { config, log } = settingsIn(given);
    const worker = await given.waiting.during(storesOf(config), () => startProjectorProcess({ config, log }));
    log.info({ url: worker.url, dataDir: config.dataDir }, 'The projector has started');
    // Neither a subscription nor waiting for a signal keeps a process alive.
    const alive = setInterval(() => undefined, ALIVE_MS);
    await Promise.race([aborted(given), worker.ended]);
    clearInterval(alive);
    await worker.close();
    return worker.error() === null ? EXIT.done : EXIT.failed;
  },
);

/** What a start waits for. */
function storesOf(config: Config): string {
  return `the stores, to start: ${describeLocation(locationIn(config))}`;
}

function settingsIn({ env }: Invocation) {
  const config = loadConfig(env);
  const log = createLogger({ level: config.logLevel });
  for (const line of misspeltVariables(env)) log.warn(line);
  return { config, log };
}

async function aborted({ signal }: Invocation): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Shows the root key's token. Standard error, since it belongs in no log. */
function announce(token: string): void {
  process.stderr.write(`\nFirst start: this is the ADMIN key. It is shown only this once.\n\n  ${token}\n\n`);
}
