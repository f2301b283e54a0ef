import { z } from 'zod';
import { decider, whenAbsent, whenPresent, type Claim, type Decider } from '../../../src/kernel/aggregate/decider.ts';
import { reject } from '../../../src/kernel/aggregate/rejection.ts';
import { eventType } from '../../../src/kernel/event-types.ts';

/** A toy aggregate that may hold a unique key and takes notes. Repeating a note adds another one. */
export interface Thing {
  readonly key: string | null;
  readonly notes: readonly string[];
}

export type ThingCommand =
  | { readonly type: 'MakeThing'; readonly data: { readonly key: string | null; readonly note: string } }
  /** `key: null` gives the key up; a missing field stays as it is. */
  | { readonly type: 'ChangeThing'; readonly data: { readonly key?: string | null; readonly note?: string } };

export type ThingDecider = Decider<Thing | null, ThingCommand>;

const key = z.string().nullable();
const lasting = { ThingMade: eventType(z.object({ key })), ThingNoted: eventType(z.object({ note: z.string() })) };
const oldEvents = { ...lasting, ThingRekeyed: eventType(z.object({ key })) };
const newEvents = {
  ...lasting,
  ThingRekeyed: eventType(z.object({ to: key, reason: z.string() }), ({ key }) => ({ to: key, reason: 'unknown' })),
};

export const thingClaim: Claim<Thing | null> = {
  category: 'thingKey',
  key: (state) => state?.key ?? null,
  taken: reject('TAKEN', 'Another thing has this key.', '/key'),
};

const nothing: Thing = { key: null, notes: [] };
const common = { category: 'thing', claim: thingClaim } as const;
const evolve = {
  ThingMade: (_: Thing | null, data: { key: string | null }): Thing => ({ ...nothing, key: data.key }),
  ThingNoted: (thing: Thing | null, { note }: { note: string }): Thing => ({
    ...nothing,
    ...thing,
    notes: [...(thing?.notes ?? []), note],
  }),
};

const noted = (note?: string) => (note === undefined ? [] : [{ type: 'ThingNoted', data: { note } } as const]);

/** What both releases decide, which record another key each in their own version. */
const decides = <E>(rekeyed: (to: string | null) => E) => ({
  MakeThing: whenAbsent((data: { key: string | null; note: string }) => [
    { type: 'ThingMade', data: { key: data.key } } as const,
    ...noted(data.note),
  ]),
  ChangeThing: whenPresent((thing: Thing, { key, note }: Extract<ThingCommand, { type: 'ChangeThing' }>['data']) => [
    ...(key === undefined || key === thing.key ? [] : [rekeyed(key)]),
    ...noted(note),
  ]),
});

/** The decider of a release that only knows version 1 of `ThingRekeyed`. */
export const oldThing: ThingDecider = decider<Thing, ThingCommand, typeof oldEvents>({
  ...common,
  events: oldEvents,
  evolve: { ...evolve, ThingRekeyed: (thing, { key }) => ({ ...nothing, ...thing, key }) },
  decide: decides((to) => ({ type: 'ThingRekeyed', data: { key: to } }) as const),
});

/** The decider of the next release, which records version 2 of `ThingRekeyed`. */
export const thing: ThingDecider = decider<Thing, ThingCommand, typeof newEvents>({
  ...common,
  events: newEvents,
  evolve: { ...evolve, ThingRekeyed: (thing, { to }) => ({ ...nothing, ...thing, key: to }) },
  decide: decides((to) => ({ type: 'ThingRekeyed', data: { to, reason: 'asked' } }) as const),
});
