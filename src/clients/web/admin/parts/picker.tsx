import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Marks } from '../../shared/controls.tsx';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import common from '../../texts/common.json' with { type: 'json' };
import tonight from '../../texts/tonight.json' with { type: 'json' };
import { NO_CHOICES, optionsFor, type Choices, type FoundOptions, type Option } from '../api/choices.ts';
import type { Resource } from '../api/model.ts';
import { isBrief } from '../api/new-record.ts';
import { useSession } from '../session.ts';
import { messageOf, useLoaded } from './answers.tsx';
import { CarClasses } from './car-classes.tsx';
import { CreatingContext } from './creating.ts';

/** Most options that are shown; typing narrows the list. */
const SHOWN = 50;

/** The records that a field can refer to; none while they are loading. */
export function useChoices(refersTo: string): Choices {
  const { names, resource } = useSession();
  const { made } = useContext(CreatingContext);
  const read = useCallback(() => {
    const found = resource(refersTo);
    return found === null ? Promise.resolve(NO_CHOICES) : names.choices(found);
  }, [names, resource, refersTo, made]);
  return useLoaded(read).data ?? NO_CHOICES;
}

/** The names of some records that a field refers to, at least; none while they are loading. */
export function useNames(refersTo: string, ids: readonly string[]): Choices {
  const { names, resource } = useSession();
  const { made } = useContext(CreatingContext);
  const all = ids.join(' ');
  const read = useCallback(() => {
    const found = resource(refersTo);
    if (found === null) return Promise.resolve(NO_CHOICES);
    return found.isSearched ? names.named(found, all.split(' ').filter(Boolean)) : names.choices(found);
  }, [names, resource, refersTo, all, made]);
  return useLoaded(read).data ?? NO_CHOICES;
}

interface PickerProps extends Marks {
  readonly id: string;
  readonly refersTo: string;
  readonly chosen: readonly string[];
  readonly many: boolean;
  /** Whether it adds what it lacks; a filter does not. */
  readonly adds?: boolean;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses the records that a field refers to, by name: one, or an ordered list. */
export function Picker({ refersTo, chosen, many, adds = false, onChange, ...marks }: PickerProps) {
  const { resource, may } = useSession();
  const { create } = useContext(CreatingContext);
  const { byId } = useNames(refersTo, chosen);
  const nameOf = (one: string): string => byId.get(one)?.name ?? one;
  const [single = ''] = chosen;
  const choose = (one: string): void => onChange(many ? [...chosen.filter((other) => other !== one), one] : [one]);
  const target = resource(refersTo);
  const mayAdd = adds && target !== null && isBrief(target.name) && may(target.create);
  const combobox: ComboboxProps = {
    ...marks,
    shown: many || single === '' ? '' : nameOf(single),
    onChoose: choose,
    onClear: () => {
      if (!many) onChange([]);
    },
    onAdd: mayAdd ? (typed) => create({ resource: target, typed, onCreated: choose }) : null,
  };
  const left = many ? chosen : NONE;
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
      {target?.isSearched === true ? (
        <SearchBox {...combobox} resource={target} leftOut={left} />
      ) : (
        <ChoiceBox {...combobox} refersTo={refersTo} leftOut={left} />
      )}
      {many && refersTo === 'Car' && <CarClasses chosen={chosen} onChange={onChange} />}
    </div>
  );
}

const NONE: readonly string[] = [];

interface ComboboxProps extends Marks {
  readonly id: string;
  readonly shown: string;
  readonly onChoose: (id: string) => void;
  readonly onClear: () => void;
  /** Adds what is not there, with what was typed; null: nothing can be added. */
  readonly onAdd: ((typed: string) => void) | null;
}

interface BoxProps extends ComboboxProps {
  /** Ids of records that are not offered. */
  readonly leftOut: readonly string[];
}

/** A combobox of all records of a resource. */
function ChoiceBox({ refersTo, ...box }: BoxProps & { readonly refersTo: string }) {
  const { options } = useChoices(refersTo);
  return <OptionBox {...box} options={options} />;
}

/** A combobox of options. */
export function OptionBox({ options, leftOut, ...box }: BoxProps & { readonly options: readonly Option[] }) {
  const [typed, setTyped] = useState<string | null>(null);
  const matching = useMemo(
    () => optionsFor(options, typed ?? '').filter(({ id }) => !leftOut.includes(id)),
    [options, typed, leftOut],
  );
  const found = matching.slice(0, SHOWN);
  const isLoading = options === NO_CHOICES.options;
  const note = isLoading ? t(common.loading) : noteOf(found.length, matching.length - found.length);
  return <Combobox {...box} typed={typed} onTyped={setTyped} found={found} note={note} isLoading={isLoading} />;
}

