import { lapRequest, type LapReferences } from './laps.ts';
import { planLaps } from './lap-plan.ts';

/** Text with pages to open and requests to try, with the addresses and ids of this service. */
export function nextSteps(url: string, references: LapReferences): string {
  const { eventId } = references;
  const [lap] = planLaps(1);
  const example = lap === undefined ? undefined : lapRequest(lap, references);
  const post =
    example === undefined
      ? ''
      : `curl -s -X POST '${url}/api/v1/laps' -H 'Content-Type: application/json' ` +
        `-H 'X-API-Key: ${example.rig.token}' -d '${JSON.stringify(example.body)}'`;
  return [
    '',
    'Open',
    `  ${url}/swagger-ui`,
    `  ${url}/api/v1/events/${eventId}`,
    `  ${url}/api/v1/events/${eventId}/leaderboard   (who is fastest)`,
    `  ${url}/api/v1/laps/paged?size=20&sort=totalTime   (all laps, fastest first)`,
    `  ${url}/api/v1/participants/paged?size=20`,
    '',
    'Try',
    `  curl -s '${url}/api/v1/laps/paged?page=0&size=5&sort=totalTime,asc'`,
    `  curl -s '${url}/api/v1/events/${eventId}/leaderboard?size=10'`,
    `  ${post}`,
    '  npx sim-racing-timing replay projections/examples/track-records.ts --out records.csv',
    '',
  ].join('\n');
}
