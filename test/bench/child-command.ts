import { z } from 'zod';
import { run as rebuild } from '../../src/tools/cli/rebuild.ts';
import { run as replay } from '../../src/tools/cli/replay.ts';
import type { Role } from './child-protocol.ts';

const COMMANDS = { rebuild, replay };

const Run = z.object({ command: z.enum(['rebuild', 'replay']), args: z.array(z.string()), dataDir: z.string() });

/** What a command says with `--json`. */
const Answer = z.object({ events: z.number() });

/**
 * The line that ends the display of progress: the work is done. A rebuild then feeds the generation before until every
 * node has left it, which takes time and no more.
 */
const DONE = /^\w+ +[\d,]+ events/;

/** A `sim-racing-timing` command in a process of its own. */
export async function command(): Promise<Role> {
  return {
    operations: {
      /** Runs it to its end; the time is that until its work was done, the units are events. */
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