/** A combobox of the records that the service finds by what is typed. */
function SearchBox({ resource, leftOut, ...box }: BoxProps & { readonly resource: Resource }) {
  const { names } = useSession();
  const [typed, setTyped] = useState<string | null>(null);
  const read = useCallback(
    (signal: AbortSignal): Promise<FoundOptions> =>
      typed === null ? Promise.resolve(NOTHING_FOUND) : names.find(resource, typed, signal),
    [names, resource, typed],
  );
  const { data, refused, failed } = useLoaded(read);
  const { options, others } = data ?? NOTHING_FOUND;
  const found = options.filter(({ id }) => !leftOut.includes(id));
  const isLoading = data === undefined && refused === undefined;
  let note = noteOf(found.length, others);
  if (isLoading) note = t(failed ? common.unreachable : common.loading);
  if (refused !== undefined) note = messageOf(refused);
  return <Combobox {...box} typed={typed} onTyped={setTyped} found={found} note={note} isLoading={isLoading} />;
}

const NOTHING_FOUND: FoundOptions = { options: [], others: 0 };

/** What is said below the options; empty: nothing. */
function noteOf(found: number, others: number): string {
  if (found === 0) return t(say.nothingFits);
  return others > 0 ? t(say.moreFit, { count: others }) : '';
}

interface OptionsProps {
  /** What was typed; null: the list is closed. */
  readonly typed: string | null;
  readonly onTyped: (typed: string | null) => void;
  readonly found: readonly Option[];
  /** What is said below the options; empty: nothing. */
  readonly note: string;
  /** Whether the options for what was typed are still to come. */
  readonly isLoading: boolean;
}

/** State of a combobox: the active option, and the handling of keys. Behind the options is the one that adds something. */
function useKeys({ typed, onTyped, found, isLoading }: OptionsProps, { onChoose, onAdd }: ComboboxProps) {
  const [active, setActive] = useState(0);
  /** Whether Enter was pressed before the options came: then the first one is chosen. */
  const [isAwaited, setAwaited] = useState(false);
  const isOpen = typed !== null;
  const type = (text: string): void => {
    onTyped(text);
    setActive(0);
    setAwaited(false);
  };
  const open = (): void => {
    if (!isOpen) type('');
  };
  const close = (): void => {
    onTyped(null);
    setAwaited(false);
  };
  const choose = (option: Option | undefined): void => {
    if (option !== undefined) onChoose(option.id);
    close();
  };
  const add = (): void => {
    close();
    onAdd?.((typed ?? '').trim());
  };
  const enter = (): void => {
    if (isLoading) setAwaited(true);
    else if (active === found.length && onAdd !== null) add();
    else choose(found[active]);
  };
  useEffect(() => {
    if (isAwaited && !isLoading) choose(found[0]);
  });
  const last = onAdd === null ? found.length - 1 : found.length;
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setActive(Math.min(active + 1, last)),
    ArrowUp: () => setActive(Math.max(active - 1, 0)),
    Enter: enter,
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
  return { active, isOpen, type, open, close, choose, add, onKeyDown };
}

/** A text input with a list of matching options: arrows and Enter choose, Escape closes the list. */
function Combobox({
  shown,
  onChoose,
  onClear,
  onAdd,
  typed,
  onTyped,
  found,
  note,
  isLoading,
  ...marks
}: ComboboxProps & OptionsProps) {
  const { id } = marks;
  const options = { typed, onTyped, found, note, isLoading };
  const keys = useKeys(options, { id, shown, onChoose, onClear, onAdd });
  const { active, isOpen, type, open, close, choose, add, onKeyDown } = keys;
  const hasOptions = found.length > 0 || onAdd !== null;
  const wanted = (typed ?? '').trim();
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
        aria-activedescendant={isOpen && hasOptions ? `${id}-${active}` : undefined}
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
        {onAdd !== null && !isLoading && (
          <li
            key="add"
            id={`${id}-${found.length}`}
            class="adds"
            role="option"
            aria-selected={active === found.length}
            onMouseDown={(event) => {
              event.preventDefault();
              add();
            }}
          >
            {wanted === '' ? t(tonight.addAnother) : t(tonight.addNamed, { name: wanted })}
          </li>
        )}
        {note !== '' && (
          <li role="option" aria-disabled="true" aria-selected="false">
            {note}
          </li>
        )}
      </ul>
    </>
  );
}
