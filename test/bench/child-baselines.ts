import express from 'express';
import { createServer, type RequestListener } from 'node:http';
import { listen } from '../support/processes/listen.ts';
import { KEEP_ALIVE_MS } from './role.ts';

/** Baseline of the writes: an Express app that parses a JSON body and answers it. */
export async function expressEcho(_: null) {
  const app = express();
  app.use(express.json());
  app.post('/api/v1/laps', (request, response) => {
    const body: unknown = request.body;
    response.status(201).json(body);
  });
  // What Express types as returning a promise or not does not matter to a server.
  const listener: RequestListener = (request, response) => {
    app(request, response);
  };
  return { ...(await listening(listener)), operations: {} };
}

/** An answer to be given to every request; headers are names and values in turns. */
export interface FixedAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Baseline of the reads: `node:http` that answers every request with the same bytes. */
export async function fixedAnswer({ status, headers, body }: FixedAnswer) {
  const server = await listening((_request, response) => {
    response.writeHead(status, [...headers]);
    response.end(body);
  });
  return { ...server, operations: {} };
}

/** EventStoreDB's double. No other measured process loads its gRPC server. */
export async function eventStore(_: null) {
  const { startEventStoreDouble } = await import('../support/eventstore-double/double.ts');
  const double = await startEventStoreDouble({ direct: true });
  return { url: double.url, operations: {}, close: () => double.close() };
}

async function listening(listener: RequestListener) {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
