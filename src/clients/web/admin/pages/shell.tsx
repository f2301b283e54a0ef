import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button, ThemeSwitch } from '../../shared/controls.tsx';
import { linkTo, t } from '../../shared/page.ts';
import common from '../../texts/common.json' with { type: 'json' };
import say from '../../texts/admin.json' with { type: 'json' };
import { addressOf, Link, mayLeave, nameWindow, usePlace, type Place } from '../router.tsx';
import type { Resource } from '../api/model.ts';
import { useSession, type Session } from '../session.ts';
import { CreatePage } from './create.tsx';
import { ListPage, type Collection } from './list.tsx';
import { OperationsPage } from './operations.tsx';
import { RecordPage } from './record.tsx';
import { ReviewPage } from './review.tsx';
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
          {keyName} <span class="role">{role}</span>
        </span>
        <ThemeSwitch />
        <Button label={t(say.signOut)} onClick={signOut} />
      </header>
      <Menu here={place.parts[0] ?? ''} />
      <main ref={main} tabIndex={-1}>
        <PageAt key={path} place={place} />
      </main>
    </div>
  );
}

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
      <ul>
        {entry('', t(say.start))}
        {entry('review', t(say.review))}
        {session.mayCall('POST', '/api/v1/cdn') && entry('uploads', t(say.uploads))}
        {session.mayCall('GET', '/api/v1/operations/status') && entry('operations', t(say.operations))}
      </ul>
      <h2>{t(say.records)}</h2>
      <ul>{listed(session).map(({ nameInPath, title }) => entry(nameInPath, title))}</ul>
    </nav>
  );
}

/** The resources that have a page of their own, of those that the key may see. */
function listed({ model, may }: Session): readonly Resource[] {
  return model.resources.filter(
    ({ path, list, current }) => !path.includes('{') && (may(list) || (list.role === 'ADMIN' && may(current))),
  );
}

function StartPage() {
  const session = useSession();
  return (
    <section>
      <h1>{t(say.administration)}</h1>
      <p class="quiet">{t(say.startMeaning)}</p>
      <ul class="cards">
        {listed(session).map(({ name, nameInPath, title, description }) => (
          <li key={name}>
            <Link to={addressOf(`/${nameInPath}`)}>
              <strong>{title}</strong>
            </Link>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const PAGES: Readonly<Record<string, FunctionComponent<{ readonly query: URLSearchParams }>>> = {
  '': StartPage,
  review: ReviewPage,
  uploads: UploadsPage,
  operations: OperationsPage,
};

function PageAt({ place: { parts, query } }: { readonly place: Place }) {
  const session = useSession();
  const [first = ''] = parts;
  const Own = PAGES[first];
  if (Own !== undefined) return <Own query={query} />;
  const collection = collectionAt(parts, session);
  if (collection === null) return <p>{t(say.noPage)}</p>;
  const id = parts.length % 2 === 0 ? (parts.at(-1) ?? '') : '';
  if (id === 'new') return <CreatePage collection={collection} />;
  if (id !== '') return <RecordPage collection={collection} id={id} />;
  if (!session.may(collection.resource.list)) return <RecordPage collection={collection} id="current" />;
  return <ListPage collection={collection} query={query} />;
}

/** The collection at a path: `/simulators/{id}/cars` has the cars of a simulator. */
function collectionAt(parts: readonly string[], { model }: Session): Collection | null {
  const own = parts.length % 2 === 0 ? parts.slice(0, -1) : parts;
  const pattern = `/api/v1/${own.map((part, index) => (index % 2 === 0 ? part : '{}')).join('/')}`;
  const resource = model.resources.find(({ path }) => path.replaceAll(/\{\w+\}/g, '{}') === pattern);
  if (resource === undefined) return null;
  return { resource, path: `/api/v1/${own.map(encodeURIComponent).join('/')}`, address: `/${own.join('/')}` };
}
