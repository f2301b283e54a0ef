import type { Run } from './command.ts';

/** A command, with its line in the usage text. Its code is loaded only when it runs, for a quick start. */
interface Command {
  readonly about: string;
  readonly load: () => Promise<{ readonly run: Run }>;
  /** Whether the process exits when the command ends: an analyst's code may have left timers and sockets open. */
  readonly endsProcess?: boolean;
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { about: 'run the service (the default)', load: () => import('./serve.ts') },
  projector: {
    about: 'keep the read models up to date, for services that run with PROJECTOR=off',
    load: async () => ({ run: (await import('./serve.ts')).runProjector }),
  },
  projections: {
    about: 'show how far the read models are, and which process updates them',
    load: () => import('./projections.ts'),
  },
  'dead-letters': {
    about: 'show or retry events that could not be projected',
    load: () => import('./dead-letters.ts'),
  },
  rebuild: { about: 'rebuild the read models while the service runs', load: () => import('./rebuild.ts') },
  verify: { about: 'compare the read models with a replay of the events', load: () => import('./verify.ts') },
  events: { about: 'show or export the event history', load: () => import('./events.ts') },
  replay: { about: 'run your own projection over the history', load: () => import('./replay.ts'), endsProcess: true },
  export: {
    about: 'write a list (laps, participants, …) as Parquet, CSV or NDJSON, computed from the history',
    load: () => import('./export.ts'),
  },
  rig: {
    about: 'drive laps as a rig would, and send them: a reference for builders of rigs',
    load: () => import('./rig.ts'),
  },
  bridge: { about: 'send the laps of a running game', load: () => import('./bridge.ts') },
  import: { about: 'record the laps of result files of games', load: () => import('./import.ts') },
  keys: { about: 'issue, list and revoke API keys directly in the stores', load: () => import('./keys.ts') },
  doctor: { about: 'check what to set before the service stands on the internet', load: () => import('./doctor.ts') },
  backup: { about: 'back up a service while it runs, or check a backup', load: () => import('./backup.ts') },
  restore: { about: 'copy a backup to a new data directory', load: () => import('./restore.ts') },
  check: { about: 'check that the files of an embedded event store are intact', load: () => import('./check.ts') },
  copy: { about: 'copy the event history from one event store into another', load: () => import('./copy.ts') },
  demo: { about: "fill a running service with a venue's worth of data", load: () => import('./demo.ts') },
};
