import { create, type CreatedResource, type Venue } from './api.ts';
import type { Catalogue, IdLookup } from './catalogue.ts';
import { planLaps, type PlannedLap } from './lap-plan.ts';
import type { RegisteredRig } from './rigs.ts';
import type { JsonValue } from './types.ts';

/** The resources that laps refer to. */
export interface LapReferences {
  readonly catalogue: Catalogue;
  readonly participant: IdLookup;
  readonly rigs: readonly RegisteredRig[];
  readonly eventId: string;
}

/** The body of a lap and the rig that sends it. */
export interface LapRequest {
  readonly rig: RegisteredRig;
  readonly body: { readonly [key: string]: JsonValue };
}

/** Turns a planned lap into a request (docs/interface.md#laps). */
export function lapRequest(lap: PlannedLap, { catalogue, participant, rigs, eventId }: LapReferences): LapRequest {
  const rig = rigs.find(({ name }) => name === lap.rig);
  if (rig === undefined) throw new Error(`the demo's laps refer to ${lap.rig}, which is not among its rigs`);
  const { sectors, totalTime, valid } = lap;
  const body = {
    participantId: participant(lap.person),
    rigId: rig.id,
    eventId,
    sectors,
    totalTime,
    valid,
    carId: catalogue.car(lap.car),
    trackId: catalogue.layout(lap.layout),
  };
  return { rig, body };
}

/** Sends the laps, each with the key of the rig that it was driven on. Throws `DemoError`. */
export async function sendLaps(venue: Venue, references: LapReferences, count: number): Promise<void> {
  await venue.phase<PlannedLap, CreatedResource>('Laps', planLaps(count), (lap) => {
    const { rig, body } = lapRequest(lap, references);
    return create(venue.send, { path: '/api/v1/laps', token: rig.token, kind: 'lap', name: lap.number, body });
  });
}
