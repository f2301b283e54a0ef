import { searchable } from '../../shared/fold.ts';
import type { Option } from './choices.ts';
import type { Field } from './fields.ts';

/** Whether a field has the name of a time zone. */
export function isTimeZone({ name, kind }: Pick<Field, 'name' | 'kind'>): boolean {
  return name === 'timeZone' && kind === 'text';
}

/** The name of a time zone for people: `America/New York`. */
export function zoneText(name: string): string {
  return name.replaceAll('_', ' ');
}

/** All time zones that this browser knows, to choose from, by their IANA names. */
export function zoneOptions(): readonly Option[] {
  return Intl.supportedValuesOf('timeZone').map((id): Option => {
    const name = zoneText(id);
    return { id, name, ownName: name, found: searchable(name) };
  });
}
