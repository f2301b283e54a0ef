import { useCallback, useState } from 'preact/hooks';
import { listOf, numberOf, objectOf, textOf, type JsonObject } from '../../../shared/json.ts';
import { t } from '../../../shared/page.ts';
import * as say from '../../../texts/admin.ts';
import { Loading } from '../../parts/loading.tsx';
import { Problem } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useLoaded } from '../../parts/use-loaded.ts';
import { Value } from '../../parts/value.tsx';
import { useSession } from '../../session.ts';
import { TableBox } from '../../parts/table-box.tsx';

/** How many are shown, and how often, in ms, they are asked for. */
const SHOWN = { size: 50, everyMs: 5_000 };

const PATH = '/api/v1/operations/dead-letters';

/** Columns, as the API document names them; what the event says opens below. */
const COLUMNS = new Set(['type', 'occurredAt', 'projection', 'error', 'retries', 'retriedAt']);

/** The events that could not be projected, each to be looked at and tried again. */
export function DeadLetters() {
  const { client } = useSession();
  const read = useCallback(
    async (signal: AbortSignal) => objectOf((await client.get(`${PATH}?size=${SHOWN.size}`, signal)).json),
    [client],
  );
  const loaded = useLoaded(read, SHOWN.everyMs);
  const letters = listOf(loaded.data?.['content']).map(objectOf);
  const [said, setSaid] = useState('');
  const onRetried = (outcome: string): void => {
    setSaid(outcome);
    loaded.reload();
  };
  return (
    <section>
      <h2>{t(say.deadLetters, { count: numberOf(loaded.data?.['totalElements']) ?? 0 })}</h2>
      <Loading of={loaded} />
      <p role="status">{said}</p>
      {letters.length > 0 && <Letters letters={letters} onRetried={onRetried} />}
    </section>
  );
}

interface LettersProps {
  readonly letters: readonly JsonObject[];
  /** Told what has come of a retry. */
  readonly onRetried: (outcome: string) => void;
}

function Letters({ letters, onRetried }: LettersProps) {
  const { model } = useSession();
  const columns = model.fields('DeadLetter').filter(({ name }) => COLUMNS.has(name));
  return (
    <TableBox label={t(say.deadLetters, { count: letters.length })}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">{t(say.actions)}</th>
          </tr>
        </thead>
        <tbody>
          {letters.map((letter) => (
            <tr key={textOf(letter['id'])}>
              {columns.map((field) => (
                <td key={field.name}>
                  <Value field={field} value={letter[field.name]} />
                  {field.name === 'type' && <Payload letter={letter} />}
                </td>
              ))}
              <td>
                <Retry id={textOf(letter['id'])} onDone={onRetried} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

/** What the event says, without who it is about: the service masks it. */
function Payload({ letter }: { readonly letter: JsonObject }) {
  return (
    <details>
      <summary>{textOf(letter['id'])}</summary>
      <pre class="code">{JSON.stringify(letter['data'], null, 2)}</pre>
    </details>
  );
}

function Retry({ id, onDone }: { readonly id: string; readonly onDone: (outcome: string) => void }) {
  const { client } = useSession();
  const { busy, failure, run } = useAction();
  const retry = async (): Promise<void> => {
    const { json } = await client.send('POST', `${PATH}/${encodeURIComponent(id)}/retry`);
    const { outcome, error } = objectOf(json);
    const text = outcome === 'projected' ? say.retried : outcome === 'parked' ? say.parkedStill : say.retryAsked;
    onDone(t(text, { id, error: textOf(error) }));
  };
  return (
    <>
      <button
        type="button"
        class="button"
        disabled={busy}
        onClick={() => {
          run(retry);
        }}
      >
        {t(say.retry)}
      </button>
      <Problem error={failure} />
    </>
  );
}
