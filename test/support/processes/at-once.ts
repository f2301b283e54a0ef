import { World } from './world.ts';

/** What a test has to itself. */
export interface Site {
  readonly world: World;
  readonly dataDir: string;
}

/**
 * Declares tests that mostly wait, for processes and for what these wait for: all begin with the first, so that they
 * wait at the same time, and each ends as its own work does.
 */
export function declareAtOnce(tests: Readonly<Record<string, (site: Site) => Promise<void>>>): void {
  const worlds: World[] = [];
  const outcomes = new Map<string, Promise<void>>();

  before(() => {
    for (const [name, test] of Object.entries(tests)) {
      const world = new World();
      worlds.push(world);
      const outcome = test({ world, dataDir: world.directory() });
      // Its own test says so.
      outcome.catch(() => undefined);
      outcomes.set(name, outcome);
    }
  });
  after(async () => {
    await Promise.allSettled(outcomes.values());
    for (const world of worlds) await world.clean();
  });

  for (const name of Object.keys(tests)) it(name, () => outcomes.get(name));
}
