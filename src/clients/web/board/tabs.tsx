import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Select } from '../shared/controls.tsx';

/** Id of the element that shows the chosen content. */
export const PANEL = 'board';

interface Properties {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly name: string }[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** Tabs, or where they have no room beside each other, a list to choose from. */
export function Tabs(props: Properties) {
  const box = useRef<HTMLDivElement>(null);
  const names = props.tabs.map(({ name }) => name).join('\n');
  const areTooLong = useTooLong(box, names);
  return (
    <div class="chooser" ref={box}>
      {areTooLong ? <TabSelect {...props} /> : <TabList {...props} />}
    </div>
  );
}

/** Whether tabs are wider than the page; measured before they are painted, for each width of the page and other names. */
function useTooLong(box: RefObject<HTMLDivElement | null>, names: string): boolean {
  const [tried, setTried] = useState({ what: '', areTooLong: false });
  const [width, setWidth] = useState(0);
  const what = `${width} ${names}`;
  const areTooLong = tried.what === what && tried.areTooLong;
  useLayoutEffect(() => {
    const list = box.current?.firstElementChild;
    if (tried.what === what || !list) return;
    setTried({ what, areTooLong: list.scrollWidth > list.clientWidth });
  });
  useEffect(() => {
    const around = box.current?.parentElement;
    if (!around) return;
    const observer = new ResizeObserver(() => setWidth(around.clientWidth));
    observer.observe(around);
    return () => observer.disconnect();
  }, []);
  return areTooLong;
}

function TabSelect({ label, tabs, selected, onSelect }: Properties) {
  const known = tabs.some(({ id }) => id === selected) ? [] : [[selected, ''] as const];
  return (
    <label>
      <span class="quiet">{label}</span>{' '}
      <Select
        value={selected}
        options={[...known, ...tabs.map(({ id, name }) => [id, name] as const)]}
        onChange={onSelect}
      />
    </label>
  );
}

/** Tabs as WAI-ARIA describes them: the Tab key stops once; arrow keys, Home and End choose. */
function TabList({ label, tabs, selected, onSelect }: Properties) {
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
