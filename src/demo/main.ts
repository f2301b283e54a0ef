import { EXIT, runCommand, UsageError, type Environment, type OptionValues } from '../cli/arguments.ts';
import type { Output } from '../cli/progress.ts';
import { idsOf } from './api.ts';
import { fillCatalogue } from './catalogue.ts';
import { HOTLAP_EVENT } from './data/events.ts';
import { createClient, DemoError } from './http-client.ts';
import { nextSteps, sendLaps } from './laps.ts';
import { uploadAssets } from './pictures.ts';
import { createPhaseRunner } from './progress.ts';
import { createEvents, openVenue, registerRigs, signUpPeople } from './venue.ts';

/** Settings of the demo. */
interface DemoSettings {
  /** Base address of the service, without a slash at its end. */
  readonly url: string;
  readonly adminToken: string;
  readonly laps: number;
}

const DEFAULT_PORT = '8080';
const urlAt = (port: string): string => `http://127.0.0.1:${port}`;
const DEFAULT_LAPS = 5_000;
const MAX_LAPS = 1_000_000;

const HELP = `usage: sim-racing-timing demo [--url URL] [--token TOKEN] [--laps NUMBER]

Fills a running service with a venue through its public API: circuits, cars, simulators, sponsors, rigs, participants,
events and laps. Safe to run again: it resumes where it stopped, and adds nothing twice.

  --url URL      the service, else DEMO_URL, else ${urlAt('PORT')} (${DEFAULT_PORT} by default)
  --token TOKEN  an ADMIN key, else BOOTSTRAP_ADMIN_TOKEN: the first start of the service shows it once
  --laps NUMBER  how many laps to drive, ${DEFAULT_LAPS} by default, ${MAX_LAPS} at most
  -h, --help     this text

Exit codes: 0 done, 1 the service refused or is not there, 2 wrong usage.
`;

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`"${text}" is no address of a service: it must look like ${urlAt(DEFAULT_PORT)}`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

const OPTIONS = { url: { type: 'string' }, token: { type: 'string' }, laps: { type: 'string' } } as const;

/**
 * Settings from the options, else the environment, else defaults.
 * @throws {UsageError} for a wrong option.
 * @throws {DemoError} when there is no usable token.
 */
export function settingsOf(
  { url, token, laps = String(DEFAULT_LAPS) }: OptionValues<typeof OPTIONS>,
  env: Environment,
): DemoSettings {
  const adminToken = token || env['BOOTSTRAP_ADMIN_TOKEN'] || '';
  if (adminToken === '') {
    throw new DemoError(
      'The demo needs the ADMIN token: pass --token or set BOOTSTRAP_ADMIN_TOKEN; the first start of ' +
        'the service printed it once on its terminal.',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(adminToken)) throw new DemoError('The ADMIN token has characters that no token has.');
  if (!/^\d{1,7}$/.test(laps) || Number(laps) > MAX_LAPS) {
    throw new UsageError(`--laps takes a whole number from 0 to ${String(MAX_LAPS)}`);
  }
  return { url: baseUrl(url || env['DEMO_URL'] || urlAt(env['PORT'] || DEFAULT_PORT)), adminToken, laps: Number(laps) };
}

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
export function runDemo({ env, ...process }: DemoOptions): Promise<number> {
  return runCommand(process, { name: 'demo', help: HELP, options: OPTIONS }, async (values) => {
    try {
      await fill(settingsOf(values, env), process.out);
      return EXIT.done;
    } catch (error) {
      if (!(error instanceof DemoError)) throw error;
      process.err.write(`${error.message}\n`);
      return EXIT.failed;
    }
  });
}
