import { numberOf, objectsOf, textOf, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { inWords, type Field } from '../api/fields.ts';
import type { Resource } from '../api/model.ts';
import { changeText, words } from '../api/words.ts';
import { Loading, useJson } from './answers.tsx';
import { Instant, Value } from './value.tsx';

/** The changes of a record, newest first: who, when, why, and the values before and after. */
export function History({ path, of: { view, change } }: { readonly path: string; readonly of: Resource }) {
  // Some fields have another name in bodies.
  const fields = [...view, ...(change?.body ?? [])];
  const loaded = useJson(`${path}/history`);
  const changes = objectsOf(loaded.data);
  return (
    <section class="history">
      <h2>{t(say.history)}</h2>
      <Loading of={loaded} />
      <ol>
        {[...changes].reverse().map((one) => (
          <Change key={numberOf(one['revision'])} change={one} fields={fields} />
        ))}
      </ol>
    </section>
  );
}

function Change({ change, fields }: { readonly change: JsonObject; readonly fields: readonly Field[] }) {
  const reason = textOf(change['reason']);
  const who = textOf(change['apiKeyName']) || textOf(change['keyPrefix']) || textOf(change['apiKeyId']);
  return (
    <li>
      <p>
        <strong>{changeText(textOf(change['type'])) ?? inWords(textOf(change['type']))}</strong>,{' '}
        <Instant at={textOf(change['at'])} />, {who === '' ? t(say.byService) : t(say.by, { who })}
      </p>
      {reason !== '' && <p class="reason">“{reason}”</p>}
      <ul>
        {objectsOf(change['changes']).map(({ field, from, to }) => {
          const shown = fields.find(({ name }) => name === field);
          return (
            <li key={textOf(field)}>
              {shown?.label ?? words.label('', textOf(field)) ?? inWords(textOf(field))}:{' '}
              <Value field={shown} value={from} /> → <Value field={shown} value={to} />
            </li>
          );
        })}
      </ul>
    </li>
  );
}
