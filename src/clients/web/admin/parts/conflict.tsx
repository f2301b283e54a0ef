import { Button } from '../../shared/controls.tsx';
import { sameJson, type Json, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import type { Field } from '../api/fields.ts';
import { Problem, useAction } from './problem.tsx';
import { Table } from './table.tsx';
import { Value } from './value.tsx';

interface ConflictProps {
  readonly fields: readonly Field[];
  /** The record from which the change was made. */
  readonly base: JsonObject;
  /** The changed fields. */
  readonly mine: JsonObject;
  /** The record after somebody else's change. */
  readonly theirs: JsonObject;
  readonly onTheirs: () => void;
  readonly onMine: () => Promise<void>;
}

/** Both versions of a record that two people changed at the same time, and the choice between them. */
export function Conflict({ fields, base, mine, theirs, onTheirs, onMine }: ConflictProps) {
  const { busy, failure, run } = useAction();
  const versions = fields.map((field) => {
    const was = base[field.shownAs];
    return { field, was, mineIs: field.name in mine ? mine[field.name] : was, theirsIs: theirs[field.shownAs] };
  });
  const changed = versions.filter(({ was, mineIs, theirsIs }) => !sameJson(mineIs, was) || !sameJson(theirsIs, was));
  return (
    <div class="conflict" role="alert">
      <h2>{t(say.conflict)}</h2>
      <p>{t(say.conflictMeaning)}</p>
      <Table label={t(say.conflict)} headings={[t(say.field), t(say.mine), t(say.theirs)]}>
        {changed.map(({ field, was, mineIs, theirsIs }) => (
          <tr key={field.name}>
            <th scope="row">{field.label}</th>
            <Side field={field} value={mineIs} was={was} />
            <Side field={field} value={theirsIs} was={was} />
          </tr>
        ))}
      </Table>
      <Problem error={failure} />
      <div class="actions">
        <Button kind="primary" onClick={onTheirs}>
          {t(say.takeTheirs)}
        </Button>
        <Button disabled={busy} onClick={() => run(onMine)}>
          {t(say.applyMine)}
        </Button>
      </div>
    </div>
  );
}

function Side({ was, ...side }: Parameters<typeof Value>[0] & { readonly was: Json | undefined }) {
  const shown = <Value {...side} whole />;
  return <td>{sameJson(side.value, was) ? shown : <strong>{shown}</strong>}</td>;
}
