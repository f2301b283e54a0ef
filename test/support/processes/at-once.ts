import { World } from './world.ts';

/**
 * Declares tests that mostly wait, each for something of its own: all begin with the first, so that they wait at the
 * same time, and each ends as its own work does.
 */
export function declareAtOnce(tests: Readonly<Record<string, () => Promise<void>>>): void {
  const outcomes = new Map<string, Promise<void>>();
  before(() => {
    for (const [name, test] of Object.entries(tests)) {
      const outcome = test();
      // Its own test says so.
      outcome.catch(() => undefined);
      outcomes.set(name, outcome);
    }
  });
  after(() => Promise.allSettled(outcomes.values()));
  for (const name of Object.keys(tests)) it(name, () => outcomes.get(name));
}

/** What a test has to itself. */
export interface Site {
  readonly world: World;
  readonly dataDir: string;
}

/** A test with processes of its own, which are ended after it. */
export function onSite(test: (site: Site) => Promise<void>): () => Promise<void> {
  return async () => {
    const world = new World();
    try {
      await test({ world, dataDir: world.directory() });
    } finally {
      await world.clean();
    }
  };
}
