import { expect } from 'chai';
import { isStoredPath, placeOf } from '../../src/service/stores/stored-path.ts';

describe('paths from outside', () => {
  it('stay below a directory on every system', () => {
    for (const path of ['events/data.mdb', 'assets/ab/abcdef', 'a', 'Ångström', '.hidden', 'console', 'com10', 'a b']) {
      expect(isStoredPath(path), path).to.equal(true);
    }
    for (const path of [
      ...['', '.', '..', '/', '/a', 'a/', 'a//b', '../a', 'a/..', 'a/../b', './a', 'a/./b', '~/../a/..'],
      ...['\\a', 'a\\b', '..\\a', 'C:', 'C:a', 'C:/a', 'a:b', '//server/a', '\\\\server\\a', '\\\\?\\C:\\a'],
      ...['con', 'CON', 'nul.txt', 'aux .txt', 'COM1', 'com¹', 'lpt9.a.b', 'a/prn', 'conin$'],
      ...['a.', 'a ', 'a/b.', '. ', '...', 'a\0', 'a\n', 'a\u202e', 'a\ud800', 'a*', 'a?', 'a"', 'a|', 'a<', 'a>'],
      ...['e\u0301', 'x'.repeat(256), `a/${'ß'.repeat(128)}`],
    ]) {
      expect(isStoredPath(path), JSON.stringify(path)).to.equal(false);
    }
  });

  it('are the same place if the system does not distinguish them', () => {
    expect(new Set(['a/B', 'A/b', 'a/b'].map(placeOf)).size).to.equal(1);
    expect(placeOf('straße')).to.equal(placeOf('STRASSE'));
    expect(placeOf('a')).not.to.equal(placeOf('b'));
  });
});
