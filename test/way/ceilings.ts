import type { Way, WayName } from './way.ts';

/**
 * The most that a request may run through: what was reached, a poll of the log that may meet every request on a busy
 * machine (3 files, 8 functions), some calls of a page that come only after other suites in the process, and a little
 * more. A change that makes a way longer is seen. Lower them when a way has become shorter.
 */
export const ceilings: Readonly<Record<WayName, Way>> = {
  'POST lap': { files: 40, functions: 202, calls: 350 },
  'POST lap, key of a rig': { files: 40, functions: 215, calls: 370 },
  'GET lap': { files: 12, functions: 48, calls: 50 },
  'page of 20 laps': { files: 20, functions: 109, calls: 195 },
};
