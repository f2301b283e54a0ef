import { createVenue, type Venue } from '../../support/api/venue.ts';
import { startCommand } from '../../support/processes/command-process.ts';
import { World, type Running, type ServiceProcess } from '../../support/processes/world.ts';
import { BridgeVenue } from '../../bridge/bridge-venue.ts';

/** A figure, and the most or the least that it may be. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Null: no goal. */
  readonly goal: { readonly most: number } | { readonly least: number } | null;
}

/** A service of this run, with what laps refer to. */
export interface Bench {
  readonly world: World;
  readonly service: ServiceProcess;
  readonly venue: Venue;
}

/** Starts a service; `close` of the world ends it. */
export async function openBench(): Promise<Bench> {
  const world = new World();
  const service = await world.service({ dataDir: world.directory() });
  return { world, service, venue: await createVenue(service.admin) };
}

/** A rig of F1 with mappings, on which somebody sits. */
export async function f1Venue({ world, service, venue }: Bench): Promise<BridgeVenue> {
  const made = await BridgeVenue.make(service.admin, service.url, venue, world.directory(), 'f1');
  await made.map(['4'], ['10']);
  await made.seat();
  return made;
}

/** A bridge that hears the game, and the port at which it does. */
export async function startBridge(venue: BridgeVenue): Promise<{ readonly bridge: Running; readonly port: number }> {
  const bridge = startCommand(venue.args('f1', '--port', '0'));
  const [, port] = await bridge.said(/listens to f1 on port (\d+)/);
  return { bridge, port: Number(port) };
}
