import { expect } from 'chai';
import { placesWon, withSnapshot, type Snapshot } from '../../../src/clients/web/board/gains.ts';
import { firstOf, pagingOf, placeOn } from '../../../src/clients/web/live/paging.ts';
import { placesInClass, type CarClass } from '../../../src/clients/web/live/car-classes.ts';
import { layoutName } from '../../../src/clients/web/live/layout-names.ts';
import { exampleRow as row } from '../../support/web/example-board.ts';

describe('Pages: the rows of a wall', () => {
  /** The rows that a page shows, by place. */
  function rowsOn(total: number, places: number, page: number): readonly number[] {
    const paging = pagingOf(total, places);
    const shown: number[] = [];
    for (let index = 0; index < total; index += 1) {
      const place = placeOn(paging, page, total, index);
      if (place !== null) shown[place] = index;
    }
    return shown;
  }

  it('are all on one page where there is room', () => {
    expect(rowsOn(3, 15, 0)).to.deep.equal([0, 1, 2]);
    expect(rowsOn(15, 15, 0)).to.have.length(15);
    expect(pagingOf(15, 15).pages).to.equal(1);
    expect(pagingOf(0, 15).pages).to.equal(1);
  });

  it('keep the first five on every page, and fill the last page', () => {
    expect(rowsOn(18, 10, 0)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(rowsOn(18, 10, 1)).to.deep.equal([0, 1, 2, 3, 4, 10, 11, 12, 13, 14]);
    expect(rowsOn(18, 10, 2)).to.deep.equal([0, 1, 2, 3, 4, 13, 14, 15, 16, 17]);
    expect(rowsOn(9, 4, 2), 'no room to pin').to.deep.equal([5, 6, 7, 8]);
  });

  it('are all seen, whatever the numbers, and forty of them within 30 s', () => {
    for (let total = 1; total <= 60; total += 1) {
      for (let places = 1; places <= 30; places += 1) {
        const { pages } = pagingOf(total, places);
        const seen = new Set<number>();
        for (let page = 0; page < pages; page += 1) {
          const rows = rowsOn(total, places, page);
          expect(rows, `${total} rows, ${places} places, page ${page}`).to.have.length(Math.min(total, places));
          for (const index of rows) seen.add(index);
        }
        expect(seen.size, `${total} rows, ${places} places`).to.equal(total);
      }
    }
    for (let places = 10; places < 40; places += 1) {
      const { pages, seconds } = pagingOf(40, places);
      expect(pages * seconds, `${places} places`).to.be.at.most(30);
      expect(seconds).to.be.at.least(4);
    }
    expect(firstOf(pagingOf(40, 15), 3, 40)).to.equal(30);
  });
});

describe('Pages: places won lately', () => {
  const at = (...ids: readonly string[]) => ids.map((id, n) => row(id, n + 1, 90 + n));

  it('are those since the oldest snapshot of five minutes', () => {
    let seen: readonly Snapshot[] = withSnapshot([], at('a', 'b', 'c'), 0);
    expect([...placesWon(seen, at('c', 'a', 'b'))]).to.deep.equal([['c', 2]]);
    expect(withSnapshot(seen, at('c', 'a', 'b'), 10_000)).to.equal(seen);
    for (let now = 0; now <= 400_000; now += 30_000) seen = withSnapshot(seen, at('c', 'a', 'b'), now);
    expect([...placesWon(seen, at('c', 'a', 'b'))]).to.deep.equal([]);
    expect([...placesWon(seen, at('c', 'a', 'd', 'b'))], 'd is new').to.deep.equal([]);
    expect(withSnapshot(seen, at('a'), 5), 'a replay begins again').to.have.length(1);
  });
});

describe('Pages: places in a class', () => {
  it('count the drivers of the class, and equal times share one', () => {
    const carClass = (id: string, number: number): CarClass => ({ id, name: id, shortName: id, number });
    const [gt3, gt4] = [carClass('GT3', 0), carClass('GT4', 1)];
    const rows = [row('a', 1, 90), row('b', 2, 91), row('c', 2, 91), row('d', 4, 92), row('e', 5, 93)];
    const cars = [gt3, gt4, gt3, gt3, gt4];
    const driven = rows.map((one, n) => ({ ...one, bestLap: { ...one.bestLap, car: String(n) } }));
    const places = placesInClass(driven, new Map(cars.map((one, n) => [String(n), one])));
    expect([...places]).to.deep.equal([
      ['a', 1],
      ['b', 1],
      ['c', 2],
      ['d', 3],
      ['e', 2],
    ]);
    const shared = placesInClass(driven, new Map(rows.map((_, n) => [String(n), gt3])));
    expect([...shared.values()]).to.deep.equal([1, 2, 2, 4, 5]);
    expect(placesInClass(driven, new Map()).size).to.equal(0);
  });
});

describe('Pages: names of layouts', () => {
  it('have the track before them, unless they begin with it', () => {
    expect(layoutName('Grand Prix', 'Nürburgring')).to.equal('Nürburgring · Grand Prix');
    expect(layoutName('Nurburgring GP', 'Nürburgring')).to.equal('Nurburgring GP');
    expect(layoutName('Grand Prix', '')).to.equal('Grand Prix');
  });
});
