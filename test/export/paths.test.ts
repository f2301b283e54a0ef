import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../src/kernel/ports/read-store.ts';
import { openTarget } from '../../src/tools/export/target.ts';
import { createPartFile } from '../../src/tools/replay/part-file.ts';
import { ReplayRefused } from '../../src/tools/replay/refused.ts';
import { useDirectories } from '../support/directories.ts';

/** A document that was created at a moment. */
function created(createdAt: string): Document {
  return { id: 'a', createdAt, _created: 1, _position: 1, _revision: 0 };
}

/** Names of files and directories come from events, and from whoever can write beside the output. */
describe('paths of exports', () => {
  const newDirectory = useDirectories();

  it('stay below the directory, whatever the events say of their time', () => {
    const directory = join(newDirectory(), 'a', 'b');
    const target = openTarget(
      { kind: 'directory', directory, byMonth: true },
      { view: 'laps', format: 'csv', columns: [], replace: false },
    );
    target.exported();
    const table = target.table({ after: null, upTo: 1 });
    for (const createdAt of [
      '/../../x',
      '../../x',
      '2026-13-01T',
      '2026-1',
      '20261101',
      '2026-11',
      '',
      '2026-11/../x',
    ]) {
      expect(() => table.add(created(createdAt)), createdAt).to.throw(ReplayRefused, 'has no month');
    }
    table.add(created('2026-11-28T10:00:00.000Z'));
    table.finish();
    target.publish(table, null, null);
    expect(readdirSync(directory).sort()).to.deep.equal(['_laps.export.json', 'month=2026-11']);
    expect(readdirSync(join(directory, '..'))).to.deep.equal(['b']);
  });

  it('do not lead through a link: neither the file that is written nor those that are replaced', () => {
    const directory = newDirectory();
    const outside = join(newDirectory(), 'kept');
    writeFileSync(outside, 'kept');
    symlinkSync(outside, join(directory, '.laps.csv.part'));
    const file = createPartFile(join(directory, 'laps.csv'));
    file.write('new');
    file.end();
    file.publish();
    expect(readFileSync(outside, 'utf8')).to.equal('kept');
    expect(readFileSync(join(directory, 'laps.csv'), 'utf8')).to.equal('new');

    const months = newDirectory();
    mkdirSync(join(months, 'month=2026-11'));
    const old = join(months, 'month=2026-11', `laps-${'0'.repeat(16)}-${'1'.padStart(16, '0')}.csv`);
    writeFileSync(old, 'kept');
    symlinkSync(join(months, 'month=2026-11'), join(directory, 'month=2026-11'));
    const options = { view: 'laps', format: 'csv', columns: [], replace: true } as const;
    const target = openTarget({ kind: 'directory', directory, byMonth: true }, options);
    target.exported();
    target.publish(target.table({ after: null, upTo: 1 }), null, null);
    expect(existsSync(old)).to.equal(true);
  });
});
