import type { CaptureRecord } from '../../src/clients/bridge/capture.ts';
import type { GameName } from '../../src/clients/bridge/games/games.ts';
import { CapturePlan, type BridgePlan } from '../../src/clients/bridge/plan.ts';

/** The plan of what came from a game. */
export function planOf(game: GameName, records: readonly CaptureRecord[]): BridgePlan {
  const plan = new CapturePlan(game);
  for (const { at, payload } of records) plan.add(payload, at);
  return plan.finish();
}

/** The laps of a plan, as numbers and times, session by session. */
export function timesOf({ sessions }: BridgePlan): readonly (readonly (readonly [lap: number, ms: number | null])[])[] {
  return sessions.map(({ laps }) => laps.map(({ lap, ms }) => [lap, ms] as const));
}

/** Payloads, one every `everyMs`. */
export function recordsOf(payloads: readonly Uint8Array[], everyMs = 1_000): readonly CaptureRecord[] {
  return payloads.map((payload, index) => ({ at: index * everyMs, payload }));
}
