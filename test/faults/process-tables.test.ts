import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { IN_OWN_PROCESS_TABLE, noOwnProcessTable } from '../support/processes/own-process-table.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { describeUnless } from '../support/unless.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';

const socketsIn = (dataDir: string, store: string): readonly string[] =>
  readdirSync(join(dataDir, store)).filter((name) => name.endsWith('.sock'));

describeUnless(noOwnProcessTable(), 'two containers on one data directory', () => {
  const world = useWorld();

  it('are refused: the second ends at its start, says why, and can start once the first is killed', async () => {
    const dataDir = world.directory();
    const start = { dataDir, runner: IN_OWN_PROCESS_TABLE };
    const first = await world.service(start);
    for (const refused of [world.start(start), world.start({ dataDir })]) {
      expect((await refused.ended).code).to.equal(1);
      expect(refused.err).to.include('is in use by a process of another container').and.to.include('EVENTSTORE_URL');
    }
    await caughtUp(first.admin);
    await first.process.end('SIGKILL');
    const second = await world.service(start);
    await caughtUp(second.admin);
    await second.process.end('SIGKILL');
    await withServiceHere(dataDir, ({ admin }) => caughtUp(admin));
    for (const store of ['events', 'read-models']) expect(socketsIn(dataDir, store), store).to.deep.equal([]);
  });
});
