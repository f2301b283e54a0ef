import type { Caller } from '../../domain/roles.ts';
import type { ChangeUsage, ReplayPlaces, Usage } from './requester.ts';
import type { Accounts, Client } from './clients.ts';
import type { RequestBody, RequestHead } from './parameters.ts';
import type { MatchedEndpoint } from './request-counts.ts';
import type { ReceivedFile } from './temporary-files.ts';

/**
 * The state of a request: what the steps of `app.ts` note on `res` for the steps after them. Each field names the step
 * that sets it. `messages.ts` gives every response all of them from its start, so that all share one shape.
 */
declare global {
  namespace Express {
    interface Response {
      /**
       * What the client expects by `Expect` before it sends its body; `continue` until that has been sent. Set by the
       * server (`server.ts`), before the first middleware.
       */
      expectation: 'none' | 'continue' | 'other';
      /** The body broke off or is no HTTP, so nothing of it can be read. Set by `client-errors.ts`. */
      bodyIsBroken: boolean;

      /** Path of the address at which clients reach the service: `/timing`; `/` is empty. Set by `basePath`. */
      basePath: string;

      /** `X-Request-Id`, the client's or ours. Set by `requestId`. */
      requestId: string;

      /** When the request arrived, in epoch ms. Set by `deadline`. */
      arrivedAt: number;
      /** When the request arrived by the monotonic clock, in ms. Set by `deadline`. */
      startedAt: number;
      /** When the response is due, in epoch ms, as handlers see it. Set by `deadline`, and by `upload` once more. */
      deadline: number;
      /**
       * When the next step is due, by the monotonic clock: the response or, once that has begun, progress in sending it.
       * Set by `deadline`, and put off by whatever makes progress.
       */
      dueAt: number;

      /** Whether the origin of the request may read the response. Set by `cors`. */
      allowsOrigin: boolean;

      /** Address of the client. Set by `client`. */
      remoteAddress: string;
      /** The accounts of this client's address; null: no limit applies. Set by `client`. */
      client: Client | null;

      /** The endpoint of the request; null: it matches none. Set by `matched`. */
      endpoint: MatchedEndpoint | null;
      /** The caller; null: the request has no valid key. Set by `authenticate`. */
      caller: Caller | null;
      /** The account of the request's key. Set by `authenticate`. */
      keyAccounts: Accounts | null;

      /** Path parameters, query and headers. Set by `parameters`. */
      head: RequestHead | null;
      /** The request ends the tokens of its own key, and is answered all the same. Set by `parameters`. */
      revokesOwnKey: boolean;
      /** The body is being read: if that takes too long, it is the client's fault. Set by `body` and `upload`. */
      readingBody: boolean;
      /** The JSON that was sent, and what its schema made of it. Set by `body` and `upload`. */
      sent: RequestBody;
      /** The file that was sent; `handleUpload` releases it. Set by `upload`. */
      file: ReceivedFile | undefined;

      /** The usage of the request's long reads; null: it has had none. Set by the first call of `usageOf`. */
      usage: Usage | null;
      /** The usage of the request's change; null: nothing yet. Set by the first call of `changeUsageOf`. */
      changeUsage: ChangeUsage | null;
      /** The places of replays, one of which a stream of events may take; null: it is none. Set by `EventStreams.begin`. */
      replays: ReplayPlaces | null;

      /** A response has begun, or nobody waits for one any more: later results are discarded. Set by `writeHead`. */
      settled: boolean;
      /** Nobody waits for the response any more. Set by `abandon`. */
      abandoned: boolean;
      /** Notifies those who work on the response of that; null: nobody asked for it. Set by `signalOf`. */
      abort: AbortController | null;

      /**
       * The headers of the response, names and values in turn. `append` and `vary` add to it, and `writeHead` hands it to
       * Node as it is: headers that are set one by one cost a request 3 µs more.
       */
      headerList: string[];
      /** Bytes of the body that were handed to the connection, for the log. Set by whoever sends. */
      bytes: number;
      /** The answer repeats an earlier one (`Idempotency-Key`). Set by `sendBuffered`. */
      isReplay: boolean;
      /** When a stream of events began, by the monotonic clock; 0: it is none, or has not. Set by `EventStreams.send`. */
      streamingSince: number;
    }
  }
}
