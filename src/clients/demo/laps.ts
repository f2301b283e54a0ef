import type { components } from '../generated/api.ts';
import type { Catalogue } from './catalogue.ts';
import { planLaps, type PlannedLap } from './lap-plan.ts';
import { create, type CreatedResource, type IdLookup, type Venue } from './resources.ts';
import type { Rig } from './venue.ts';

export interface LapReferences {
  readonly catalogue: Catalogue;
  readonly participant: IdLookup;
  readonly rigs: readonly Rig[];
  readonly eventId: string;
}

function lapRequest(lap: PlannedLap, { catalogue, participant, rigs, eventId }: LapReferences) {
  const rig = rigs.find(({ name }) => name === lap.rig);
  if (rig === undefined) throw new Error(`the demo's laps refer to ${lap.rig}, which is not among its rigs`);
  const { sectors, totalTime, valid } = lap;
  const body: components['schemas']['RecordLap'] = {
    participantId: participant(lap.person),
    rigId: rig.id,
    eventId,
    sectors: [...sectors],
    totalTime,
    valid,
    carId: catalogue.car(lap.car),
    trackId: catalogue.layout(lap.layout),
  };
  return { rig, body };
}

/** Sends a lap with the key of the rig that it was driven on. @throws {Failure} */
export function sendLap(venue: Venue, references: LapReferences, lap: PlannedLap): Promise<CreatedResource> {
  const { rig, body } = lapRequest(lap, references);
  const resource = { name: lap.number, body };
  return create(venue, { kind: 'lap', post: (request) => rig.client.POST('/api/v1/laps', request) }, resource);
}

export function pagesOf(url: string, eventId: string): readonly string[] {
  return [
    'Open',
    `  ${url}/   (all events)`,
    `  ${url}/events/${eventId}   (the board, for a screen and for a phone)`,
    `  ${url}/overlay/${eventId}   (the same over a video)`,
    `  ${url}/admin   (administration, with the ADMIN key)`,
  ];
}

/** Text with pages to open and requests to try, with the addresses and ids of this service. */
export function nextSteps(url: string, references: LapReferences): string {
  const { eventId } = references;
  const posts = planLaps(1).map((lap) => {
    const { rig, body } = lapRequest(lap, references);
    return (
      `  curl -s -X POST '${url}/api/v1/laps' -H 'Content-Type: application/json' ` +
      `-H 'X-API-Key: ${rig.token}' -d '${JSON.stringify(body)}'`
    );
  });
  return [
    '',
    ...pagesOf(url, eventId),
    `  ${url}/swagger-ui`,
    `  ${url}/api/v1/events/${eventId}`,
    `  ${url}/api/v1/events/${eventId}/leaderboard   (who is fastest on its first layout, and which others there are)`,
    `  ${url}/api/v1/events/${eventId}/results.csv   (the same, to print)`,
    `  ${url}/api/v1/laps/paged?size=20&sort=totalTime&minTotalTime=1   (all laps, fastest first)`,
    `  ${url}/api/v1/participants/paged?size=20`,
    '',
    'Try',
    `  curl -s '${url}/api/v1/laps/paged?page=0&size=5&sort=totalTime,asc&minTotalTime=1'`,
    `  curl -s '${url}/api/v1/events/${eventId}/leaderboard?size=10'`,
    ...posts,
    '  npx sim-racing-timing replay docs/examples/track-records.ts --out records.csv',
    '',
  ].join('\n');
}
