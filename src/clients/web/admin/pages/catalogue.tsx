import { useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { objectOf, objectsOf, textOf, type JsonObject } from '../../shared/json.ts';
import type { Text } from '../../shared/language.ts';
import { t } from '../../shared/page.ts';
import tonight from '../../texts/tonight.json' with { type: 'json' };
import { Loading, Problem, useAction, useJson } from '../parts/answers.tsx';
import { addressOf, Link } from '../router.tsx';
import { useSession } from '../session.ts';

const PATH = '/api/v1/operations/starter-catalogue';

/** The kinds of items of the starter catalogue, in the order in which a venue needs them. */
const KINDS: readonly { readonly kind: string; readonly title: Text }[] = [
  { kind: 'simulator', title: tonight.simulators },
  { kind: 'circuit', title: tonight.tracks },
  { kind: 'carClass', title: tonight.carClasses },
];

/** The starter catalogue: each item is taken over by one click. */
export function CataloguePage() {
  const loaded = useJson(PATH);
  const items = objectsOf(loaded.data);
  return (
    <section>
      <header class="page-head">
        <h1>{t(tonight.catalogue)}</h1>
        <Link class="button" to={addressOf('')}>
          {t(tonight.backToTonight)}
        </Link>
      </header>
      <p class="quiet">{t(tonight.catalogueMeaning)}</p>
      <Loading of={loaded} />
      {loaded.data !== undefined &&
        KINDS.map(({ kind, title }) => (
          <section key={kind}>
            <h2>{t(title)}</h2>
            <ul class="catalogue">
              {items
                .filter((item) => item['kind'] === kind)
                .map((item) => (
                  <Item key={textOf(item['slug'])} item={item} />
                ))}
            </ul>
          </section>
        ))}
    </section>
  );
}

function Item({ item: listed }: { readonly item: JsonObject }) {
  const { client, names } = useSession();
  const { busy, failure, run } = useAction();
  const [item, setItem] = useState(listed);
  const name = textOf(item['name']);
  const held = objectsOf(item['holds'])
    .filter(({ kind }) => kind !== 'carBrand')
    .map((one) => textOf(one['name']));
  const takeOver = (): void =>
    run(async () => {
      const { json } = await client.send('POST', PATH, { body: { items: [textOf(item['slug'])] } });
      names.forget();
      setItem(objectsOf(objectOf(json)['items'])[0] ?? item);
    });
  return (
    <li class={item['present'] === true ? 'done' : ''}>
      <div>
        <strong>{name}</strong>
        {held.length > 0 && <p class="hint">{held.join(', ')}</p>}
        <Problem error={failure} />
      </div>
      {item['present'] === true ? (
        <span class="good">{`✓ ${t(tonight.present)}`}</span>
      ) : (
        <Button
          label={t(tonight.takeOver)}
          aria-label={t(tonight.takeOverOne, { name })}
          disabled={busy}
          onClick={takeOver}
        />
      )}
    </li>
  );
}
