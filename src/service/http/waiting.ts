import type { Response } from 'express';
import type { ChangeUsage, Usage, Requester } from './requester.ts';
import { clientName } from './client-address.ts';
import { ClientGone } from './problems.ts';
import { ClientChanges, ClientUsage } from './usage.ts';

/** The signal that aborts when nobody waits for the response any more: created on demand, as few requests need one. */
export function signalOf(res: Response): AbortSignal {
  if (res.abort === null) {
    res.abort = new AbortController();
    if (res.abandoned) abandon(res);
  }
  return res.abort.signal;
}

/** Notifies those who work on a response that nobody waits for it any more. */
export function abandon(res: Response): void {
  res.abandoned = true;
  res.abort?.abort(new ClientGone('nobody waits for the response any more'));
}

/** The usage of the long reads of a request, created on demand. */
export function usageOf(res: Response): Usage {
  res.usage ??= new ClientUsage(res.client, res.keyAccounts);
  return res.usage;
}

/** The usage of the change of a request, created on demand. */
export function changeUsageOf(res: Response): ChangeUsage {
  res.changeUsage ??= new ClientChanges(res.client, res.keyAccounts);
  return res.changeUsage;
}

/** A request as one that waits for its turn. */
export function requesterOf(res: Response): Requester {
  return { address: clientName(res.remoteAddress), signal: signalOf(res), usage: usageOf(res) };
}

/**
 * Waits until the client has something of its share of long reads, or nobody waits any more. Use it before work that is
 * charged without being refused.
 */
export async function untilShare(res: Response): Promise<void> {
  const ms = res.client?.shareMs(res.keyAccounts) ?? 0;
  if (ms <= 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.ceil(ms));
    signalOf(res).addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Charges bytes that were made before, and are sent. */
export function chargeSent(res: Response, bytes: number): void {
  const usage = usageOf(res);
  usage.sent += bytes;
  usage.settle();
}
