import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { linkTo } from '../shared/page.ts';

/** A location in the administration: the parts of the path after `/admin`, and the query. */
export interface Place {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

const MOVED = 'admin:moved';

/** The address of a place in the administration, without empty parameters; it keeps language, theme and time zone. */
export function addressOf(path: string, query: Readonly<Record<string, string>> = {}): string {
  const base = linkTo(`/admin${path}`);
  const more = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  if (more === '') return base;
  return `${base}${base.includes('?') ? '&' : '?'}${more}`;
}

/** Goes to an address of the administration, without a new page. */
export function go(address: string): void {
  history.pushState(null, '', address);
  dispatchEvent(new Event(MOVED));
}

/** The place that the browser is at. */
export function usePlace(): Place {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const moved = (): void => setPlace(currentPlace());
    addEventListener('popstate', moved);
    addEventListener(MOVED, moved);
    return () => {
      removeEventListener('popstate', moved);
      removeEventListener(MOVED, moved);
    };
  }, []);
  return place;
}

function currentPlace(): Place {
  const parts = location.pathname.split('/').slice(2).filter(Boolean).map(decodeURIComponent);
  return { parts, query: new URLSearchParams(location.search) };
}

interface LinkProps {
  readonly to: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly current?: boolean;
}

/** A link within the administration; with a modifier key or another mouse button it works like any link. */
export function Link({ to, children, current = false, ...rest }: LinkProps) {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a {...rest} href={to} aria-current={current ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
