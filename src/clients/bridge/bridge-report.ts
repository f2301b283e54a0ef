import { linesOf, type StatusView } from './bridge-status.ts';

/** What a bridge says at its end: what it has sent, and what waits. */
export function endReportOf(view: StatusView): string {
  const sent = `${view.found} laps found, ${view.recorded} recorded, ${view.struck} struck, ${view.refused} refused`;
  const left = view.queued + view.withoutDriver + view.unmapped;
  const waiting = linesOf(view).filter((line) => line.startsWith('Waiting:'));
  const lines = [sent, ...waiting];
  if (left > 0) lines.push(`${left} laps wait on disk, and are sent when the bridge runs again.`);
  return lines.map((line) => `${line}\n`).join('');
}

/** Whether everything that was found has arrived. */
export function hasSentAll(view: StatusView): boolean {
  return view.queued + view.withoutDriver + view.unmapped + view.refused === 0;
}
