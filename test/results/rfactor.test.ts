import { expect } from 'chai';
import { latin1, rfactorFile, rfactorSession, utf8 } from './fixtures.ts';
import { onlySession, planOf, reasonOf } from './reading.ts';

const PRACTICE = rfactorFile([rfactorSession('Practice1')]);

describe('result files of rFactor 2 and Le Mans Ultimate', () => {
  it('reads laps and result, seconds as decimals rounded half up', () => {
    const plan = planOf(utf8(PRACTICE));
    expect(plan).to.include({ format: 'rfactor-xml', encoding: 'utf-8' });
    const tom = { driver: 'Tom & Co', driverId: null, car: 'Formula ISI' };
    const lou = { driver: 'Lou Best', driverId: null, car: 'Formula ISI' };
    expect(onlySession(plan)).to.deep.equal({
      session: 'practice',
      name: 'Practice1',
      track: 'South Loop',
      layout: null,
      laps: [
        { ...tom, lap: 1, ms: null, sectors: null, valid: null },
        { ...tom, lap: 2, ms: 48_407, sectors: [11_745, 19_038, 17_623], valid: null },
        { ...lou, lap: 1, ms: 48_300, sectors: [11_700, null, null], valid: null },
      ],
      classification: [
        { position: 1, driver: 'Lou Best', laps: 1, bestMs: 48_300, totalMs: null },
        { position: 2, driver: 'Tom & Co', laps: 2, bestMs: 48_407, totalMs: null },
      ],
    });
    expect(plan.warnings).to.deep.equal([]);
  });

  it('reads several sessions, and the total time of races', () => {
    const { sessions } = planOf(
      utf8(rfactorFile(['TestDay', 'Qualify', 'Warmup', 'Race2'].map((name) => rfactorSession(name)))),
    );
    expect(sessions.map(({ session }) => session)).to.deep.equal(['practice', 'qualifying', 'warmup', 'race']);
    expect(sessions.at(-1)?.classification.map(({ totalMs }) => totalMs)).to.deep.equal([null, 97_000]);
  });

  it('gives each lap to whoever drove it, where drivers changed', () => {
    const swaps = '<Swap startLap="1" endLap="1">Meg Sand</Swap>\n<Swap startLap="2" endLap="9">Tom Ray</Swap>';
    const session = rfactorSession('Race').replace('<VehName>', `${swaps}\n<VehName>`);
    const { laps, classification } = onlySession(planOf(utf8(rfactorFile([session]))));
    expect(laps.map(({ driver }) => driver)).to.deep.equal(['Meg Sand', 'Tom Ray', 'Lou Best']);
    expect(classification[1]).to.deep.include({ driver: 'Tom & Co', drivers: ['Meg Sand', 'Tom Ray'] });
  });

  it('reads names with a bare ampersand, an escaped one, and a reference that nothing declares', () => {
    for (const [written, read] of [
      ['&', 'Tom & Co'],
      ['&amp;', 'Tom & Co'],
      ['&B;', 'Tom &B; Co'],
      ['&#233;', 'Tom é Co'],
    ] as const) {
      const session = onlySession(planOf(utf8(rfactorFile([rfactorSession('Race', written)]))));
      expect(session.laps[0]?.driver, written).to.equal(read);
    }
  });

  it('reads Windows-1252 under a prolog that says UTF-8', () => {
    const plan = planOf(latin1(PRACTICE.replace('<Name>Lou Best', '<Name>Chlo\u00E9 Best')));
    expect(plan.encoding).to.equal('windows-1252');
    expect(onlySession(plan).classification[0]).to.include({ driver: 'Chloé Best' });
  });

  it('ignores bytes after the end tag, and CRLF', () => {
    const expected = planOf(utf8(PRACTICE)).sessions;
    expect(planOf(utf8(`${PRACTICE}</Race><`)).sessions).to.deep.equal(expected);
    expect(planOf(utf8(PRACTICE.replaceAll('\n', '\r\n'))).sessions).to.deep.equal(expected);
  });

  it('says that a file has no session', () => {
    const plan = planOf(utf8(rfactorFile([])));
    expect(plan).to.deep.include({ sessions: [], warnings: ['The file has no session.'] });
  });

  it('refuses document types and entities of others, with the line', () => {
    const declarations = [
      '<!DOCTYPE rF [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
      '<!DOCTYPE rF SYSTEM "file:///etc/passwd">',
      '<!DOCTYPE rF [<!ENTITY x SYSTEM "http://example.com/">]>',
      '<!DOCTYPE rF [<!ENTITY % p "x">%p;]>',
    ];
    for (const declaration of declarations) {
      const file = PRACTICE.replace(/<!DOCTYPE[\s\S]*?\]>/, declaration);
      expect(reasonOf(utf8(file)), declaration).to.match(/declares a document type or entities of its own at line 2,/);
    }
    expect(reasonOf(utf8(rfactorFile([rfactorSession('Race', '&rFEnt;')])))).to.match(
      /uses an entity of its own at line \d+,/,
    );
    const second = PRACTICE.replace('<RaceResults>', '<!DOCTYPE rF [<!ENTITY y "z">]><RaceResults>');
    expect(reasonOf(utf8(second))).to.match(/declares two document types/);
  });

  it('refuses broken XML, names that are too long, and deep nesting, with the line', () => {
    expect(reasonOf(utf8(PRACTICE.replace('</Name>', '</Nam>')))).to.match(/^the XML is broken \(.+\) at line \d+$/);
    expect(reasonOf(utf8(PRACTICE.slice(0, 600)))).to.match(/^the XML is broken \(.+\) at line \d+$/);
    const long = PRACTICE.replace('Lou Best</Name>', `${'L'.repeat(10_000)}</Name>`);
    expect(reasonOf(utf8(long))).to.match(/^<Name> has more than 256 letters at line \d+$/);
    const deep = PRACTICE.replace('<Stream>', `<Stream>${'<a>'.repeat(20)}`);
    expect(reasonOf(utf8(deep))).to.match(/nested more than 16 levels deep at line \d+$/);
  });
});
