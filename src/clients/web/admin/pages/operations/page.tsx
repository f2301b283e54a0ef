import { isObject, objectOf, textOf, type Json, type JsonObject } from '../../../shared/json.ts';
import { t } from '../../../shared/page.ts';
import * as say from '../../../texts/admin.ts';
import { Facts } from '../../parts/facts.tsx';
import { Loading } from '../../parts/loading.tsx';
import { useJson } from '../../parts/use-loaded.ts';
import { plainText } from '../../parts/value.tsx';
import { useSession } from '../../session.ts';
import { DeadLetters } from './dead-letters.tsx';
import { Rebuild } from './rebuild.tsx';
import { TableBox } from '../../parts/table-box.tsx';

/** How often, in ms, the status is requested. */
const EVERY_MS = 2_000;

/** Status of the service, with actions for operators. */
export function OperationsPage() {
  const loaded = useJson('/api/v1/operations/status', EVERY_MS);
  const status = objectOf(loaded.data);
  return (
    <section class="operations">
      <h1>{t(say.operations)}</h1>
      <Loading of={loaded} />
      {loaded.data !== null && (
        <>
          <p class="quiet">
            {t(say.versions, { version: plain(status['version']), models: plain(status['readModelVersion']) })}
          </p>
          <Health health={objectOf(status['health'])} />
          <Part title={t(say.projection)} name="projection" status={status} />
          <Part title={t(say.lease)} name="lease" status={status} />
          <Part title={t(say.generation)} name="generation" status={status} />
          <Rebuild rebuild={objectOf(status['rebuild'])} onAsked={loaded.reload} />
        </>
      )}
      <DeadLetters />
    </section>
  );
}

function plain(value: Json | undefined): string {
  return plainText({ name: '', unit: '' }, value);
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
      <TableBox label={t(say.health)}>
        <table>
          <tbody>
            {components.map(([name, { status, ...details }]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <Status status={textOf(status)} />
                </td>
                <td>{plain(details)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </section>
  );
}

function Status({ status }: { readonly status: string }) {
  return <span class={status === 'UP' ? 'good' : 'bad'}>{status}</span>;
}

interface PartProps {
  readonly title: string;
  /** Name of the property of the status. */
  readonly name: string;
  readonly status: JsonObject;
}

/** A part of the status; unknown while a store does not answer. */
function Part({ title, name, status }: PartProps) {
  const { model } = useSession();
  const value = status[name];
  return (
    <section>
      <h2>{title}</h2>
      {isObject(value) ? (
        <Facts fields={model.fields('OperationsStatus', name)} record={value} />
      ) : (
        <p class="bad">{t(say.unknown)}</p>
      )}
    </section>
  );
}
