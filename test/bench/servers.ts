import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const extension = extname(import.meta.url);
const DOUBLE = fileURLToPath(new URL(`../support/eventstore-double/main${extension}`, import.meta.url));

const Line = z.tuple([z.string()]);
const Listening = z.object({ url: z.string() });

/** A server that is not measured itself. */
export interface StoreServer {
  readonly url: string;
  /** Ends it, and takes its data away. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the tests' double of EventStoreDB as a process of its own, with sockets handed to its gRPC server as they are.
 * Like whatever the bench starts unpinned, it runs on the core of the load.
 */
export async function startEventStore(): Promise<StoreServer> {
  const child = spawn(process.execPath, [...process.execArgv, DOUBLE, '--direct'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = Line.parse(await once(createInterface({ input: child.stdout }), 'line'));
  const { url } = Listening.parse(JSON.parse(line));
  return {
    url,
    stop: async () => {
      const exited = once(child, 'exit');
      if (child.kill('SIGKILL')) await exited;
    },
  };
}
