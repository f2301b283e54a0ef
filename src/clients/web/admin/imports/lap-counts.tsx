import { t } from '../../shared/page.ts';
import say from '../../texts/imports.json' with { type: 'json' };

interface LapCountsProps {
  /** What the first number counts. */
  readonly label: string;
  readonly laps: number;
  readonly recordedBefore: number;
  readonly waiting: number;
}

/** How many laps of a file are sent or recorded, were recorded before, and wait. */
export function LapCounts({ label, laps, recordedBefore, waiting }: LapCountsProps) {
  return (
    <dl class="counts">
      <div class={laps > 0 ? 'some' : ''}>
        <dt>{label}</dt>
        <dd>{laps}</dd>
      </div>
      <div>
        <dt>{t(say.recordedBefore)}</dt>
        <dd>{recordedBefore}</dd>
      </div>
      <div class={waiting > 0 ? 'waits' : ''}>
        <dt>{t(say.waiting)}</dt>
        <dd>{waiting}</dd>
      </div>
    </dl>
  );
}
