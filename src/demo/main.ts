import { EXIT, withUsageErrors, type Environment } from '../cli/arguments.ts';
import type { Output } from '../cli/progress.ts';
import { idsOf } from './api.ts';
import { uploadAssets } from './assets.ts';
import { fillCatalogue } from './catalogue.ts';
import { nextSteps } from './closing.ts';
import { HOTLAP_EVENT } from './data/events.ts';
import { createEvents } from './events.ts';
import { createClient, DemoError } from './http-client.ts';
import { sendLaps } from './laps.ts';
import { openVenue, signUpPeople } from './licenses.ts';
import { HELP, readSettings, type DemoSettings } from './options.ts';
import { createPhaseRunner } from './progress.ts';
import { registerRigs } from './rigs.ts';

/** Options of `runDemo`: the arguments after the command, the environment, standard output and standard error. */
export interface DemoOptions {
  readonly args: readonly string[];
  readonly env: Environment;
  readonly out: Output;
  readonly err: Pick<Output, 'write'>;
}

async function fill({ url, adminToken, laps }: DemoSettings, out: Output): Promise<void> {
  const send = createClient(url);
  await send({ method: 'GET', path: '/actuator/health', expect: [200], attempts: 1 });
  const admin = { send, token: adminToken };
  const venue = await openVenue(admin, createPhaseRunner(out));
  out.write(`Filling ${url} with the demo venue\n`);
  await uploadAssets(venue);
  const catalogue = await fillCatalogue(venue);
  const rigs = await registerRigs(venue);
  const participant = await signUpPeople(venue, admin);
  const racingEvent = await createEvents(venue, catalogue, idsOf(rigs));
  const references = { catalogue, participant, rigs, eventId: racingEvent(HOTLAP_EVENT) };
  await sendLaps(venue, references, laps);
  out.write(nextSteps(url, references));
}

/**
 * Fills a running service through its public API: a venue with its catalogue, rigs, competitors, events and laps. Safe
 * to repeat. Returns the exit code; failures of the service and wrong arguments are reported on `err`.
 */
export async function runDemo({ args, env, out, err }: DemoOptions): Promise<number> {
  return withUsageErrors({ err }, 'demo', async () => {
    try {
      const settings = readSettings(args, env);
      if (settings === null) out.write(HELP);
      else await fill(settings, out);
      return EXIT.done;
    } catch (error) {
      if (!(error instanceof DemoError)) throw error;
      err.write(`${error.message}\n`);
      return EXIT.failed;
    }
  });
}
