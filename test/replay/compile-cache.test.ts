import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { recall, remember } from '../../src/tools/replay/compile-cache.ts';
import { compile } from '../../src/tools/replay/compile.ts';
import { World } from '../support/processes/world.ts';

describe('modules that were compiled before', () => {
  const world = new World();
  let [folder, file] = ['', ''];

  beforeEach(() => {
    folder = world.directory();
    file = join(folder, 'entry.js');
    writeFileSync(file, "import { n } from './part.js';\nexport default n;\n");
    writeFileSync(join(folder, 'part.js'), 'export const n = 1;\n');
  });
  afterEach(() => world.clean());

  it('are recalled as they were', () => {
    expect(recall(file)).to.equal(null);
    const { sources, versions, ...compiled } = compile(file);
    remember(file, { ...compiled, sources, versions });
    expect(recall(file)).to.deep.include(compiled);
    expect(recall(file)?.sources).to.include.members(sources);
    expect(sources).to.have.members([file, join(folder, 'part.js')]);
  });

  it('are compiled again when any file of theirs has changed or gone', () => {
    remember(file, compile(file));
    writeFileSync(join(folder, 'part.js'), 'export const n = 2;\n');
    expect(recall(file)).to.equal(null);
    remember(file, compile(file));
    expect(recall(file)?.fingerprint).to.equal(compile(file).fingerprint);
    rmSync(join(folder, 'part.js'));
    expect(recall(file)).to.equal(null);
  });

  it('are compiled again when a file was saved after it was read and before they were remembered', () => {
    const compiled = compile(file);
    writeFileSync(join(folder, 'part.js'), 'export const n = 2;\n');
    remember(file, compiled);
    expect(recall(file)).to.equal(null);
  });

  it('depend on the types of this package, too', () => {
    const typed = join(folder, 'typed.ts');
    writeFileSync(typed, "import { lapEvents } from 'sim-racing-timing';\nexport default lapEvents;\n");
    const { sources } = compile(typed);
    expect(sources.some((path) => /commands.laps\.(d\.)?ts$/.test(path))).to.equal(true);
    expect(sources).to.include(typed);
  });
});
