import { readResults } from '../../src/clients/results/read-results.ts';
import type { ImportPlan, PlannedSession } from '../../src/clients/results/plan.ts';
import { utf8 } from './fixtures.ts';

/** The plan of a file, which must be readable. */
export function planOf(bytes: Uint8Array): ImportPlan {
  const results = readResults(bytes);
  if (results.outcome === 'refused') throw new Error(`the file was refused: ${results.reason}`);
  return results.plan;
}

/** The plan of a JSON document. */
export function planOfJson(document: unknown): ImportPlan {
  return planOf(utf8(JSON.stringify(document)));
}

/** The only session of a plan. */
export function onlySession({ sessions }: ImportPlan): PlannedSession {
  const [session] = sessions;
  if (session === undefined || sessions.length !== 1) throw new Error(`the plan has ${sessions.length} sessions`);
  return session;
}

/** Why a file is refused. */
export function reasonOf(bytes: Uint8Array): string {
  const results = readResults(bytes);
  if (results.outcome === 'read') throw new Error(`the file was read as ${results.plan.format}`);
  return results.reason;
}
