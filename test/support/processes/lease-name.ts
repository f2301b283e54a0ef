/**
 * A process that prints its name in leases. For each name on standard input, a line each, it prints whether that
 * process has ended.
 */
import { createInterface } from 'node:readline';
import { systemProcesses } from '../../../infra/system/processes.ts';

process.stdout.write(`${process.pid} ${systemProcesses.newName()}\n`);
for await (const name of createInterface(process.stdin)) {
  process.stdout.write(`${systemProcesses.hasEnded(name) ? 'ended' : 'may live'}\n`);
}
