import { z } from 'zod';
import { run } from '../../src/tools/cli/rebuild.ts';
import type { Role } from './child-protocol.ts';

const Run = z.object({ dataDir: z.string() });

const Answer = z.object({ events: z.number() });

/**
 * The last line of the progress display: the work is done. A rebuild then waits until every node has left the previous
 * generation, which takes time but no CPU.
 */
const DONE = /^\w+ +[\d,]+ events/;

/** `sim-racing-timing rebuild`. */
export async function rebuild(): Promise<Role> {
  return {
    operations: {
      /** Runs it to its end; takes the time until its work is done. Units are events. */
      run: async (wanted) => {
        const [told, complaints]: [string[], string[]] = [[], []];
        const startedAt = performance.now();
        let doneAt = NaN;
        const code = await run({
          args: ['--json'],
          env: { DATA_DIR: Run.parse(wanted).dataDir },
          out: { write: (text: string) => told.push(text) },
          err: {
            write: (text: string) => {
              complaints.push(text);
              if (DONE.test(text)) doneAt = performance.now();
            },
          },
          signal: new AbortController().signal,
        });
        if (code !== 0) throw new Error(`sim-racing-timing rebuild: exit code ${code}\n${complaints.join('')}`);
        const { events } = Answer.parse(JSON.parse(told.join('')));
        const { user, system } = process.cpuUsage();
        return { units: events, seconds: (doneAt - startedAt) / 1_000, cpuMicros: user + system };
      },
    },
  };
}
