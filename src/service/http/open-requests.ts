/**
 * The requests that are not answered to their end. `connect-timeout` would start a timer for each request and only emit an
 * event, and `http-terminator` ends connections when a server closes; neither can answer all requests under one key.
 */
import type { Duplex } from 'node:stream';
import type { Response } from 'express';
import { endAnswered } from './answers-in-a-row.ts';
import { sendError, type RequestLog } from './problem-responses.ts';
import { Problem, unauthenticatedProblem, unavailableProblem } from './problems.ts';
import { abandon } from './waiting.ts';

/** Interval, in ms, at which overdue requests are looked for: one timer for all of them. */
const CHECK_EVERY_MS = 200;

/** Interval, in ms, at which idle connections are looked for while the server closes. */
const IDLE_CHECK_MS = 50;

/** Most pipelined requests that wait on a connection; one with more is closed. Each is worked for at once. */
const MAX_PIPELINED = 32;

/** The open requests: ends those that are overdue, or whose key was revoked, and all of them when the server closes. */
export class OpenRequests {
  readonly #log: RequestLog;
  readonly #open = new Set<Response>();
  /** Those of them that arrived while an earlier one of their connection was being answered, by connection. */
  readonly #pipelined = new Map<Duplex, Set<Response>>();
  readonly #connections = new Set<Duplex>();
  readonly #timer: NodeJS.Timeout;
  #draining = false;

  constructor(log: RequestLog) {
    this.#log = log;
    this.#timer = setInterval(() => this.#endOverdue(), CHECK_EVERY_MS).unref();
  }

  /** Adds a request until its connection or its response ends; false: too many wait on the connection, which is closed. */
  add(res: Response): boolean {
    // Without a socket, it waits behind another one.
    if (res.socket === null && !this.#queuePipelined(res.req.socket, res)) return false;
    if (this.#draining) res.shouldKeepAlive = false;
    this.#open.add(res);
    return true;
  }

  /** Removes a request that has ended; false: it was removed before. */
  remove(res: Response): boolean {
    if (!this.#open.delete(res)) return false;
    this.#pipelined.get(res.req.socket)?.delete(res);
    res.settled = true;
    if (!res.writableFinished) abandon(res);
    return true;
  }

  connected(socket: Duplex): void {
    this.#connections.add(socket);
    socket.once('close', () => {
      this.#connections.delete(socket);
      // Node does not report the end of a connection to pipelined requests whose turn never came.
      for (const res of this.#pipelined.get(socket) ?? []) res.destroy().emit('close');
      this.#pipelined.delete(socket);
    });
  }

  /** Answers every request with a token of a key that has ended 401, or cuts off the response that is being sent. */
  rejectKey(apiKeyId: string, hasEnded: (token: string) => boolean): void {
    endAnswered();
    for (const res of this.#open) {
      if (res.caller?.apiKeyId !== apiKeyId || res.revokesOwnKey) continue;
      if (!hasEnded(String(res.req.headers['x-api-key']))) continue;
      if (!res.settled) sendError(res, unauthenticatedProblem(), this.#log);
      else if (!res.writableEnded) res.req.socket.destroy();
      abandon(res);
    }
  }

  /** The request that is arriving on a connection, or else the last one whose response is not finished. */
  requestOn(socket: Duplex): Response | undefined {
    let last: Response | undefined;
    for (const res of this.#open) if (res.req.socket === socket) last = res;
    return last;
  }

  /** Makes each connection close with its next response; returns how to stop all this. */
  drain(): () => void {
    this.#draining = true;
    for (const res of this.#open) res.shouldKeepAlive = false;
    // Connections whose response had begun become idle only later, and Node does not count those without any request so
    // far as idle.
    const timer = setInterval(() => {
      const busy = new Set(Array.from(this.#open, ({ req }): Duplex => req.socket));
      for (const connection of this.#connections) if (!busy.has(connection)) connection.destroy();
    }, IDLE_CHECK_MS);
    return () => {
      clearInterval(timer);
      clearInterval(this.#timer);
    };
  }

  #queuePipelined(socket: Duplex, res: Response): boolean {
    const waiting = this.#pipelined.get(socket) ?? new Set();
    if (waiting.size >= MAX_PIPELINED) {
      socket.destroy();
      return false;
    }
    this.#pipelined.set(socket, waiting.add(res));
    return true;
  }

  #endOverdue(): void {
    const now = performance.now();
    for (const res of this.#open) {
      if (res.dueAt > now) continue;
      if (res.settled) res.req.socket.destroy();
      else {
        sendError(res, overdueProblem(res), this.#log);
        abandon(res);
      }
    }
  }
}

function overdueProblem(res: Response): Problem {
  if (res.readingBody) return new Problem('REQUEST_TIMEOUT', 'The body did not arrive in time.');
  return unavailableProblem('The request could not be answered in time. What it asked for may still happen.');
}
