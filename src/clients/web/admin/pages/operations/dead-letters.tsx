import { useState } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { listOf, numberOf, objectOf, textOf, type JsonObject } from '../../../shared/json.ts';
import { t } from '../../../shared/page.ts';
import * as say from '../../../texts/admin.ts';
import { Loading } from '../../parts/loading.tsx';
import { Problem } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useJson } from '../../parts/use-loaded.ts';
import { Value } from '../../parts/value.tsx';
import { useSession } from '../../session.ts';
import { Table } from '../../parts/table-box.tsx';

/** How many are shown, and how often, in ms, they are requested. */
const SHOWN = { size: 50, everyMs: 5_000 };

const PATH = '/api/v1/operations/dead-letters';

/** Fields of the API document that are columns; the data of the event unfolds below its type. */
const COLUMNS = new Set(['type', 'occurredAt', 'projection', 'error', 'retries', 'retriedAt']);

/** The events that could not be projected, each with a button to retry it. */
export function DeadLetters() {
  const loaded = useJson(`${PATH}?size=${SHOWN.size}`, SHOWN.everyMs);
  const { content, totalElements } = objectOf(loaded.data);
  const letters = listOf(content).map(objectOf);
  const [said, setSaid] = useState('');
  const onRetried = (outcome: string): void => {
    setSaid(outcome);
    loaded.reload();
  };
  return (
    <section>
      <h2>{t(say.deadLetters, { count: numberOf(totalElements) ?? 0 })}</h2>
      <Loading of={loaded} />
      <p role="status">{said}</p>
      {letters.length > 0 && <Letters letters={letters} onRetried={onRetried} />}
    </section>
  );
}

interface LettersProps {
  readonly letters: readonly JsonObject[];
  /** Called with the outcome of a retry. */
  readonly onRetried: (outcome: string) => void;
}

function Letters({ letters, onRetried }: LettersProps) {
  const { model } = useSession();
  const columns = model.fields('DeadLetter').filter(({ name }) => COLUMNS.has(name));
  return (
    <Table
      label={t(say.deadLetters, { count: letters.length })}
      headings={[...columns.map(({ label }) => label), t(say.actions)]}
    >
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
    </Table>
  );
}

/** The data of the event; the service masks personal data. */
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
      <Button disabled={busy} onClick={() => run(retry)}>
        {t(say.retry)}
      </Button>
      <Problem error={failure} />
    </>
  );
}
