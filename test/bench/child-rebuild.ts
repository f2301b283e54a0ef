import { run } from '../../src/tools/cli/rebuild.ts';
import type { Round } from './comparison.ts';

/**
 * The last line of the progress display: the work is done. A rebuild then waits until every node has left the previous
 * generation, which takes time but no CPU.
 */
const DONE = /^\w+ +([\d,]+) events/;

/** `sim-racing-timing rebuild`. */
export async function rebuild(_: null) {
  return {
    operations: {
      /** Runs it to its end; takes the time until its work is done. Units are events. */
      run: async (dataDir: string): Promise<Round> => {
        const complaints: string[] = [];
        const startedAt = performance.now();
        let units = NaN;
        let doneAt = NaN;
        const code = await run({
          args: [],
          env: { DATA_DIR: dataDir },
          out: { write: () => undefined },
          err: {
            write: (text: string) => {
              complaints.push(text);
              const [, events] = DONE.exec(text) ?? [];
              if (events !== undefined) [units, doneAt] = [Number(events.replaceAll(',', '')), performance.now()];
            },
          },
          signal: new AbortController().signal,
        });
        if (code !== 0) throw new Error(`sim-racing-timing rebuild: exit code ${code}\n${complaints.join('')}`);
        const { user, system } = process.cpuUsage();
        return { units, seconds: (doneAt - startedAt) / 1_000, cpuMicros: user + system };
      },
    },
  };
}
