import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startEventStoreDouble, type EventStoreDouble } from './double.ts';

/** A fault to carry out, one line on stdin. */
const Command = z.union([
  z.strictObject({ fault: z.enum(['kill', 'restart', 'silence', 'speak', 'dropSubscriptions', 'reset']) }),
  z.strictObject({ fault: z.literal('loseAnswers'), value: z.int().min(0) }),
]);

function printLine(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function execute({ faults }: EventStoreDouble, line: string): Promise<void> {
  const command = Command.parse(JSON.parse(line));
  if (command.fault === 'loseAnswers') faults.answersToLose = command.value;
  else await faults[command.fault]();
  printLine({ done: command.fault });
}

/**
 * The double as a process of its own: prints `{"url":"esdb://…"}` once it listens, carries out one JSON command per line
 * of stdin (`{"fault":"loseAnswers","value":3}`), answers each with a line, ends when stdin ends.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '0' }, direct: { type: 'boolean', default: false } },
  });
  const double = await startEventStoreDouble({ port: Number(values.port), direct: values.direct });
  printLine({ url: double.url });
  for await (const line of createInterface({ input: process.stdin })) await execute(double, line);
  await double.close();
}

await main();
