import { StreamDeletedError, StreamNotFoundError } from '@eventstore/db-client';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';

/** Status codes of gRPC. */
const CANCELLED = 1;
const DEADLINE_EXCEEDED = 4;
const PERMISSION_DENIED = 7;
const INTERNAL = 13;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

/** The codes of a call that a connection may have failed. Only a server gives the others. */
const FAILURES_OF_CONNECTIONS: ReadonlySet<unknown> = new Set([CANCELLED, DEADLINE_EXCEEDED, INTERNAL, UNAVAILABLE]);

/** Messages of Node.js for a certificate that it does not accept, and for a server without TLS. */
const NO_TLS = /certificate|altnames|unable to get|wrong version number|packet length too long/i;

/** The client's message when it finds no node of a cluster; it gives no reason. */
const NOT_DISCOVERED = 'Failed to discover';
const NO_NODE =
  'no node was found; they are down, have certificates that are not trusted, or have TLS while the URL has tls=false';

/** The message of grpc-js for a server that closes the connection without a word; a test checks that text. */
const CLOSED_AT_ONCE = 'Last error: Failed to connect';
const NO_ANSWER =
  'the server closed the connection before it answered, as one with TLS does where the URL has tls=false';

/** The refusals of an append, and of the metadata of a stream. */
export const NO_RIGHT_TO_APPEND = 'its user has not the right to append to streams';
export const NO_RIGHT_TO_METADATA = 'its user has not the right to write the metadata of streams apiKeyUsage-…';

/**
 * The reason why a server refuses, for the operator; null for a failure that may pass. The connection
 * is not at fault, unless the reason is TLS.
 */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (hasCode(error, UNAUTHENTICATED)) return 'it does not accept the user name and password';
  if (isPermissionDenied(error)) return 'its user has not the right; it needs to read $all and to append';
  if (hasCode(error, UNAVAILABLE) && NO_TLS.test(error.message))
    return `no TLS connection is possible: ${detailOf(error)}`;
  return refusalOf(error.cause);
}

/** The same as `refusalOf`, and also the reason of a failure that may pass but is probably caused by the settings. */
export function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.message.startsWith(NOT_DISCOVERED)) return NO_NODE;
  return error.message.includes(CLOSED_AT_ONCE) ? NO_ANSWER : refusalOf(error);
}

/** Whether every connection is refused until the user gets the right. */
export function isRefusedByServer(error: unknown): boolean {
  return error instanceof Error && (isPermissionDenied(error) || hasCode(error, UNAUTHENTICATED));
}

/** Whether the server has answered; otherwise the connection may have failed. */
export function isAnswer(error: unknown): boolean {
  if (error instanceof StreamNotFoundError || error instanceof StreamDeletedError) return true;
  if (!(error instanceof Error)) return false;
  const hasAnswerCode = 'code' in error && typeof error.code === 'number' && !FAILURES_OF_CONNECTIONS.has(error.code);
  return hasAnswerCode || isRefusedByServer(error);
}

/** The error of an operation; its message names the reason if it is known. */
export function unavailable(text: string, cause: unknown): StoreUnavailable {
  const reason = reasonOf(cause);
  return new StoreUnavailable(reason === null ? text : `${text}: ${reason}`, { cause, refusal: reason });
}

function hasCode(error: Error, code: number): boolean {
  return 'code' in error && error.code === code;
}

function isPermissionDenied(error: Error): boolean {
  return hasCode(error, PERMISSION_DENIED) || ('type' in error && error.type === 'access-denied');
}

/** The reason alone: grpc-js puts status, advice and addresses around it. */
function detailOf({ message }: Error): string {
  const [, reason = message] = /Last error: (?:Error: )?(?:\w+:error:\w+:[^:]*:[^:]*:)?([^.:]+)/.exec(message) ?? [];
  return reason.trim();
}
