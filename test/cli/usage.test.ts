import { expect } from 'chai';
import { VIEW_NAMES } from '../../src/tools/export/views.ts';
import { callCommand, runCommand } from '../support/processes/command-process.ts';

const NAMES = /^ {2}([a-z-]+) +\S/gm;

/** Words in the help of a command. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  backup: ['backup.json', 'Exit codes'],
  copy: ['--from', '--to', '--json', 'esdb://', 'Exit codes'],
  'dead-letters': ['show', 'retry', '--json', 'DATA_DIR', 'Exit codes'],
  events: ['--stream', '--type', '--since', '--until', '--follow', '--format', '--personal', 'Exit codes'],
  export: [...VIEW_NAMES, '--month', '--names', 'Exit codes'],
  rebuild: ['--keep-old', '--json', 'DATA_DIR', 'refused', 'Exit codes'],
  replay: ['--into', '--until', '--follow', 'sim-racing-timing', 'begin with _', 'Exit codes'],
  verify: ['--json', 'DATA_DIR', 'Exit codes'],
};

describe('sim-racing-timing', () => {
  it('has commands, each of which explains itself, and says in one line what it cannot take', async () => {
    const { code, out } = await runCommand(['--help']);
    expect(code).to.equal(0);
    const names = [...out.matchAll(NAMES)].map(([, name]) => name ?? '');
    expect(names).to.include.members(['serve', 'projector', 'demo', 'replay', 'copy']);
    expect(names).to.include.members(Object.keys(NAMED));
    for (const name of names) {
      const help = await callCommand([name, '--help']);
      expect(help, name).to.deep.include({ code: 0, err: '' });
      expect(help.out).to.match(new RegExp(`^usage: sim-racing-timing ${name}\\b`));
      for (const word of NAMED[name] ?? []) expect(help.out, name).to.include(word);
      expect(await callCommand([name, '-h']), name).to.deep.equal(help);
      const wrong = await callCommand([name, '--nonsense']);
      expect(wrong, name).to.deep.include({ code: 2, out: '' });
      expect(wrong.err).to.match(
        new RegExp(`^sim-racing-timing ${name}: .*--nonsense.*; see sim-racing-timing ${name} --help\\n$`),
      );
    }
  });

  it('shows its commands when there is none of that name', async () => {
    const { code, out, err } = await runCommand(['nonsense']);
    expect({ code, out }).to.deep.equal({ code: 2, out: '' });
    expect(err).to.match(/^sim-racing-timing: there is no command nonsense\n\nusage: sim-racing-timing/);
  });
});
