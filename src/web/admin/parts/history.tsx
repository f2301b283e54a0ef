import { useCallback } from 'preact/hooks';
import { listOf, numberOf, objectOf, textOf, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';
import { inWords, type Field } from '../api/fields.ts';
import { useSession } from '../session.ts';
import { Loading } from './loading.tsx';
import { useLoaded } from './use-loaded.ts';
import { Instant, plainText, Value } from './value.tsx';

interface HistoryProps {
  /** Path of the record in the API. */
  readonly path: string;
  readonly view: readonly Field[];
}

/** Who changed a record, when, why, and from what to what; the newest change first. */
export function History({ path, view }: HistoryProps) {
  const { client } = useSession();
  const read = useCallback(
    async (signal: AbortSignal) => listOf((await client.get(`${path}/history`, signal)).json).map(objectOf),
    [client, path],
  );
  const loaded = useLoaded(read);
  return (
    <section class="history">
      <h2>{t(say.history)}</h2>
      <Loading of={loaded} />
      <ol>
        {[...(loaded.data ?? [])].reverse().map((change) => (
          <Change key={numberOf(change['revision'])} change={change} view={view} />
        ))}
      </ol>
    </section>
  );
}

function Change({ change, view }: { readonly change: JsonObject; readonly view: readonly Field[] }) {
  const reason = textOf(change['reason']);
  const who = textOf(change['apiKeyName']) || textOf(change['keyPrefix']) || textOf(change['apiKeyId']);
  return (
    <li>
      <p>
        <strong>{inWords(textOf(change['type']))}</strong>, <Instant at={textOf(change['at'])} />,{' '}
        {who === '' ? t(say.byService) : t(say.by, { who })}
      </p>
      {reason !== '' && <p class="reason">“{reason}”</p>}
      <ul>
        {listOf(change['changes'])
          .map(objectOf)
          .map(({ field, from, to }) => {
            const shown = view.find(({ name }) => name === field);
            return (
              <li key={textOf(field)}>
                {inWords(textOf(field))}:{' '}
                {shown === undefined ? (
                  `${plainText({ unit: '' }, from)} → ${plainText({ unit: '' }, to)}`
                ) : (
                  <>
                    <Value field={shown} value={from} /> → <Value field={shown} value={to} />
                  </>
                )}
              </li>
            );
          })}
      </ul>
    </li>
  );
}
