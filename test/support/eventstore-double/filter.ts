import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Entry } from './entry.ts';

/** Events that a server looks at together, unless the client says otherwise. */
const WINDOW = 32;

/** A server-side filter. */
export interface Filter {
  readonly matches: (entry: Entry) => boolean;
  /** Events looked at together. */
  readonly window: number;
  /** Events looked at from one checkpoint message to the next. */
  readonly checkpointInterval: number;
}

/** The filter of a request, or null for none. */
export function filterOf(options: ReadReq.Options): Filter | null {
  const filter = options.getFilter();
  if (filter === undefined) return null;
  const byType = filter.hasEventType();
  const expression = byType ? filter.getEventType() : filter.getStreamIdentifier();
  const regex = expression?.getRegex() ?? '';
  const prefixes = expression?.getPrefixList() ?? [];
  const pattern = regex === '' ? null : new RegExp(regex, 'u');
  const fits = (text: string) => pattern?.test(text) ?? prefixes.some((prefix) => text.startsWith(prefix));
  const window = filter.hasMax() ? filter.getMax() : WINDOW;
  return {
    matches: (entry) => fits(byType ? entry.type : entry.stream),
    window,
    checkpointInterval: Math.max(1, window * filter.getCheckpointintervalmultiplier()),
  };
}
