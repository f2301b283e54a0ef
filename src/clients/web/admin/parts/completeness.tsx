import { listOf, numberOf, objectOf, objectsOf, textOf, type Json, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { Loading } from './problem.tsx';
import { useJson } from './use-loaded.ts';
import { Names } from './value.tsx';
import { Table } from './table.tsx';

/** How often, in ms, the figures are requested. */
const EVERY_MS = 10_000;

const HEADINGS = [say.rig, say.boot, say.received, say.missingLaps, say.lateLaps, say.conflicts];

export function Completeness({ path }: { readonly path: string }) {
  const loaded = useJson(path, EVERY_MS);
  const rigs = objectsOf(objectOf(loaded.data)['rigs']);
  const boots = rigs.flatMap((rig) =>
    listOf(rig['boots']).map((boot) => ({ rigId: textOf(rig['rigId']), boot: objectOf(boot) })),
  );
  return (
    <section class="completeness">
      <h2>{t(say.completeness)}</h2>
      <Loading of={loaded} />
      {loaded.data !== undefined && boots.length === 0 && <p class="quiet">{t(say.uncounted)}</p>}
      {boots.length > 0 && (
        <Table label={t(say.completeness)} headings={HEADINGS.map((heading) => t(heading))}>
          {boots.map(({ rigId, boot }) => (
            <Boot key={`${rigId} ${textOf(boot['boot'])}`} rigId={rigId} boot={boot} />
          ))}
        </Table>
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
