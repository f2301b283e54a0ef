import type { JsonObject } from '../../shared/json.ts';
import type { Field } from '../api/fields.ts';
import { Value } from './value.tsx';

interface FactsProps {
  readonly fields: readonly Field[];
  readonly record: JsonObject;
}

/** Fields of a record with their values. */
export function Facts({ fields, record }: FactsProps) {
  return (
    <dl class="facts">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <Value field={field} value={record[field.name]} whole />
          </dd>
        </div>
      ))}
    </dl>
  );
}
