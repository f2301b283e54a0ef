import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../shared/page.ts';
import desk from '../../texts/desk.json' with { type: 'json' };
import type { Option } from '../api/choices.ts';
import { useLoaded } from '../parts/answers.tsx';
import { useSession } from '../session.ts';
import { calledName, firstNameFirst, isNamed, namePartsOf } from './name-parts.ts';

/** Most people who are offered; more letters find fewer. */
const SHOWN = 8;

/** How long, in ms, typing has to rest before the service is asked. */
const REST_MS = 120;

interface PersonSearchProps {
  readonly id: string;
  readonly label: string;
  /** Empty: none. */
  readonly hint: string;
  readonly onPerson: (person: Option) => void;
  /** Somebody who is not found can be added: gets the name as it was typed. */
  readonly onNew?: (name: string) => void;
  /** Gets a name that was entered before it was known who is called that. */
  readonly onTyped?: (name: string) => void;
}

/** People whom the service finds by what was typed; `typed`: for which text they were found. */
interface Found {
  readonly typed: string;
  readonly people: readonly Option[];
}

const NOBODY: Found = { typed: '', people: [] };

/** Finds people as somebody types; the newest result, and whether it is of what is typed now. */
function useFound(typed: string): Found {
  const { names, resource } = useSession();
  const participants = resource('Participant');
  const read = useCallback(
    async (signal: AbortSignal): Promise<Found> => {
      if (typed === '' || participants === null) return { typed, people: [] };
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      if (signal.aborted) return NOBODY;
      const { name: whole } = calledName(typed);
      const { options } = await names.find(participants, firstNameFirst(whole), signal);
      const exact = options.filter(({ ownName }) => isNamed(ownName, whole));
      const others = options.filter(({ ownName }) => !isNamed(ownName, whole));
      return { typed, people: [...exact, ...others].slice(0, SHOWN) };
    },
    [names, participants, typed],
  );
  const { data, refused } = useLoaded(read);
  // A name of very many words can be nobody's who is known.
  if (refused !== undefined) return { typed, people: [] };
  return data ?? NOBODY;
}

/** A choice of the list: somebody known, or, null, the name as it was typed. */
type Choice = Option | null;

/**
 * What the list offers, where somebody can be added: first whoever is called exactly what was typed; otherwise a first and
 * a last name are somebody new, and fewer words the beginning of a name.
 */
function choicesFor(people: readonly Option[], typed: string): readonly Choice[] {
  const { name } = calledName(typed);
  const isKnown = people.some(({ ownName }) => isNamed(ownName, name));
  if (isKnown || namePartsOf(name).lastName === '') return [...people, null];
  return [null, ...people];
}

/** One field in which people are found by name: Enter takes the choice that is marked, and the field is empty for the next. */
export function PersonSearch({ id, label, hint, onPerson, onNew, onTyped }: PersonSearchProps) {
  const [entry, setEntry] = useState('');
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const typed = entry.trim();
  const found = useFound(typed);
  const isFound = found.typed === typed;
  const people = isFound ? found.people : [];
  const choices = onNew !== undefined && isFound ? choicesFor(people, typed) : people;
  const isOpen = typed !== '' && isFound;
  // Where people come one after the other, the field has the focus, unless somebody has begun elsewhere.
  useEffect(() => {
    const isElsewhere = document.activeElement?.matches('input, button, a') === true;
    if (!isElsewhere && onTyped !== undefined) input.current?.focus();
  }, []);
  const change = (text: string): void => {
    setEntry(text);
    setActive(0);
  };
  const take = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    change('');
    if (choice === null) onNew?.(typed);
    else onPerson(choice);
  };
  const step = (by: number): void => setActive((active + by + choices.length) % Math.max(choices.length, 1));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Escape: () => change(''),
    Enter: () => {
      if (isFound) {
        take(choices[active]);
      } else if (onTyped !== undefined) {
        change('');
        onTyped(typed);
      }
    },
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The keys belong to what composes a letter.
    if (event.isComposing) return;
    const handle = keys[event.key];
    if (handle === undefined) return;
    event.preventDefault();
    if (typed !== '') handle();
  };
  return (
    <div class="form-field person-search">
      <label for={id}>{label}</label>
      <div class="picker">
        <input
          ref={input}
          id={id}
          class="field"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          maxLength={240}
          aria-describedby={hint === '' ? undefined : `${id}-hint`}
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && choices.length > 0 ? `${id}-${active}` : undefined}
          value={entry}
          onInput={({ currentTarget }) => change(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <ul id={`${id}-list`} role="listbox" hidden={!isOpen} aria-label={t(desk.people)}>
          {choices.map((choice, index) => (
            <li
              key={choice?.id ?? ''}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              onMouseDown={(event) => {
                // The field keeps the focus for the next one.
                event.preventDefault();
                take(choice);
              }}
            >
              {choice === null ? <NewPerson typed={typed} /> : choice.name}
            </li>
          ))}
          {choices.length === 0 && (
            <li role="option" aria-disabled="true" aria-selected="false">
              {t(desk.nobodyFound)}
            </li>
          )}
        </ul>
      </div>
      {hint !== '' && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Offers to add somebody; the last name, as it will be kept, is set apart. */
function NewPerson({ typed }: { readonly typed: string }) {
  const { name, nickname } = calledName(typed);
  const { firstName, lastName } = namePartsOf(name);
  return (
    <>
      {t(desk.addNew)}{' '}
      <bdi>
        {firstName} <strong>{lastName}</strong>
        {nickname !== null && ` “${nickname}”`}
      </bdi>
    </>
  );
}
