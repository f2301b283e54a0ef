import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startEventStoreDouble } from './double.ts';
import type { EventStoreDouble } from './double.ts';

/** Faults that take nothing. */
const PLAIN = [
  'refuse',
  'accept',
  'reset',
  'kill',
  'restart',
  'silence',
  'speak',
  'freeze',
  'thaw',
  'dropSubscriptions',
  'checkpointAtEnd',
  'goAway',
  'scavenge',
  'ready',
  'heal',
] as const;

/** One line on stdin. */
const Command = z.union([
  z.strictObject({ fault: z.enum(PLAIN) }),
  z.strictObject({ fault: z.enum(['delay', 'loseAnswers']), value: z.int().min(0) }),
  z.strictObject({ fault: z.literal('notReady'), value: z.enum(['unavailable', 'unknown', 'busy']).optional() }),
  z.strictObject({ fault: z.literal('deny'), value: z.enum(['password', '$all', 'append']).nullable() }),
  z.strictObject({ ask: z.literal('counts') }),
]);
type Command = z.infer<typeof Command>;

/** Carries out a command; the answer goes to stdout as one line. */
async function execute(double: EventStoreDouble, command: Command): Promise<object> {
  if ('ask' in command) return double.counters.counts;
  const { faults } = double;
  if (command.fault === 'delay') faults.delay(command.value);
  else if (command.fault === 'loseAnswers') faults.loseAnswers(command.value);
  else if (command.fault === 'notReady') faults.notReady(command.value);
  else if (command.fault === 'deny') faults.deny(command.value);
  else await faults[command.fault]();
  return { done: command.fault };
}

function printLine(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function answer(double: EventStoreDouble, line: string): Promise<void> {
  try {
    printLine(await execute(double, Command.parse(JSON.parse(line))));
  } catch (error) {
    printLine({ error: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * The double as a process of its own: prints `{"url":"esdb://…"}` once it listens, obeys one JSON command per line
 * of stdin (`{"fault":"delay","value":100}`, `{"ask":"counts"}`), answers each with a line, ends when stdin ends.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      'max-append-bytes': { type: 'string', default: '1048576' },
      'server-version': { type: 'string', default: '22.10' },
      tls: { type: 'boolean', default: false },
      direct: { type: 'boolean', default: false },
      'no-system-events': { type: 'boolean', default: false },
    },
  });
  const double = await startEventStoreDouble({
    port: Number(values.port),
    maxAppendBytes: Number(values['max-append-bytes']),
    version: z.enum(['22.10', '23.10', '24.10']).parse(values['server-version']),
    tls: values.tls,
    direct: values.direct,
    systemEvents: !values['no-system-events'],
  });
  printLine({ url: double.url });
  for await (const line of createInterface({ input: process.stdin })) await answer(double, line);
  await double.close();
}

await main();
