import { useRef } from 'preact/hooks';

/** Id of the element that shows the chosen content. */
export const PANEL = 'board';

interface Properties {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly name: string }[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** Tabs as WAI-ARIA describes them: the Tab key stops once; arrow keys, Home and End choose. */
export function Tabs({ label, tabs, selected, onSelect }: Properties) {
  const list = useRef<HTMLDivElement>(null);
  const isKnown = tabs.some(({ id }) => id === selected);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === selected);
    const last = tabs.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at <= 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const next = moves[event.key] ?? -1;
    const tab = tabs[next];
    if (tab === undefined) return;
    event.preventDefault();
    onSelect(tab.id);
    const button = list.current?.children[next];
    if (button instanceof HTMLElement) button.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {tabs.map(({ id, name }, n) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === selected}
          aria-controls={PANEL}
          tabIndex={id === selected || (!isKnown && n === 0) ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          <bdi>{name}</bdi>
        </button>
      ))}
    </div>
  );
}
