import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { MAX_FILE_BYTES } from '../../src/clients/results/text.ts';
import { AC_SERVER, ACC_RACE, utf16, utf8 } from './fixtures.ts';
import { planOfJson, reasonOf } from './reading.ts';

describe('result files that are no such thing', () => {
  it('are refused with a reason and a place', () => {
    const acc = JSON.stringify(ACC_RACE, null, 1);
    const files: readonly (readonly [string, Uint8Array, RegExp])[] = [
      ['empty', new Uint8Array(), /^the file is empty$/],
      ['too large', new Uint8Array(MAX_FILE_BYTES + 1), /bytes; at most 67108864 are read$/],
      ['gzip', gzipSync(utf8(acc)), /^this is a gzip file: unpack it/],
      ['zip', utf8('PK\u0003\u0004and more'), /^this is a zip archive: unpack it/],
      ['NUL', utf8(`${acc.slice(0, 40)}\0${acc.slice(40)}`), /NUL character at line 3, column \d+/],
      ['UTF-32', Uint8Array.of(0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0), /UTF-32/],
      ['half a character', utf16(acc, 'little-endian').slice(0, -1), /is cut off: UTF-16 has two bytes/],
      ['a lone surrogate', utf16(acc.replace('spa', 'sp\uD800'), 'little-endian'), /not UTF-16 at line 3, column/],
      [
        'no encoding',
        Uint8Array.of(0x7b, 0x22, 0x81, 0x22, 0x7d),
        /neither UTF-8 .* nor Windows-1252 \(see line 1, column 3\)/,
      ],
      ['UTF-8 in name only', Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0xe9, 0x7d), /not UTF-8 at line 1, column/],
      ['deep lists', utf8(`{"a":${'['.repeat(100_000)}`), /more than 64 levels deep at line 1, column 69/],
      ['deep objects', utf8('{"a":'.repeat(100_000)), /more than 64 levels deep at line 1/],
      ['cut off', utf8(acc.slice(0, 200)), /JSON is cut off/],
      ['cut off in a text', utf8('{"a": "b'), /cut off in the text that begins at line 1, column 7/],
      ['broken', utf8('{\n"sessionType" "R"\n}'), /^the JSON is broken at line 2, column 15 \(/],
      ['many values', utf8(`[${'0,'.repeat(8_000_001)}0]`), /more than 8000000 values, from line 1/],
      [
        'many elements',
        utf8(`<rFactorXML>${'<a/>'.repeat(2_000_001)}`),
        /more than 2000000 elements, and does not end at line 1$/,
      ],
      ['many ampersands', utf8(`<rFactorXML>${'&'.repeat(100_001)}`), /more than 100000 bare ampersands, from line 1/],
      ['many comments', utf8('//\n'.repeat(1_000_000)), /neither JSON, nor XML, nor CSV/],
      ['other JSON', utf8('{"a": 1}'), /^this is JSON, but not the result of a game that is known/],
      ['other XML', utf8('<html></html>'), /^this is XML, but not/],
      ['other text', utf8('hello'), /neither JSON, nor XML, nor CSV/],
    ];
    for (const [name, bytes, reason] of files) expect(reasonOf(bytes), name).to.match(reason);
  });

  it('are refused for names of 10,000 letters, with the path', () => {
    const [first, ...laps] = AC_SERVER.Laps;
    const file = { ...AC_SERVER, Laps: [...laps, { ...first, DriverName: 'x'.repeat(10_000) }] };
    expect(reasonOf(utf8(JSON.stringify(file)))).to.equal(
      'Laps[3].DriverName has 10000 letters; a name has 256 at most',
    );
  });

  it('are read without values of the wrong kind, which are counted', () => {
    const Laps = [{ ...AC_SERVER.Laps[0], LapTime: '97000', Sectors: 'no' }, 7, { ...AC_SERVER.Laps[1], LapTime: {} }];
    const { sessions, warnings } = planOfJson({ ...AC_SERVER, Laps, Result: null });
    expect(sessions[0]?.laps.map(({ ms, sectors }) => ({ ms, sectors }))).to.deep.equal([
      { ms: null, sectors: null },
      { ms: null, sectors: [48_500, 49_000] },
    ]);
    expect(warnings).to.deep.equal([
      'The session RACE has laps, but no result in the file.',
      'A list has an entry that is no object; it was left out (at Laps[1]).',
      'A value is not a number; it was left out (2 times, first at Laps[0].LapTime).',
      'A value is not a list; it was left out (at Laps[0].Sectors).',
    ]);
  });

  it('cannot reach what all objects have in common', () => {
    const text = JSON.stringify(AC_SERVER).replace('"TrackName"', '"__proto__": {"TrackConfig": "x"}, "TrackName"');
    const { sessions } = planOfJson(JSON.parse(text.replace('"TrackConfig":"chicane",', '')));
    expect(sessions[0]?.layout).to.equal(null);
  });
});
