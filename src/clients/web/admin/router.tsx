import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { withoutBase } from '../shared/base.ts';
import { linkTo, t } from '../shared/page.ts';
import say from '../texts/admin.json' with { type: 'json' };
import common from '../texts/common.json' with { type: 'json' };

/** A location in the administration. */
export type Place = Readonly<ReturnType<typeof currentPlace>>;

const MOVED = 'admin:moved';

/** The address of a place in the administration, without empty parameters; it keeps language, theme and time zone. */
export function addressOf(path: string, query: Readonly<Record<string, string>> = {}): string {
  return linkTo(`/admin${path}`, query);
}

/** How many forms have entries that are not saved: a dialog may have one above that of the page. */
let unsavedForms = 0;

/** Keeps people from leaving the page by mistake while a form has unsaved entries. */
export function useUnsaved(isUnsaved: boolean): void {
  // With what is shown, not after it: a person who sees that entries are saved may leave at once.
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const stay = (event: BeforeUnloadEvent): void => event.preventDefault();
    unsavedForms += 1;
    addEventListener('beforeunload', stay);
    return () => {
      unsavedForms -= 1;
      removeEventListener('beforeunload', stay);
    };
  }, [isUnsaved]);
}

/** Asks whether to leave entries that have not been saved; true if there are none. */
export function mayLeave(): boolean {
  return unsavedForms === 0 || confirm(t(say.unsaved));
}

/** Goes to an address of the administration, without a new page, unless unsaved entries keep people here. */
export function follow(address: string): void {
  if (mayLeave()) go(address);
}

/** Goes to an address of the administration, without a new page. */
export function go(address: string): void {
  history.pushState(null, '', address);
  dispatchEvent(new Event(MOVED));
}

/** Replaces the address by another one of the same page, such as that of a search while somebody is typing. */
export function replaceAddress(address: string): void {
  history.replaceState(null, '', address);
  dispatchEvent(new Event(MOVED));
}

export function usePlace(): Place {
  const [place, setPlace] = useState(currentPlace);
  // With the first page, not after it: a person who sees a link may follow it at once.
  useLayoutEffect(() => {
    let address = location.href;
    const moved = (): void => {
      address = location.href;
      setPlace(currentPlace());
    };
    const wentBack = (): void => {
      if (mayLeave()) moved();
      else history.pushState(null, '', address);
    };
    const over = new AbortController();
    addEventListener('popstate', wentBack, { signal: over.signal });
    addEventListener(MOVED, moved, { signal: over.signal });
    return () => over.abort();
  }, []);
  return place;
}

/** The parts of the path after `/admin`, and the query. */
function currentPlace() {
  const parts = withoutBase(location.pathname).split('/').slice(2).filter(Boolean).map(decodeURIComponent);
  return { parts, query: new URLSearchParams(location.search) };
}

/** Gives the window the title of the page that it shows; empty: that of the administration. */
export function nameWindow(title: string): void {
  document.title = [...new Set([title, t(say.administration), t(common.service)])].filter(Boolean).join(' – ');
}

interface LinkProps {
  readonly to: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly current?: boolean;
}

/** A link within the administration; with a modifier key or another mouse button it works like any link. */
export function Link({ to, current = false, ...rest }: LinkProps) {
  const click = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    follow(to);
  };
  return <a {...rest} href={to} aria-current={current ? 'page' : undefined} onClick={click} />;
}
