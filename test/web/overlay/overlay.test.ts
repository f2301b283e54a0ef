import { expect } from 'chai';
import { applyMessage, type BoardState, EMPTY, newBest } from '../../../src/clients/web/live/state.ts';
import { pagingOf } from '../../../src/clients/web/live/paging.ts';
import { codesOf } from '../../../src/clients/web/overlay/codes.ts';
import { DEFAULT_OPTIONS, parametersOf, readOptions } from '../../../src/clients/web/overlay/options.ts';
import { rowsAround, rowsOfPage } from '../../../src/clients/web/overlay/shown-rows.ts';
import { exampleHead as head, exampleRow as row } from '../../support/web/example-board.ts';

const id = '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06';

const NORMAL = {
  rows: 10,
  pages: false,
  driver: null,
  header: false,
  columns: ['position', 'name', 'gap', 'best'],
  look: 'dark',
  layout: null,
  carClass: null,
  delay: 0,
  lowerThird: true,
  scale: 1,
};

/** An address with all of them. */
const ALL = `rows=3&pages=on&driver=${id}&header=on&columns=code,class,car,interval,sectors,last&theme=none&layout=${id}&class=${id}&delay=30&lowerThird=off&scale=1.5`;

describe('Pages: options of an overlay', () => {
  it('are read from its address', () => {
    expect(readOptions(new URLSearchParams(ALL))).to.deep.equal({
      options: {
        rows: 3,
        pages: true,
        driver: id,
        header: true,
        columns: ['code', 'class', 'car', 'interval', 'sectors', 'last'],
        look: 'none',
        layout: id,
        carClass: id,
        delay: 30,
        lowerThird: false,
        scale: 1.5,
      },
      faults: [],
    });
  });

  it('become an address from which they are read again, without what may be left out', () => {
    const { options } = readOptions(new URLSearchParams(ALL));
    expect(readOptions(parametersOf(options)).options).to.deep.equal(options);
    expect(parametersOf(options).size).to.equal(11);
    expect(parametersOf(DEFAULT_OPTIONS).toString()).to.equal('');
  });

  it('have defaults', () => {
    expect(readOptions(new URLSearchParams())).to.deep.equal({ options: NORMAL, faults: [] });
    expect(readOptions(new URLSearchParams('rows=&theme='))).to.deep.equal({ options: NORMAL, faults: [] });
  });

  it('fall back if they are invalid, and say so', () => {
    const bad = {
      rows: ['0', '101', '1.5', '-1', 'x', '1e2'],
      columns: ['x', 'name,x', ',', 'name;gap'],
      theme: ['blue', '<b>'],
      layout: ['1', "' or 1"],
      class: ['GT3'],
      pages: ['2'],
      driver: ['Bellandi'],
      header: ['yes'],
      delay: ['3601', '-5', '0.5'],
      lowerThird: ['yes', 'true'],
      scale: ['0', '9', 'NaN', 'Infinity', '0x2'],
    };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const { options, faults } = readOptions(new URLSearchParams({ [name]: value }));
        expect(options, `${name}=${value}`).to.deep.equal(NORMAL);
        expect(faults).to.deep.equal([`The parameter ${name} makes no sense and counts as left out.`]);
      }
    }
  });

  it('have each column once', () => {
    const { options } = readOptions(new URLSearchParams('columns=name, name,gap'));
    expect(options.columns).to.deep.equal(['name', 'gap']);
  });
});

describe('Pages: the rows of an overlay', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const rows = ids.map((driver, n) => row(driver, n + 1, 90 + n));
  const shown = (of: ReturnType<typeof rowsAround>): string =>
    of.rows.map(({ participantId }) => participantId).join('');

  it('are those around a driver, as many as there can be', () => {
    expect(shown(rowsAround(rows, 'd', 3))).to.equal('cde');
    expect(shown(rowsAround(rows, 'd', 4))).to.equal('cdef');
    expect(shown(rowsAround(rows, 'a', 3))).to.equal('abc');
    expect(shown(rowsAround(rows, 'g', 3))).to.equal('efg');
    expect(shown(rowsAround(rows, 'g', 30))).to.equal('abcdefg');
    expect(shown(rowsAround(rows, 'nobody', 3))).to.equal('abc');
    expect(shown(rowsAround([], 'a', 3))).to.equal('');
  });

  it('are those of a page', () => {
    const paging = pagingOf(7, 3);
    expect([0, 1, 2].map((page) => shown(rowsOfPage(rows, paging, page)))).to.deep.equal(['abc', 'def', 'efg']);
  });
});

describe('Pages: codes of drivers', () => {
  it('are three letters of the last name, or others where those are taken, whatever the order', () => {
    const names = [
      'Matteo Bellandi',
      'Anna Bellini',
      'Anna Belli',
      "Conor O'Brien",
      'Wu',
      '美咲 佐藤',
      'Åsa Ångström',
      '',
    ];
    const drivers = names.map((participantName, n) => ({ participantId: String(n), participantName }));
    const codes = codesOf(drivers);
    expect([...codes.values()]).to.deep.equal(['BEL', 'ABE', 'ANB', 'OBR', 'WU', '佐藤', 'ÅNG', '']);
    const turned = codesOf([...drivers].reverse());
    for (const [driver, code] of codes) expect(turned.get(driver)).to.equal(code);
  });

  it('may be equal where the names are', () => {
    const drivers = Array.from({ length: 6 }, (_, n) => ({ participantId: String(n), participantName: 'Bo Li' }));
    expect([...codesOf(drivers).values()]).to.deep.equal(['LI', 'BLI', 'BOL', 'BO', 'LI', 'LI']);
  });
});

describe('Pages: a new best lap', () => {
  const board = (...rows: readonly ReturnType<typeof row>[]): BoardState =>
    applyMessage(EMPTY, { name: 'board', head, rows, seats: [], queue: [], at: null });
  const change = (state: BoardState, ...rows: readonly ReturnType<typeof row>[]): BoardState =>
    applyMessage(state, { name: 'rows', rows });

  it('is announced when somebody is faster than all before', () => {
    const before = board(row('a', 1, 90), row('b', 2, 95));
    const after = change(before, row('b', 1, 85), row('a', 2, 90));
    expect(newBest(before, after)).to.deep.include({ by: 5 });
    expect(newBest(before, after)?.row.participantId).to.equal('b');
    expect(newBest(after, change(after, row('b', 1, 84)))).to.deep.include({ by: 1 });
    expect(newBest(board(), change(board(), row('a', 1, 90)))).to.deep.include({ by: null });
  });

  it('is none for another board, an invalidated best, a second place, or no change', () => {
    const before = board(row('a', 1, 90));
    const other = applyMessage(before, {
      name: 'board',
      head,
      rows: [row('b', 1, 80)],
      seats: [],
      queue: [],
      at: null,
    });
    expect(newBest(before, other)).to.equal(null);
    expect(newBest(EMPTY, before)).to.equal(null);
    expect(newBest(before, change(before, row('a', 1, 92)))).to.equal(null);
    expect(newBest(before, change(before, row('b', 2, 91)))).to.equal(null);
    expect(newBest(before, before)).to.equal(null);
  });
});
