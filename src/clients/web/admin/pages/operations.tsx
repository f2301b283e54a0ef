import { useState } from 'preact/hooks';
import { isObject, numberOf, objectOf, objectsOf, textOf, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import { duration } from '../../shared/times.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { Confirmed } from '../parts/dialog.tsx';
import { ActionButton, Loading, useJson } from '../parts/answers.tsx';
import { Facts, Table, Value, plainText } from '../parts/value.tsx';
import { useSession } from '../session.ts';

/** How often, in ms, the status is requested. */
const STATUS_EVERY_MS = 2_000;

export function OperationsPage() {
  const loaded = useJson('/api/v1/operations/status', STATUS_EVERY_MS);
  const status = objectOf(loaded.data);
  return (
    <section class="operations">
      <h1>{t(say.operations)}</h1>
      <Loading of={loaded} />
      {loaded.data !== undefined && (
        <>
          <p class="quiet">
            {t(say.versions, { version: plainText(status['version']), models: plainText(status['readModelVersion']) })}
          </p>
          <Health health={objectOf(status['health'])} />
          <Part name="projection" status={status} />
          <Part name="lease" status={status} />
          <Part name="generation" status={status} />
          <Rebuild rebuild={objectOf(status['rebuild'])} onAsked={loaded.reload} />
        </>
      )}
      <DeadLetters />
    </section>
  );
}

function Health({ health }: { readonly health: JsonObject }) {
  const components = Object.entries(objectOf(health['components'])).map(
    ([name, one]) => [name, objectOf(one)] as const,
  );
  return (
    <section>
      <h2>
        {t(say.health)} <Status status={textOf(health['status'])} />
      </h2>
      <Table label={t(say.health)}>
        {components.map(([name, { status, ...details }]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <Status status={textOf(status)} />
            </td>
            <td>{plainText(details)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Status({ status }: { readonly status: string }) {
  return <span class={status === 'UP' ? 'good' : 'bad'}>{status}</span>;
}

/** A part of the status; unknown if a store does not answer. */
function Part({ name, status }: { readonly name: 'projection' | 'lease' | 'generation'; readonly status: JsonObject }) {
  const { model } = useSession();
  const value = status[name];
  return (
    <section>
      <h2>{t(say[name])}</h2>
      {isObject(value) ? (
        <Facts fields={model.fields('OperationsStatus', name)} record={value} />
      ) : (
        <p class="bad">{t(say.unknown)}</p>
      )}
    </section>
  );
}

/** Phases in which no rebuild is running. */
const AT_REST = new Set(['none', 'done', 'failed']);

/** Fields of a rebuild that are not shown, or not as facts. */
const LEFT_OUT = new Set(['id', 'apiKeyId', 'licenseId', 'progress']);

/** The current rebuild of the read models, with its remaining time, or the last one. */
function Rebuild({ rebuild, onAsked }: { readonly rebuild: JsonObject; readonly onAsked: () => void }) {
  const { client, model } = useSession();
  const phase = textOf(rebuild['phase']);
  const isRunning = phase !== '' && !AT_REST.has(phase);
  const start = async (): Promise<void> => {
    await client.send('POST', '/api/v1/operations/rebuild');
    onAsked();
  };
  return (
    <section class="rebuild">
      <h2>{t(say.rebuild)}</h2>
      {isRunning && <Progress progress={objectOf(rebuild['progress'])} />}
      <Facts fields={model.fields('Rebuild').filter(({ name }) => !LEFT_OUT.has(name))} record={rebuild} />
      {!isRunning && (
        <Confirmed label={t(say.startRebuild)} onConfirm={start}>
          <p>{t(say.rebuildQuestion)}</p>
        </Confirmed>
      )}
    </section>
  );
}

function Progress({ progress }: { readonly progress: JsonObject }) {
  const percent = numberOf(progress['percent']);
  const eta = numberOf(progress['etaMs']);
  return (
    <p class="progress">
      <progress max={100} value={percent} aria-label={t(say.rebuild)} />
      {percent !== undefined &&
        t(say.progress, {
          percent,
          events: numberOf(progress['events']) ?? 0,
          rate: numberOf(progress['eventsPerSecond']) ?? 0,
        })}
      {eta !== undefined && ` ${t(say.eta, { eta: duration(eta) })}`}
    </p>
  );
}

/** How many are shown, and how often, in ms, they are requested. */
const LETTERS = { size: 50, everyMs: 5_000 };

const PATH = '/api/v1/operations/dead-letters';

/** Fields of the API document that are columns; the data of the event unfolds below its type. */
const COLUMNS = new Set(['type', 'occurredAt', 'projection', 'error', 'retries', 'retriedAt']);

function DeadLetters() {
  const { client, model } = useSession();
  const columns = model.fields('DeadLetter').filter(({ name }) => COLUMNS.has(name));
  const loaded = useJson(`${PATH}?size=${LETTERS.size}`, LETTERS.everyMs);
  const { content, totalElements } = objectOf(loaded.data);
  const letters = objectsOf(content);
  const title = t(say.deadLetters, { count: numberOf(totalElements) ?? 0 });
  const [message, setMessage] = useState('');
  const retry = async (id: string): Promise<void> => {
    const { json } = await client.send('POST', `${PATH}/${encodeURIComponent(id)}/retry`);
    const { outcome, error } = objectOf(json);
    const text = outcome === 'projected' ? say.retried : outcome === 'parked' ? say.parkedStill : say.retryAsked;
    setMessage(t(text, { id, error: textOf(error) }));
    loaded.reload();
  };
  return (
    <section>
      <h2>{title}</h2>
      <Loading of={loaded} />
      <p role="status">{message}</p>
      {letters.length > 0 && (
        <Table label={title} headings={[...columns.map(({ label }) => label), t(say.actions)]}>
          {letters.map((letter) => (
            <tr key={textOf(letter['id'])}>
              {columns.map((field) => (
                <td key={field.name}>
                  <Value field={field} value={letter[field.name]} />
                  {field.name === 'type' && (
                    <details>
                      <summary>{textOf(letter['id'])}</summary>
                      {/* The data of the event, in which the service masks personal data. */}
                      <pre class="code">{JSON.stringify(letter['data'], null, 2)}</pre>
                    </details>
                  )}
                </td>
              ))}
              <td>
                <ActionButton label={t(say.retry)} onAction={() => retry(textOf(letter['id']))} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
