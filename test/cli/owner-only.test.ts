import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { expectStatus } from '../support/api/client.ts';
import { upload } from '../support/api/uploads.ts';
import { createVenue, issueLicenseFile } from '../support/api/venue.ts';
import { runCommand } from '../support/processes/command-process.ts';
import { World } from '../support/processes/world.ts';

/** Everything that is in a directory, with its mode. */
function modesIn(directory: string): readonly { readonly path: string; readonly mode: number }[] {
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );
  return paths.map((path) => ({ path, mode: statSync(path).mode & 0o777 }));
}

function expectOwnerOnly(directory: string): void {
  const found = modesIn(directory);
  expect(found).not.to.be.empty;
  const wider = found.filter(({ mode }) => (mode & 0o077) !== 0);
  expect(wider.map(({ path, mode }) => `${relative(directory, path)} ${mode.toString(8)}`)).to.deep.equal([]);
}

describe('files that commands write', () => {
  const world = new World();
  let root = '';
  let dataDir = '';
  let umask = 0;

  before(async () => {
    // The commands inherit it.
    umask = process.umask(0);
    root = world.directory();
    dataDir = join(root, 'made', 'data');
    const { admin, process: service } = await world.service({ dataDir });
    const { licenseId } = await createVenue(admin);
    await issueLicenseFile(admin, licenseId);
    expectStatus(await upload(admin, 'LOGO/a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'), 201);
    await service.end('SIGTERM');
  });
  after(async () => {
    process.umask(umask);
    await world.clean();
  });

  it('are readable by their owner only: stores, backups, copies and exports', async () => {
    const at = (name: string): string => join(root, name);
    mkdirSync(at('backup'));
    for (const args of [
      ['backup', at('backup')],
      ['copy', '--from', dataDir, '--to', at('copy')],
      ['export', 'laps', '--out', `${at('export')}/`],
      ['replay', 'docs/examples/consistency.ts', '--out', at('replay.csv')],
    ]) {
      const { code, err } = await runCommand(args, { DATA_DIR: dataDir });
      expect(code, `${args.join(' ')}: ${err}`).to.equal(0);
    }
    expect(readdirSync(root)).to.have.members(['made', 'backup', 'copy', 'export', 'replay.csv']);
    expectOwnerOnly(root);
  });

  it('are restricted to their owner, with a warning, where others could read them', async () => {
    for (const { path, mode } of modesIn(dataDir)) chmodSync(path, mode | 0o044 | ((mode & 0o100) >> 3));
    const { err } = await runCommand(['check'], { DATA_DIR: dataDir });
    for (const name of ['events', 'assets']) {
      expect(err).to.contain(`Warning: ${join(dataDir, name)} was open to others on this machine (mode 754)`);
      expectOwnerOnly(join(dataDir, name));
    }
    const { process: service } = await world.service({ dataDir });
    await service.end('SIGTERM');
    for (const name of ['read-models', 'license-signing-key.json', 'uploads']) {
      expect(service.err).to.contain(`Warning: ${join(dataDir, name)} was open to others`);
    }
    for (const name of ['events', 'assets']) expect(service.err).not.to.contain(join(dataDir, name));
    expect(statSync(join(dataDir, 'license-signing-key.json')).mode & 0o777).to.equal(0o600);
    for (const name of ['read-models', 'uploads']) expect(statSync(join(dataDir, name)).mode & 0o777).to.equal(0o700);
  });
});
