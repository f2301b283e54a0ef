import { expect } from 'chai';
import { callCommand, expectCode, runCommand } from '../support/processes/command-process.ts';

const NAMES = /^ {2}([a-z-]+) +\S/gm;

/** Commands that run until they are stopped. */
const SERVERS = ['serve', 'projector'];

describe('sim-racing-timing', () => {
  it('shows help for each command, and reports wrong usage in one line', async () => {
    const { out } = await expectCode(0, runCommand(['--help']));
    const names = [...out.matchAll(NAMES)].map(([, name]) => name ?? '');
    expect(names).to.include.members([...SERVERS, 'demo', 'replay', 'copy']);
    for (const name of names) {
      const help = await callCommand([name, '--help']);
      expect(help, name).to.deep.include({ code: 0, err: '' });
      expect(help.out).to.match(new RegExp(`^usage: sim-racing-timing ${name}\\b`));
      if (!SERVERS.includes(name))
        expect(help.out)
          .to.match(/^ +--\w/m)
          .and.include('Exit codes');
      expect(await callCommand([name, '-h']), name).to.deep.equal(help);
      const wrong = await callCommand([name, '--nonsense']);
      expect(wrong, name).to.deep.include({ code: 2, out: '' });
      expect(wrong.err).to.match(
        new RegExp(`^sim-racing-timing ${name}: .*--nonsense.*; see sim-racing-timing ${name} --help\\n$`),
      );
    }
  });

  it('lists its commands when there is none of that name', async () => {
    const { code, out, err } = await runCommand(['nonsense']);
    expect({ code, out }).to.deep.equal({ code: 2, out: '' });
    expect(err).to.match(/^sim-racing-timing: there is no command nonsense\n\nusage: sim-racing-timing/);
  });
});
