import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';

/** Status codes of gRPC. */
const PERMISSION_DENIED = 7;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

/** What Node says of a certificate that it does not accept, and of a server that does not speak TLS. */
const NO_TLS = /certificate|altnames|unable to get|wrong version number|packet length too long/i;

/** What the client says when it finds no node of a cluster; of their reasons it says nothing. */
const NOT_DISCOVERED = 'Failed to discover';
const NO_NODE = 'no node was found; they are down, or have certificates that are not trusted';

/**
 * Why a server refuses, in words for whoever has set it up; null for what may pass by itself. A connection is not at
 * fault then, unless it is TLS.
 */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? error.code : null;
  if (code === UNAUTHENTICATED) return 'it does not accept the user name and password';
  if (isPermissionDenied(error)) return 'its user has not the right; it needs to read $all and to append';
  if (code === UNAVAILABLE && NO_TLS.test(error.message)) return `no TLS connection is possible: ${detailOf(error)}`;
  return refusalOf(error.cause);
}

/** The same, or what may be said of a failure that may pass. */
export function reasonOf(error: unknown): string | null {
  const isUndiscovered = error instanceof Error && error.message.startsWith(NOT_DISCOVERED);
  return isUndiscovered ? NO_NODE : refusalOf(error);
}

/** Whether the same would be refused on any connection. */
export function isRefusedByServer(error: unknown): boolean {
  return error instanceof Error && (isPermissionDenied(error) || ('code' in error && error.code === UNAUTHENTICATED));
}

/** The error of an operation; its message names what is known of the reason. */
export function unavailable(text: string, cause: unknown): StoreUnavailable {
  const reason = reasonOf(cause);
  return new StoreUnavailable(reason === null ? text : `${text}: ${reason}`, { cause, refusal: refusalOf(cause) });
}

function isPermissionDenied(error: Error): boolean {
  return ('code' in error && error.code === PERMISSION_DENIED) || ('type' in error && error.type === 'access-denied');
}

/** The reason alone: grpc-js puts status, advice and addresses around it. */
function detailOf({ message }: Error): string {
  const [, reason = message] = /Last error: (?:Error: )?(?:\w+:error:\w+:[^:]*:[^:]*:)?([^.:]+)/.exec(message) ?? [];
  return reason.trim();
}
