import { closest } from 'fastest-levenshtein';
import { masked } from '../../service/api/masking.ts';
import { loadConfig } from '../../service/config/config.ts';
import { KNOWN_EVENTS } from '../../service/resources/built-in.ts';
import { resolvePoint } from '../history/bounds.ts';
import { describeLocation } from '../history/location.ts';
import { readHistory } from '../history/read-history.ts';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import { reasonOf } from '../../service/config/start-failure.ts';
import { system, withStoreAt } from '../../service/stores/stores.ts';
import { EXIT, flag, jsonLine, text, UsageError, type Invocation, type OptionValues } from './command.ts';
import { FROM_OPTION, parsePointOption, sourceLocationOf, storeCommand, UNTIL_OPTION } from './stores.ts';

const SYNTAX = {
  name: 'events',
  about: 'Shows the event history, oldest first, on standard output. It only reads.',
  options: {
    from: FROM_OPTION,
    stream: text('NAME', 'events of one stream only, such as lap-018f5e7a-…'),
    type: { ...text('TYPE', 'events of this type only; may be given several times'), multiple: true },
    since: text(
      'POINT',
      'only events after that position or event id, or from that time on (2026-03-01T18:00Z; without an offset, UTC)',
    ),
    until: UNTIL_OPTION,
    follow: flag('wait for new events until Ctrl-C'),
    format: text(
      'ndjson|pretty',
      `ndjson: one JSON object a line, for scripts; pretty: a line for people. Default: pretty on a terminal, ndjson
        elsewhere`,
    ),
    personal:
      flag(`show personal data. Otherwise *** stands for names, e-mail addresses, phone numbers and extra fields of
        participants, names of licences (they may be people's), and for all data of event types that this release does
        not know; in claims (KeyClaimed), which hold events, too`),
  },
  notes: `
Hashes of tokens and licence keys are never shown.

  sim-racing-timing events --type LapRecorded --since 2026-03-01 > laps.ndjson
  sim-racing-timing events --stream rig-018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e11 --format pretty
  sim-racing-timing events --follow

Exit codes: 0 done, 1 failed, 2 wrong usage.`,
} as const;

export const run = storeCommand(SYNTAX, async ({ values, ...invocation }) => {
  const { out, err, signal, waiting } = invocation;
  const { location, config, format, personal, ...wanted } = requestOf(values, invocation);
  for (const type of wanted.types.filter((one) => !KNOWN_EVENTS.has(one))) {
    const hint = `this release knows no event type ${type}; the nearest is ${closest(type, [...KNOWN_EVENTS])}`;
    err.write(`sim-racing-timing events: ${hint}\n`);
  }
  const onUnavailable = (error: Error): void => {
    err.write(`sim-racing-timing events: ${reasonOf(error) ?? error.message}; trying again\n`);
  };
  const what = `${wanted.follow ? 'new events' : 'the events'} of ${describeLocation(location)}`;
  await waiting.during(what, () =>
    withStoreAt(location, config.storeTimeoutMs, async (store) => {
      const since = await resolvePoint(wanted.since, store, signal);
      const until = await resolvePoint(wanted.until, store, signal);
      const query = { ...wanted, since, until };
      for await (const events of readHistory(query, { store, clock: system.clock, signal, onUnavailable })) {
        out.write(events.map((event) => format(masked(event, personal))).join(''));
      }
    }),
  );
  return EXIT.done;
});

function requestOf(values: OptionValues<typeof SYNTAX.options>, { env, out }: Invocation) {
  const config = loadConfig(env);
  const location = sourceLocationOf(values.from, config);
  const { stream = null, type: types = [], follow = false, personal = false } = values;
  if (stream !== null && !isStreamName(stream)) throw new UsageError('--stream: no stream has such a name');
  if (types.includes('')) throw new UsageError('--type: no event has an empty type');
  const since = parsePointOption('since', values.since);
  const until = parsePointOption('until', values.until);
  const format = lineOf(values.format ?? (out.isTTY === true ? 'pretty' : 'ndjson'));
  return { location, config, format, personal, stream, types, since, until, follow };
}

/** Whether both kinds of store accept the name: see their adapters. */
function isStreamName(name: string): boolean {
  const isShort = name !== '' && name.length <= MAX_STREAM_CHARS;
  return isShort && !name.startsWith('$') && !/[\p{Cc}\p{Surrogate}]/u.test(name);
}

const MAX_STREAM_CHARS = 600;

function lineOf(format: string): (event: RecordedEvent) => string {
  if (format === 'ndjson') return ndjson;
  if (format === 'pretty') return pretty;
  throw new UsageError('--format takes ndjson or pretty');
}

function ndjson({ position, stream, revision, type, id, metadata, data }: RecordedEvent): string {
  return jsonLine({ position, stream, revision, type, id, metadata, data });
}

/** One line for people, without the metadata that only programs need. */
function pretty({ position, stream, revision, type, metadata, data }: RecordedEvent): string {
  const fields = Object.entries(data)
    .map(([field, value]) => `${field}=${JSON.stringify(value)}`)
    .join(' ');
  return `${position}  ${metadata.occurredAt}  ${type}  ${stream}@${revision}  ${fields}`.trimEnd() + '\n';
}
