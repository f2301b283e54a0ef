import type { CommandsOf, PartialUpdate } from './body-command.ts';
import type { FieldEvent, FieldEvents } from './field-events.ts';
import { whenPresent } from '../kernel/aggregate/decider.ts';
import type { Rejection } from '../kernel/aggregate/rejection.ts';
import type { DataOf } from '../kernel/event-types.ts';
import type { JsonObject } from '../kernel/json.ts';

/** The decision on an intent: refused if there is no resource, `[]` if the intent is in effect, otherwise one event. */
export interface Intent<S, A, E> {
  (state: S | null, asked: A): readonly E[] | Rejection;
  /** The data of the intent in a change of fields; null if the change does not ask for it. */
  readonly askedIn: (change: PartialUpdate<S>) => A | null;
}

type IntentOf<T, K extends keyof T> =
  T[K] extends FieldEvent<infer S, infer D, infer _, infer A>
    ? Intent<S, A, { readonly type: K; readonly data: D }>
    : never;

/** Decides an intent that one event records; `refuses` sees the data of that event. */
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

/** Turns a body with a change of fields into the intents that it asks for, in the order of their decisions. */
export function intentsIn<D extends object>(decisions: D) {
  const intents = Object.entries(decisions).filter(
    (entry): entry is [string, Intent<JsonObject, object, unknown>] => 'askedIn' in entry[1],
  );
  const commands = (change: object): readonly CommandsOf<D>[] =>
    intents.flatMap(([type, { askedIn }]) => {
      const data = askedIn({ ...change });
      // Each type with the data that it asks for itself.
      return data === null ? [] : [{ type, data } as CommandsOf<D>];
    });
  return { commands, intents: true } as const;
}
