import { z } from 'zod';
import { run as rebuild } from '../../src/tools/cli/rebuild.ts';
import { run as replay } from '../../src/tools/cli/replay.ts';
import type { Role } from './child-protocol.ts';

const COMMANDS = { rebuild, replay };

const Run = z.object({ command: z.enum(['rebuild', 'replay']), args: z.array(z.string()), dataDir: z.string() });

const Answer = z.object({ events: z.number() });

/**
 * The last line of the progress display: the work is done. A rebuild then waits until every node has left the previous
 * generation, which takes time but no CPU.
 */
const DONE = /^\w+ +[\d,]+ events/;

/** A `sim-racing-timing` command. */
export async function command(): Promise<Role> {
  return {
    operations: {
      /** Runs it to its end; takes the time until its work is done. Units are events. */
      run: async (wanted) => {
        const { command: name, args, dataDir } = Run.parse(wanted);
        const [told, complaints]: [string[], string[]] = [[], []];
        const startedAt = performance.now();
        let doneAt = NaN;
        const code = await COMMANDS[name]({
          args: [...args, '--json'],
          env: { DATA_DIR: dataDir },
          out: { write: (text: string) => told.push(text) },
          err: {
            write: (text: string) => {
              complaints.push(text);
              if (DONE.test(text)) doneAt = performance.now();
            },
          },
          signal: new AbortController().signal,
        });
        if (code !== 0) throw new Error(`sim-racing-timing ${name}: exit code ${code}\n${complaints.join('')}`);
        const { events } = Answer.parse(JSON.parse(told.join('')));
        const { user, system } = process.cpuUsage();
        return { units: events, seconds: (doneAt - startedAt) / 1_000, cpuMicros: user + system };
      },
    },
    close: async () => undefined,
  };
}
