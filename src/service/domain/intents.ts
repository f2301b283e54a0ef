import type { CommandsOf, PartialUpdate } from './body-command.ts';
import type { FieldEvent, FieldEvents } from './field-events.ts';
import { whenPresent, type Rejection } from '../kernel/aggregate/decider.ts';
import type { DataOf } from '../kernel/event-types.ts';
import type { JsonObject } from '../kernel/json.ts';

/** What one wants of a resource and one event says: refused where there is no resource, `[]` where it is so already. */
export interface Intent<S, A, E> {
  (state: S | null, asked: A): readonly E[] | Rejection;
  /** What a change asks of it; null: nothing. */
  readonly askedIn: (change: PartialUpdate<S>) => A | null;
}

type IntentOf<T, K extends keyof T> =
  T[K] extends FieldEvent<infer S, infer D, infer _, infer A>
    ? Intent<S, A, { readonly type: K; readonly data: D }>
    : never;

/** The decision on an intent that leads to one event; `refuses` looks at what the event would say. */
export function recording<T extends FieldEvents<never>, K extends keyof T & string>(
  events: T,
  type: K,
  refuses: (data: DataOf<T[K]>) => Rejection | null = () => null,
): IntentOf<T, K> {
  // Its parts are those of this very event.
  const event = events[type] as unknown as FieldEvent<JsonObject, DataOf<T[K]>>;
  const decide = whenPresent((state: JsonObject, asked: object) => {
    const data = event.dataFor(state, asked);
    return data === null ? [] : (refuses(data) ?? [{ type, data }]);
  });
  return Object.assign(decide, { askedIn: (change: JsonObject) => event.askedIn(change) }) as unknown as IntentOf<T, K>;
}

/** The intents, among decisions, that a change comes to, in the order of the decisions. */
export function intentsIn<D extends object>(decisions: D): (change: object) => readonly CommandsOf<D>[] {
  const intents = Object.entries(decisions).filter(
    (entry): entry is [string, Intent<JsonObject, object, unknown>] => 'askedIn' in entry[1],
  );
  return (change) =>
    intents.flatMap(([type, { askedIn }]) => {
      const data = askedIn({ ...change });
      // Each type with the data that it asks for itself.
      return data === null ? [] : [{ type, data } as CommandsOf<D>];
    });
}
