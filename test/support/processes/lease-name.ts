/**
 * A process of its own that says its name in leases, and of each name that it reads, a line each, whether that process
 * has ended; until its standard input ends.
 */
import { createInterface } from 'node:readline';
import { systemProcesses } from '../../../infra/system/processes.ts';

process.stdout.write(`${process.pid} ${systemProcesses.newName()}\n`);
for await (const name of createInterface(process.stdin)) {
  process.stdout.write(`${systemProcesses.hasEnded(name) ? 'ended' : 'may live'}\n`);
}
