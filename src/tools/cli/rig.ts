import { Refused } from '../../clients/connection.ts';
import { runRig, type Drive, type Driven } from '../../clients/rig/run-rig.ts';
import { command, EXIT, flag, localUrl, required, serviceUrl, text, wholeNumber } from './command.ts';
import type { Environment, OptionValues } from './command.ts';

const SYNTAX = {
  name: 'rig',
  about: `
A reference rig: registers itself, drives laps, keeps them on disk, and sends them in batches until the service has answered
what became of each. It can be stopped at any time, and resumes when it is started again. docs/rigs.md explains it.`,
  options: {
    laps: text('NUMBER', 'how many laps it drives in all; default: 10'),
    'offline-for': text('SECONDS', 'how long it drives before it sends anything; default: 0'),
    every: text('MS', 'time between two laps; default: 100'),
    event: text('ID', 'the event; default: the first with a car and a layout'),
    seated: flag('its laps name neither driver nor event: they are those of whoever the venue says sits on it'),
    url: text('URL', 'the service; default: http://127.0.0.1:PORT, with 8080 as PORT'),
    token: text('TOKEN', 'a key of the venue, to register and to sign the driver up; default: BOOTSTRAP_ADMIN_TOKEN'),
    name: text('NAME', 'the name that the rig registers with, of 2 to 120 characters; default: none'),
    'rig-key': text('TOKEN', 'a new key of the rig, where the one that it has has ended; the laps that wait are sent'),
    data: text('DIR', 'where it keeps its identity and its laps; default: rig-data'),
  },
  notes: 'Exit codes: 0 all laps are recorded, 1 some were refused or are missing, 2 wrong usage.',
} as const;

const MAX_LAPS = 1_000_000;
const MAX_SECONDS = 86_400;

export const run = command(SYNTAX, async ({ env, out, err, signal, values, waiting }) => {
  const drive = { ...settingsOf(values, env), signal, waiting };
  try {
    const driven = await runRig(drive);
    out.write(reportOf(driven));
    return isComplete(driven) ? EXIT.done : EXIT.failed;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    if (!(error instanceof Refused)) throw error;
    err.write(`${error.message}\n`);
    return EXIT.failed;
  }
});

function settingsOf(values: OptionValues<typeof SYNTAX.options>, env: Environment): Omit<Drive, 'signal' | 'waiting'> {
  const { laps = '10', every = '100', event = null, data = 'rig-data', url = localUrl(env) } = values;
  return {
    laps: wholeNumber('laps', laps, [0, MAX_LAPS]),
    offlineMs: wholeNumber('offline-for', values['offline-for'] ?? '0', [0, MAX_SECONDS]) * 1_000,
    everyMs: wholeNumber('every', every, [0, MAX_SECONDS * 1_000]),
    eventId: event,
    seated: values.seated === true,
    url: serviceUrl(url),
    venueToken: required('token', values.token ?? env['BOOTSTRAP_ADMIN_TOKEN']),
    rigKey: values['rig-key'] ?? null,
    name: values.name ?? null,
    directory: data,
  };
}

/** Whether each lap that was driven has come in, once. */
function isComplete({ refused, completeness: { boots } }: Driven): boolean {
  return refused === 0 && boots.every(({ missing, conflicts }) => missing.length === 0 && conflicts.length === 0);
}

function reportOf({ rigId, laps, refused, completeness: { boots } }: Driven): string {
  const lines = boots.map(({ boot, received, expected, missing, late, conflicts }) => {
    const gaps = missing.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
    const remarks = Object.entries({ missing: gaps, late, conflicts })
      .filter(([, numbers]) => numbers.length > 0)
      .map(([what, numbers]) => `; ${what} ${numbers.join(' ')}`);
    return `start ${boot}: ${received} of ${expected} laps recorded${remarks.join('')}\n`;
  });
  return [`rig ${rigId}: ${laps} laps driven, ${refused} refused\n`, ...lines].join('');
}
