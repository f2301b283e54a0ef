import express from 'express';
import { createServer, type RequestListener } from 'node:http';
import { z } from 'zod';
import type { Role } from './child-protocol.ts';

/** As long as the service's: a connection must not be lost between two rounds. */
const KEEP_ALIVE_MS = 65_000;

/** Baseline of the writes: an Express app that parses a JSON body and answers it. */
export async function expressEcho(): Promise<Role> {
  const app = express();
  app.use(express.json());
  app.post('/api/v1/laps', (request, response) => {
    const body: unknown = request.body;
    response.status(201).json(body);
  });
  // What Express types as returning a promise or not does not matter to a server.
  return listening((request, response) => {
    app(request, response);
  }, {});
}

/** An answer to be given to every request; headers are names and values in turns. */
const Answer = z.object({ status: z.number(), headers: z.array(z.string()), body: z.string() });

/** Baseline of the reads: `node:http` that answers every request with the same bytes, which it is told first. */
export async function fixedAnswer(): Promise<Role> {
  let answer: z.output<typeof Answer> = { status: 503, headers: [], body: '' };
  return listening(
    (_request, response) => {
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body);
    },
    {
      answer: async (argument) => {
        answer = Answer.parse(argument);
        return null;
      },
    },
  );
}

/** EventStoreDB's double. No other measured process loads its gRPC server. */
export async function eventStore(): Promise<Role> {
  const { startEventStoreDouble } = await import('../support/eventstore-double/double.ts');
  const double = await startEventStoreDouble({ direct: true });
  return { ready: { url: double.url }, operations: {}, close: () => double.close() };
}

async function listening(listener: RequestListener, operations: Role['operations']): Promise<Role> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    ready: { url: `http://127.0.0.1:${address.port}` },
    operations,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
