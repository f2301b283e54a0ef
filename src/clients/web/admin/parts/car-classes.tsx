import { useCallback, useContext } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { objectsOf, textOf } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import tonight from '../../texts/tonight.json' with { type: 'json' };
import { useSession } from '../session.ts';
import { useLoaded } from './answers.tsx';
import { CreatingContext } from './creating.ts';

interface CarClassesProps {
  /** Ids of the cars that are chosen. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Buttons that choose all cars of a class. */
export function CarClasses({ chosen, onChange }: CarClassesProps) {
  const { client } = useSession();
  const { made } = useContext(CreatingContext);
  const read = useCallback(
    async (signal: AbortSignal) => objectsOf((await client.get('/api/v1/cars', signal)).json),
    [client, made],
  );
  const { data: cars = [] } = useLoaded(read);
  const classes = new Map<string, { readonly name: string; readonly ids: string[] }>();
  for (const car of cars) {
    const id = textOf(car['carClassId']);
    const known = classes.get(id) ?? { name: textOf(car['carClassDisplayName']), ids: [] };
    known.ids.push(textOf(car['id']));
    classes.set(id, known);
  }
  const offered = [...classes].filter(([, { ids }]) => ids.some((id) => !chosen.includes(id)));
  if (offered.length === 0) return null;
  return (
    <div class="actions">
      {offered.map(([id, { name, ids }]) => (
        <Button
          key={id}
          label={t(tonight.allOfClass, { name, count: ids.length })}
          onClick={() => onChange([...new Set([...chosen, ...ids])])}
        />
      ))}
    </div>
  );
}
