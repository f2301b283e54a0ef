import { connect } from 'node:net';

/** Readers that are opened at a time. */
const AT_A_TIME = 200;

const LAP_ID = '"lapId":"';
const ID_LENGTH = 36;

/** Readers of a live board to open. */
interface Opening {
  readonly port: number;
  readonly path: string;
  readonly count: number;
}

/** Readers of live boards over plain sockets, which only look for the ids of laps. */
export async function liveReaders(_: null) {
  /** When each lap reached each reader, in ms of the clock shared by all processes. */
  const arrivals: { readonly lapId: string; readonly at: number }[] = [];
  let bytes = 0;
  const open = ({ port, path }: Opening): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let rest = '';
      socket.setEncoding('latin1').on('data', (text: string) => {
        bytes += text.length;
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() ?? '';
        const at = now();
        for (const block of blocks) if (block.startsWith('event: lap')) arrivals.push({ lapId: lapIdIn(block), at });
        resolve();
      });
      socket.on('error', reject).on('close', () => {
        reject(new Error('the server closed a connection'));
      });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    });
  return {
    operations: {
      open: async (opening: Opening): Promise<void> => {
        for (let left = opening.count; left > 0; left -= AT_A_TIME) {
          await Promise.all(Array.from({ length: Math.min(AT_A_TIME, left) }, () => open(opening)));
        }
      },
      /** Begins to count anew, once the first boards have arrived. */
      reset: async (_: null): Promise<void> => {
        bytes = 0;
        arrivals.length = 0;
      },
      /** Percentiles of the time from an answer, given by lap id, to each reader's screen, and the bytes received. */
      seen: async (answeredAt: Readonly<Record<string, number>>) => {
        const latencies = arrivals.map(({ lapId, at }) => Math.max(0, at - (answeredAt[lapId] ?? at)));
        latencies.sort((a, b) => a - b);
        const at = (part: number): number => latencies[Math.floor((latencies.length - 1) * part)] ?? 0;
        return { latencies: { p50: at(0.5), p99: at(0.99), most: at(1) }, arrivals: arrivals.length, bytes };
      },
    },
  };
}

/** The machine's monotonic clock, the same in all processes, in ms. */
export function now(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

function lapIdIn(block: string): string {
  const from = block.indexOf(LAP_ID) + LAP_ID.length;
  return block.slice(from, from + ID_LENGTH);
}
