import { Button } from '../../shared/controls.tsx';
import { sameJson, type JsonObject } from '../../shared/json.ts';
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
  const rows = fields
    .map((field) => versionsOf(field, { base, mine, theirs }))
    .filter((row) => row.isMine || row.isTheirs);
  return (
    <div class="conflict" role="alert">
      <h2>{t(say.conflict)}</h2>
      <p>{t(say.conflictMeaning)}</p>
      <Table label={t(say.conflict)} headings={[t(say.field), t(say.mine), t(say.theirs)]}>
        {rows.map(({ field, mineIs, theirsIs, isMine, isTheirs }) => (
          <tr key={field.name}>
            <th scope="row">{field.label}</th>
            <Side field={field} value={mineIs} changed={isMine} />
            <Side field={field} value={theirsIs} changed={isTheirs} />
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

function versionsOf(field: Field, { base, mine, theirs }: Pick<ConflictProps, 'base' | 'mine' | 'theirs'>) {
  const was = base[field.shownAs];
  const mineIs = field.name in mine ? mine[field.name] : was;
  const theirsIs = theirs[field.shownAs];
  return { field, mineIs, theirsIs, isMine: !sameJson(mineIs, was), isTheirs: !sameJson(theirsIs, was) };
}

function Side({ changed, ...side }: Parameters<typeof Value>[0] & { readonly changed: boolean }) {
  const shown = <Value {...side} whole />;
  return <td>{changed ? <strong>{shown}</strong> : shown}</td>;
}
