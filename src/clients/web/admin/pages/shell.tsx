import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Button, ThemeSwitch } from '../../shared/controls.tsx';
import { linkTo, t } from '../../shared/page.ts';
import common from '../../texts/common.json' with { type: 'json' };
import say from '../../texts/admin.json' with { type: 'json' };
import tonight from '../../texts/tonight.json' with { type: 'json' };
import { addressOf, Link, mayLeave, nameWindow, usePlace, type Place } from '../router.tsx';
import { choiceText } from '../api/words.ts';
import { useSession, type Session } from '../session.ts';
import { CreatePage } from './create.tsx';
import { CreatingDialogs } from './creating.tsx';
import { ListPage, type Collection } from './list.tsx';
import { OWN_PAGES, ownPagesIn } from './own-pages.ts';
import { RecordPage } from './record.tsx';
import { setupResources } from './setup-order.ts';
import { UploadsPage } from './uploads.tsx';

export function Shell({ onSignOut }: { readonly onSignOut: () => void }) {
  const { keyName, role } = useSession();
  const place = usePlace();
  const main = useRef<HTMLElement>(null);
  const path = place.parts.join('/');
  const signOut = (): void => {
    if (mayLeave()) onSignOut();
  };
  // A new page: screen readers start at its beginning, as they do after a page load. Not later than it appears: whoever
  // types already would lose the focus.
  useLayoutEffect(() => {
    main.current?.focus();
    scrollTo(0, 0);
    nameWindow(main.current?.querySelector('h1')?.textContent ?? '');
  }, [path]);
  return (
    <div class="shell">
      <header class="top">
        <a href={linkTo('/')}>{t(common.service)}</a>
        <span class="who">
          {keyName} <span class="role">{choiceText(role)}</span>
        </span>
        <ThemeSwitch />
        <Button label={t(say.signOut)} onClick={signOut} />
      </header>
      <Menu here={place.parts[0] ?? ''} />
      <main ref={main} tabIndex={-1}>
        <CreatingDialogs>
          <PageAt key={path} place={place} />
        </CreatingDialogs>
      </main>
    </div>
  );
}

/** Whether the window has room for the menu beside the page. */
const isWide = matchMedia('(width >= 48rem)');

function Menu({ here }: { readonly here: string }) {
  const session = useSession();
  const entry = (name: string, title: string) => (
    <li key={name}>
      <Link to={addressOf(name === '' ? '' : `/${name}`)} current={here === name}>
        {title}
      </Link>
    </li>
  );
  return (
    <nav class="menu" aria-label={t(say.administration)}>
      <ul>{ownPagesIn('day', session).map(({ name, title }) => entry(name, t(title)))}</ul>
      <details open={isWide.matches}>
        <summary>{t(tonight.setup)}</summary>
        <ul>
          {ownPagesIn('setup', session).map(({ name, title }) => entry(name, t(title)))}
          {setupResources(session).map(({ nameInPath, title }) => entry(nameInPath, title))}
          {ownPagesIn('upkeep', session).map(({ name, title }) => entry(name, t(title)))}
        </ul>
      </details>
    </nav>
  );
}

function PageAt({ place: { parts, query } }: { readonly place: Place }) {
  const session = useSession();
  // Before anything is shown: the last page may have been one of another venue's event.
  useMemo(() => session.zone.showOwn(), [session]);
  const [first = ''] = parts;
  const own = OWN_PAGES.find(({ name }) => name === first);
  if (own !== undefined) return <own.page query={query} />;
  const collection = collectionAt(parts, session);
  if (collection === null) return <NoPage />;
  const id = parts.length % 2 === 0 ? (parts.at(-1) ?? '') : '';
  if (id === 'new') return <CreatePage collection={collection} query={query} />;
  if (id !== '') return <RecordPage collection={collection} id={id} />;
  if (collection.resource.name === 'File') return <UploadsPage query={query} />;
  if (!session.may(collection.resource.list)) return <RecordPage collection={collection} id="current" />;
  return <ListPage collection={collection} query={query} />;
}

/** The page of an address that has none. */
function NoPage() {
  return (
    <section>
      <h1>{t(say.noPage)}</h1>
      <p>
        <Link to={addressOf('')}>{t(say.toStart)}</Link>
      </p>
    </section>
  );
}

/** The collection at a path: `/simulators/{id}/cars` has the cars of a simulator. */
function collectionAt(parts: readonly string[], { model }: Session): Collection | null {
  const own = parts.length % 2 === 0 ? parts.slice(0, -1) : parts;
  const pattern = `/api/v1/${own.map((part, index) => (index % 2 === 0 ? part : '{}')).join('/')}`;
  const resource = model.resources.find(({ path }) => path.replaceAll(/\{\w+\}/g, '{}') === pattern);
  if (resource === undefined) return null;
  return { resource, path: `/api/v1/${own.map(encodeURIComponent).join('/')}`, address: `/${own.join('/')}` };
}
