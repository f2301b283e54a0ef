import { Select, type Marks } from '../../shared/controls.tsx';
import { fromLocal, joinLocal, marksOf, splitLocal } from '../../shared/local-times.ts';
import { locale, showMoment, t, shownZone, shownZoneName } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { zoneText } from '../api/time-zones.ts';

/** Length of `2026-05-01T20:15`. */
const MINUTES = 16;

interface InstantInputProps extends Marks {
  readonly id: string;
  readonly required?: boolean;
  /** As `toLocal` gives it; empty: none. */
  readonly draft: string;
  /** Gets the entry at each change, also while somebody is typing. */
  readonly onInput?: (draft: string) => void;
  /** Gets the entry when it is complete. */
  readonly onCommit?: (draft: string) => void;
}

/**
 * Date and time of day in the zone of the page, which is said below it. Where the clocks are put back, a time comes twice: a choice appears, of
 * which the first is taken unless somebody chooses. Where they are put forward, it says which time is taken instead.
 */
export function InstantInput({ draft, onInput, onCommit, ...marks }: InstantInputProps) {
  const { shown, isSecond } = splitLocal(draft);
  const [first, second] = marksOf(draft, shownZone(), locale);
  const named = fromLocal(draft, shownZone());
  const note = `${marks.id}-clocks`;
  const zone = `${marks.id}-zone`;
  const choose = (choice: 'first' | 'second'): void => {
    const entry = joinLocal(shown, choice === 'second');
    onInput?.(entry);
    onCommit?.(entry);
  };
  return (
    <>
      <input
        {...marks}
        aria-describedby={[marks['aria-describedby'], zone].filter(Boolean).join(' ')}
        class="field"
        type="datetime-local"
        autocomplete="off"
        // Seconds of what is stored stay, until somebody enters another time.
        value={shown.slice(0, MINUTES)}
        // Another time begins as the first one.
        onInput={({ currentTarget }) => onInput?.(joinLocal(currentTarget.value, false))}
        onChange={({ currentTarget }) => onCommit?.(joinLocal(currentTarget.value, false))}
      />
      <p id={zone} class="hint zone">
        {t(say.timeZone, { zone: zoneText(shownZoneName()) })}
      </p>
      {first !== undefined && second !== undefined && (
        <div class="clock-change">
          <label for={note}>{t(say.comesTwice)}</label>
          <Select
            id={note}
            value={isSecond ? 'second' : 'first'}
            options={[
              ['first', t(say.firstOfTwo, { zone: first })],
              ['second', t(say.secondOfTwo, { zone: second })],
            ]}
            onChange={choose}
          />
        </div>
      )}
      {named?.comes === 'skipped' && (
        <p class="hint oddity" role="status">
          {t(say.skipped, { time: showMoment(named.instant) })}
        </p>
      )}
    </>
  );
}
