import { useCallback } from 'preact/hooks';
import { listOf, numberOf, objectOf, textOf, type Json, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';
import { useSession } from '../session.ts';
import { Loading } from './loading.tsx';
import { useLoaded } from './use-loaded.ts';
import { Names } from './value.tsx';
import { TableBox } from './table-box.tsx';

/** How often, in ms, it is read again. */
const EVERY_MS = 10_000;

/** Which numbered laps of rigs have come in, and which are missing. */
export function Completeness({ path }: { readonly path: string }) {
  const { client } = useSession();
  const read = useCallback(
    async (signal: AbortSignal) => listOf(objectOf((await client.get(path, signal)).json)['rigs']).map(objectOf),
    [client, path],
  );
  const loaded = useLoaded(read, EVERY_MS);
  const boots = (loaded.data ?? []).flatMap((rig) =>
    listOf(rig['boots']).map((boot) => ({ rigId: textOf(rig['rigId']), boot: objectOf(boot) })),
  );
  return (
    <section class="completeness">
      <h2>{t(say.completeness)}</h2>
      <Loading of={loaded} />
      {loaded.data !== null && boots.length === 0 && <p class="quiet">{t(say.uncounted)}</p>}
      {boots.length > 0 && (
        <TableBox label={t(say.completeness)}>
          <table>
            <thead>
              <tr>
                {[say.rig, say.boot, say.received, say.missingLaps, say.lateLaps, say.conflicts].map((heading) => (
                  <th key={heading.en} scope="col">
                    {t(heading)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {boots.map(({ rigId, boot }) => (
                <Boot key={`${rigId} ${textOf(boot['boot'])}`} rigId={rigId} boot={boot} />
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
    </section>
  );
}

function Boot({ rigId, boot }: { readonly rigId: string; readonly boot: JsonObject }) {
  const missing = ranges(boot['missing']);
  return (
    <tr>
      <th scope="row">
        <Names refersTo="Rig" ids={[rigId]} />
      </th>
      <td>{textOf(boot['boot'])}</td>
      <td class="numbers">{`${numberOf(boot['received']) ?? ''} / ${numberOf(boot['expected']) ?? ''}`}</td>
      <td class={missing === '' ? 'good' : 'bad'}>{missing || t(say.nothing)}</td>
      <td>{ranges(boot['late']) || t(say.nothing)}</td>
      <td class={ranges(boot['conflicts']) === '' ? '' : 'bad'}>{ranges(boot['conflicts']) || t(say.nothing)}</td>
    </tr>
  );
}

/** Numbers, and ranges of them: `12, 39–40`. */
function ranges(value: Json | undefined): string {
  return listOf(value)
    .map((one) => [...new Set(Array.isArray(one) ? one : [one])].map(String).join('–'))
    .join(', ');
}
