import { connect, type WaitObserver } from '../connection.ts';
import { fillCatalogue } from './catalogue.ts';
import { HOTLAP_EVENT } from './data.ts';
import { planLaps } from './lap-plan.ts';
import { nextSteps, pagesOf, sendLap } from './laps.ts';
import { driveLive, type LiveOptions } from './live.ts';
import type { RunPhase } from './phases.ts';
import { allAssets, upload } from './pictures.ts';
import { idsOf, type Demo } from './resources.ts';
import { createEvents, openVenue, registerRigs, signUpPeople } from './venue.ts';

export interface DemoSettings {
  /** Base address of the service, without a slash at its end. */
  readonly url: string;
  readonly adminToken: string;
  readonly laps: number;
  /** How many times as fast as at a venue laps are driven after that, until the signal aborts; null: none are. */
  readonly pace: number | null;
}

/** How often the demo sends a request at most: the pauses add up to some ten seconds. */
const ATTEMPTS = 8;

/**
 * Fills a running service through its public API: a venue with its catalogue, rigs, competitors, events and laps; safe
 * to repeat. Then, with a pace, drives laps until the signal aborts.
 * @throws {Failure}
 * @throws the reason of the signal when it aborts before everything was created
 */
export async function fillService(
  { url, adminToken, laps, pace }: DemoSettings,
  {
    out,
    phase,
    signal,
    waiting,
  }: Pick<LiveOptions, 'out' | 'signal'> & { readonly phase: RunPhase; readonly waiting: WaitObserver },
): Promise<void> {
  const once = connect({ url, token: adminToken, signal, attempts: 1, waiting });
  await once.answered(() => once.GET('/actuator/health'));
  const demo: Demo = { connect: (token) => connect({ url, token, signal, attempts: ATTEMPTS, waiting }), phase };
  const admin = demo.connect(adminToken);
  const venue = await openVenue(demo, admin);
  out.write(`Filling ${url} with the demo venue\n`);
  await phase('Pictures', allAssets(), (asset) => upload(venue, asset));
  const catalogue = await fillCatalogue(venue);
  const rigs = await registerRigs(venue);
  const participant = await signUpPeople(venue, admin);
  const racingEvent = await createEvents(venue, catalogue, idsOf(rigs));
  const references = { catalogue, participant, rigs, eventId: racingEvent(HOTLAP_EVENT) };
  await phase('Laps', planLaps(laps), (lap) => sendLap(venue, references, lap));
  if (pace === null) out.write(nextSteps(url, references));
  else {
    out.write(['', ...pagesOf(url, references.eventId), '', 'Driving; Ctrl-C ends it.', ''].join('\n'));
    await driveLive({ venue, references, pace, out, signal });
  }
}
