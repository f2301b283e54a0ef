import {
  EXIT,
  runCommand,
  UsageError,
  type Environment,
  type Invocation,
  type OptionValues,
} from '../../tools/cli/arguments.ts';
import { idsOf } from './api.ts';
import { fillCatalogue } from './catalogue.ts';
import { HOTLAP_EVENT } from './data/events.ts';
import { createClient, DemoError, Interrupted } from './http-client.ts';
import { nextSteps, pagesOf, sendLaps } from './laps.ts';
import { driveLive } from './live.ts';
import { uploadAssets } from './pictures.ts';
import { createPhaseRunner } from './progress.ts';
import { createEvents, openVenue, registerRigs, signUpPeople } from './venue.ts';

/** Settings of the demo. */
interface DemoSettings {
  /** Base address of the service, without a slash at its end. */
  readonly url: string;
  readonly adminToken: string;
  readonly laps: number;
  /** How many times as fast as at a venue laps are driven after that, until the demo is told to end; null: none are. */
  readonly pace: number | null;
}

const DEFAULT_PORT = '8080';
const urlAt = (port: string): string => `http://127.0.0.1:${port}`;
const DEFAULT_LAPS = 5_000;
const MAX_LAPS = 1_000_000;
const MAX_PACE = 10_000;

const HELP = `usage: sim-racing-timing demo [--url URL] [--token TOKEN] [--laps NUMBER] [--live] [--pace NUMBER]

Fills a running service with a venue through its public API: circuits, cars, simulators, sponsors, rigs, participants,
events and laps. Safe to run again: it resumes where it stopped, and adds nothing twice.

  --url URL      the service, else DEMO_URL, else ${urlAt('PORT')} (${DEFAULT_PORT} by default)
  --token TOKEN  an ADMIN key, else BOOTSTRAP_ADMIN_TOKEN: the first start of the service shows it once
  --laps NUMBER  how many laps to drive, ${DEFAULT_LAPS} by default, ${MAX_LAPS} at most
  --live         then drive laps at a venue's pace until Ctrl-C: each rig one every 60 to 120 seconds, drivers change,
                 and now and then a lap is found to be invalid; for boards to look at
  --pace NUMBER  with --live: how many times as fast, 1 by default, ${MAX_PACE} at most
  -h, --help     this text

Exit codes: 0 done, 1 the service refused or is not there, 2 wrong usage, 130 interrupted before all was there.
`;

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`"${text}" is no address of a service: it must look like ${urlAt(DEFAULT_PORT)}`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

const OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  laps: { type: 'string' },
  live: { type: 'boolean' },
  pace: { type: 'string' },
} as const;

/**
 * Settings from the options, else the environment, else defaults.
 * @throws {UsageError} for a wrong option.
 * @throws {DemoError} when there is no usable token.
 */
export function settingsOf(
  { url, token, laps = String(DEFAULT_LAPS), live = false, pace }: OptionValues<typeof OPTIONS>,
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
  const service = baseUrl(url || env['DEMO_URL'] || urlAt(env['PORT'] || DEFAULT_PORT));
  return { url: service, adminToken, laps: Number(laps), pace: paceOf(live, pace) };
}

function paceOf(live: boolean, pace: string | undefined): number | null {
  if (!live && pace !== undefined) throw new UsageError('--pace goes with --live');
  if (pace !== undefined && !(/^\d{1,5}$/.test(pace) && Number(pace) >= 1 && Number(pace) <= MAX_PACE)) {
    throw new UsageError(`--pace takes a whole number from 1 to ${String(MAX_PACE)}`);
  }
  return live ? Number(pace ?? '1') : null;
}

async function fill({ url, adminToken, laps, pace }: DemoSettings, { out, signal }: Invocation): Promise<void> {
  const send = createClient(url, signal);
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
  if (pace === null) out.write(nextSteps(url, references));
  else {
    out.write(['', ...pagesOf(url, references.eventId), '', 'Driving; Ctrl-C ends it.', ''].join('\n'));
    await driveLive({ venue, references, pace, out, signal });
  }
}

/**
 * Fills a running service through its public API: a venue with its catalogue, rigs, competitors, events and laps; safe
 * to repeat. Then, if wanted, drives laps until it is told to end. Returns the exit code; failures of the service and
 * wrong arguments are reported on `err`.
 */
export function runDemo(invocation: Invocation): Promise<number> {
  const { env, err } = invocation;
  return runCommand(invocation, { name: 'demo', help: HELP, options: OPTIONS }, async (values) => {
    try {
      await fill(settingsOf(values, env), invocation);
      return EXIT.done;
    } catch (error) {
      if (error instanceof Interrupted) return EXIT.interrupted;
      if (!(error instanceof DemoError)) throw error;
      err.write(`${error.message}\n`);
      return EXIT.failed;
    }
  });
}
