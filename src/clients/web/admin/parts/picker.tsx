import { useCallback, useMemo, useState } from 'preact/hooks';
import type { Marks } from '../../shared/controls.tsx';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { NO_CHOICES, optionsFor, type Choices, type Option } from '../api/choices.ts';
import { useSession } from '../session.ts';
import { useLoaded } from './answers.tsx';

/** Most options that are shown; typing narrows the list. */
const SHOWN = 50;

/** The records that a field can refer to; none while they are loading. */
export function useChoices(refersTo: string): Choices {
  const { names, resource } = useSession();
  const read = useCallback(() => {
    const found = resource(refersTo);
    return found === null ? Promise.resolve(NO_CHOICES) : names.choices(found);
  }, [names, resource, refersTo]);
  return useLoaded(read).data ?? NO_CHOICES;
}

interface PickerProps extends Marks {
  readonly id: string;
  readonly refersTo: string;
  readonly chosen: readonly string[];
  readonly many: boolean;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses the records that a field refers to, by name: one, or an ordered list. */
export function Picker({ refersTo, chosen, many, onChange, ...marks }: PickerProps) {
  const { options, byId } = useChoices(refersTo);
  const nameOf = (one: string): string => byId.get(one)?.name ?? one;
  const [single = ''] = chosen;
  const left = useMemo(
    () => (many ? options.filter((option) => !chosen.includes(option.id)) : options),
    [many, options, chosen],
  );
  const choose = (one: string): void => onChange(many ? [...chosen.filter((other) => other !== one), one] : [one]);
  return (
    <div class="picker">
      {many && (
        <ul class="chips">
          {chosen.map((one) => (
            <li key={one}>
              {nameOf(one)}
              <button
                type="button"
                aria-label={t(say.takeOut, { name: nameOf(one) })}
                onClick={() => onChange(chosen.filter((other) => other !== one))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <Combobox
        {...marks}
        shown={many || single === '' ? '' : nameOf(single)}
        options={left}
        onChoose={choose}
        onClear={() => {
          if (!many) onChange([]);
        }}
      />
    </div>
  );
}

interface ComboboxProps extends Marks {
  readonly id: string;
  readonly shown: string;
  readonly options: readonly Option[];
  readonly onChoose: (id: string) => void;
  readonly onClear: () => void;
}

/** State of a combobox: the typed text, the active option, and the handling of keys. */
function useTyped(options: readonly Option[], onChoose: (id: string) => void) {
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const matching = useMemo(() => optionsFor(options, typed ?? ''), [options, typed]);
  const found = matching.slice(0, SHOWN);
  const isOpen = typed !== null;
  const type = (text: string): void => {
    setTyped(text);
    setActive(0);
  };
  const open = (): void => {
    if (!isOpen) type('');
  };
  const close = (): void => setTyped(null);
  const choose = (option: Option | undefined): void => {
    if (option !== undefined) onChoose(option.id);
    close();
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setActive(Math.min(active + 1, found.length - 1)),
    ArrowUp: () => setActive(Math.max(active - 1, 0)),
    Enter: () => choose(found[active]),
    Escape: close,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The keys belong to what composes a letter.
    if (event.isComposing) return;
    const handle = isOpen ? keys[event.key] : event.key === 'ArrowDown' ? open : undefined;
    if (handle === undefined) return;
    event.preventDefault();
    handle();
  };
  return { typed, found, others: matching.length - found.length, active, isOpen, type, open, close, choose, onKeyDown };
}

/** A text input with a list of matching options: arrows and Enter choose, Escape closes the list. */
function Combobox({ shown, options, onChoose, onClear, ...marks }: ComboboxProps) {
  const { id } = marks;
  const { typed, found, others, active, isOpen, type, open, close, choose, onKeyDown } = useTyped(options, onChoose);
  return (
    <>
      <input
        {...marks}
        class="field"
        role="combobox"
        autocomplete="off"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && found.length > 0 ? `${id}-${active}` : undefined}
        placeholder={t(say.search)}
        value={typed ?? shown}
        onFocus={open}
        onBlur={({ currentTarget }) => {
          // Otherwise only the window has lost the focus, which comes back to the input with it.
          if (document.activeElement !== currentTarget) close();
        }}
        onInput={({ currentTarget: { value } }) => {
          type(value);
          if (value === '') onClear();
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={`${id}-list`} role="listbox" hidden={!isOpen} aria-label={t(say.choices)}>
        {found.map((option, index) => (
          <li
            key={option.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => {
              // Otherwise the input loses the focus, which closes the list.
              event.preventDefault();
              choose(option);
            }}
          >
            {option.name}
          </li>
        ))}
        {(found.length === 0 || others > 0) && (
          <li role="option" aria-disabled="true" aria-selected="false">
            {found.length === 0 ? t(say.nothingFits) : t(say.moreFit, { count: others })}
          </li>
        )}
      </ul>
    </>
  );
}
