import { connect } from 'node:net';
import { z } from 'zod';
import type { Json } from '../../src/service/kernel/json.ts';
import type { Role } from './child-protocol.ts';

const Opening = z.object({ port: z.number(), path: z.string(), count: z.number() });

/** Readers that are opened at a time. */
const AT_A_TIME = 200;

const LAP_ID = '"lapId":"';
const ID_LENGTH = 36;

/** Readers of live boards over plain sockets, which only look for the ids of laps. */
export async function liveReaders(): Promise<Role> {
  /** When each lap reached each reader, in ms of the clock shared by all processes. */
  const arrivals: { readonly lapId: string; readonly at: number }[] = [];
  const state = { bytes: 0, begun: 0 };
  const open = (port: number, path: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let rest = '';
      let hasBegun = false;
      socket.setEncoding('latin1').on('data', (text: string) => {
        state.bytes += text.length;
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() ?? '';
        const at = now();
        for (const block of blocks) if (block.startsWith('event: lap')) arrivals.push({ lapId: lapIdIn(block), at });
        if (hasBegun) return;
        hasBegun = true;
        resolve();
      });
      socket.on('error', reject).on('close', () => {
        reject(new Error('the server closed a connection'));
      });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    });
  return {
    operations: {
      open: async (argument): Promise<Json> => {
        const { port, path, count } = Opening.parse(argument);
        for (let opened = 0; opened < count; opened += AT_A_TIME) {
          await Promise.all(Array.from({ length: Math.min(AT_A_TIME, count - opened) }, () => open(port, path)));
        }
        return null;
      },
      reset: async (): Promise<Json> => {
        state.bytes = 0;
        arrivals.length = 0;
        return null;
      },
      /** Percentiles of the time from an answer, given by lap id, to each reader's screen, and the bytes received. */
      seen: async (argument): Promise<Json> => {
        const answeredAt = z.record(z.string(), z.number()).parse(argument);
        const latencies = arrivals.map(({ lapId, at }) => Math.max(0, at - (answeredAt[lapId] ?? at)));
        return { latencies: percentilesOf(latencies), arrivals: arrivals.length, bytes: state.bytes };
      },
    },
  };
}

/** The answer of `seen`. */
export const Seen = z.object({
  latencies: z.object({ p50: z.number(), p99: z.number(), most: z.number() }),
  arrivals: z.number(),
  bytes: z.number(),
});

function percentilesOf(latencies: number[]): z.output<typeof Seen>['latencies'] {
  latencies.sort((a, b) => a - b);
  const at = (part: number): number => latencies[Math.floor((latencies.length - 1) * part)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}

/** The machine's monotonic clock, the same in all processes, in ms. */
export function now(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

function lapIdIn(block: string): string {
  const from = block.indexOf(LAP_ID) + LAP_ID.length;
  return block.slice(from, from + ID_LENGTH);
}
