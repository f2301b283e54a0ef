import { useCallback } from 'preact/hooks';
import { listOf, numberOf, objectOf, textOf, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';
import { inWords, type Field } from '../api/fields.ts';
import type { Resource } from '../api/model.ts';
import { useSession } from '../session.ts';
import { Loading } from './loading.tsx';
import { useLoaded } from './use-loaded.ts';
import { Instant, plainText, Value } from './value.tsx';

/** A field of which nothing is known but its value. */
const PLAIN = { name: '', unit: '' };

interface HistoryProps {
  /** Path of the record in the API. */
  readonly path: string;
  readonly fields: readonly Field[];
}

/** The fields that a history tells of: those that are shown, and those that are sent under another name. */
export function recordedFields({ view, change }: Resource): readonly Field[] {
  return [...view, ...(change?.body ?? [])];
}

/** Who changed a record, when, why, and from what to what; the newest change first. */
export function History({ path, fields }: HistoryProps) {
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
          <Change key={numberOf(change['revision'])} change={change} fields={fields} />
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
        <strong>{inWords(textOf(change['type']))}</strong>, <Instant at={textOf(change['at'])} />,{' '}
        {who === '' ? t(say.byService) : t(say.by, { who })}
      </p>
      {reason !== '' && <p class="reason">“{reason}”</p>}
      <ul>
        {listOf(change['changes'])
          .map(objectOf)
          .map(({ field, from, to }) => {
            const shown = fields.find(({ name }) => name === field);
            return (
              <li key={textOf(field)}>
                {shown?.label ?? inWords(textOf(field))}:{' '}
                {shown === undefined ? (
                  `${plainText(PLAIN, from)} → ${plainText(PLAIN, to)}`
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
