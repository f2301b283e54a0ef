import { OtherHistory, StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Logger } from './log.ts';

export type OutageLog = ReturnType<typeof createOutageLog>;

/** The logs that already say that the read models belong to another history. */
const notified = new WeakSet<object>();

/** Creates the log of one part; `subject` begins its sentences: "The key registry". */
export function createOutageLog(log: Pick<Logger, 'info' | 'warn' | 'error'>, subject: string) {
  const outage = {
    isOut: false,
    /** Logs an unavailable store once per outage, read models of another history once, any other error each time. */
    failed: (error: unknown): void => {
      if (error instanceof OtherHistory) {
        if (notified.has(log)) return;
        notified.add(log);
        log.error(`The read models belong to another history than the events: ${error.reason}`);
        return;
      }
      if (!(error instanceof StoreUnavailable)) {
        const reason = error instanceof Error ? error.message : String(error);
        log.error({ err: error }, `${subject} has failed: ${reason}`);
        return;
      }
      if (!outage.isOut) log.warn(`${subject} waits for a store and tries again: ${reasonOf(error)}`);
      outage.isOut = true;
    },
    /** Call this whenever the part works, or while `isOut`: it logs the end of an outage. */
    recovered: (): void => {
      if (outage.isOut) log.info(`${subject} has recovered: the store answers again`);
      outage.isOut = false;
    },
  };
  return outage;
}

/** Why a store is unavailable, in one line: the messages of the error and of its causes. */
export function reasonOf(error: StoreUnavailable): string {
  const texts: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { message } = cause;
    if (!texts.some((text) => text.includes(message))) texts.push(message);
  }
  return texts.join(': ');
}
