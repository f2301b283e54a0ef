import { World } from './world.ts';

/**
 * Declares tests that mostly wait. All start with the first one, so that they wait at the same time; each reports its
 * own outcome.
 */
export function declareAtOnce(tests: Readonly<Record<string, () => Promise<void>>>): void {
  const outcomes = new Map<string, Promise<void>>();
  before(() => {
    for (const [name, test] of Object.entries(tests)) {
      const outcome = test();
      // Its own test reports it.
      outcome.catch(() => undefined);
      outcomes.set(name, outcome);
    }
  });
  after(() => Promise.allSettled(outcomes.values()));
  for (const name of Object.keys(tests)) it(name, () => outcomes.get(name));
}

/** A test's own processes and data directory. */
export interface Site {
  readonly world: World;
  readonly dataDir: string;
}

/** A test with its own processes, which end with it. */
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
