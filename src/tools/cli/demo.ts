import { Failure, Unanswered } from '../../clients/connection.ts';
import { fillService, type DemoSettings } from '../../clients/demo/fill.ts';
import { createPhaseRunner } from '../../clients/demo/phases.ts';
import { command, EXIT, flag, localUrl, serviceUrl, text, UsageError, wholeNumber } from './command.ts';
import type { Environment, OptionValues } from './command.ts';
import { createProgress } from './progress.ts';

const DEFAULT_LAPS = 5_000;
const MAX_LAPS = 1_000_000;
const MAX_PACE = 10_000;

const SYNTAX = {
  name: 'demo',
  about: `
Fills a running service with a venue through its public API: circuits, cars, simulators, sponsors, rigs, participants,
events and laps. Safe to run again: it resumes where it stopped, and adds nothing twice.`,
  options: {
    url: text('URL', 'the service; default: DEMO_URL, else http://127.0.0.1:PORT (8080 if PORT is not set)'),
    token: text(
      'TOKEN',
      'an ADMIN key; default: BOOTSTRAP_ADMIN_TOKEN. The first start of the service shows one, once',
    ),
    laps: text('NUMBER', `how many laps to drive, ${MAX_LAPS} at most; default: ${DEFAULT_LAPS}`),
    live: flag(`then drive laps at a venue's pace until Ctrl-C, to watch on the boards: one every 60 to 120 seconds on
      each rig, by changing drivers; now and then one is invalidated`),
    pace: text('NUMBER', `with --live: how many times as fast, ${MAX_PACE} at most; default: 1`),
  },
  notes: `
Exit codes: 0 done, 1 the service refused or does not answer, 2 wrong usage, 130 interrupted before everything was
created.`,
} as const;

/**
 * Settings from the options, else the environment, else defaults.
 * @throws {UsageError} for a wrong option.
 * @throws {Failure} when there is no usable token.
 */
export function settingsOf(
  { url, token, laps = String(DEFAULT_LAPS), live = false, pace }: OptionValues<typeof SYNTAX.options>,
  env: Environment,
): DemoSettings {
  const adminToken = token || env['BOOTSTRAP_ADMIN_TOKEN'] || '';
  if (adminToken === '') {
    throw new Failure(
      'The demo needs the ADMIN token: pass --token or set BOOTSTRAP_ADMIN_TOKEN; the first start of ' +
        'the service printed it once on its terminal.',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(adminToken)) throw new Failure('The ADMIN token has characters that no token has.');
  return {
    url: serviceUrl(url || env['DEMO_URL'] || localUrl(env)),
    adminToken,
    laps: wholeNumber('laps', laps, [0, MAX_LAPS]),
    pace: paceOf(live, pace),
  };
}

function paceOf(live: boolean, pace: string | undefined): number | null {
  if (!live && pace !== undefined) throw new UsageError('--pace goes with --live');
  return live ? wholeNumber('pace', pace ?? '1', [1, MAX_PACE]) : null;
}

export const run = command(SYNTAX, async ({ env, out, err, signal, values, waiting }) => {
  try {
    const settings = settingsOf(values, env);
    const phase = createPhaseRunner((label) => createProgress(out, label));
    await fillService(settings, { out, phase, signal, waiting }).catch((error: unknown) => {
      throw error instanceof Unanswered ? unreachable(settings, error) : error;
    });
    return EXIT.done;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    if (!(error instanceof Failure)) throw error;
    err.write(`${error.message}\n`);
    return EXIT.failed;
  }
});

function unreachable({ url }: DemoSettings, { message }: Unanswered): Failure {
  return new Failure(
    `The service at ${url} does not answer (${message}): start it with npm start or name ` +
      'its address with --url; a repeated run continues where this one stopped.',
  );
}
