import { expect } from 'chai';
import { choicesOf, optionsFor } from '../../../src/clients/web/admin/api/choices.ts';
import { fieldOf, type Field } from '../../../src/clients/web/admin/api/fields.ts';
import { finder, folded, searchable } from '../../../src/clients/web/shared/fold.ts';
import { objectOf, type JsonObject } from '../../../src/clients/web/shared/json.ts';

/** A record as the interface shows it. */
type RecordWithId = JsonObject & { readonly id: string };

const finds = (query: string, name: string): boolean => finder(query)(searchable(name));

describe('Pages: choosers of the administration', () => {
  it('find names without their accents, their case and their ligatures', () => {
    const spellings: Readonly<Record<string, readonly string[]>> = {
      Ångström: ['Angstrom', 'ångström', 'A\u030angstro\u0308m', 'ANG', 'Å'],
      'A\u030angstro\u0308m': ['Angstrom', 'Ångström'],
      'Øystein Sørlie': ['oystein sorlie', 'Øyst', 'sor'],
      'Łukasz Żółć': ['lukasz zolc', 'zol luk'],
      'Jürgen Groß': ['jurgen gross', 'gros', 'GROSS', 'GROẞ'],
      'Ægir Þórðarson': ['aegir thordarson', 'a', 'th'],
      'Đorđe Œuvrard': ['dorde oeuvrard'],
      'İbrahim Yıldız': ['ibrahim yildiz', 'IBRAHIM', 'ıbr'],
      'Ĳsbrand Ŋuyen': ['ijsbrand nuyen'],
      'Ħasan Ŧuomas': ['hasan tuomas'],
      'Əliyev Ƙwame': ['aliyev kwame'],
      'Νίκος Παπαδόπουλος': ['ΝΙΚΟΣ', 'παπαδοπουλοσ'],
      'Алёна Йованович': ['алена иованович'],
      'ﬁn Ｍａｘ': ['fin max'],
      김철수: ['김', '기', '김철수'],
      山田太郎: ['山田', '太郎'],
      ضياء: ['ضياء'],
    };
    for (const [name, queries] of Object.entries(spellings))
      for (const query of queries) expect(finds(query, name), `${query} for ${name}`).to.equal(true);
  });

  it('find each word of a query at the beginning of a word, in any order, while somebody is typing', () => {
    const name = "Jean-Pierre O'Brien-Ng";
    for (const query of [
      ...['jean', 'pierre', 'jeanp', 'Jean-P', 'obrien', "o'b", 'O’Brien', 'brien', 'ng', 'ng jean', 'p ng j', ' j '],
      ...['', '  ', 'jean pierre', 'jeanpierre obrienng'],
    ])
      expect(finds(query, name), query).to.equal(true);
    for (const query of ['ean', 'rien', 'jean x', 'ngg', 'pierrejean', '!'])
      expect(finds(query, name), query).to.equal(false);
    expect(finds('Lovelace A', 'Ada Lovelace')).to.equal(true);
    expect(finds('max', 'Ma\u200bx')).to.equal(true);
    expect(finds('kaiulani', 'Kaʻiulani')).to.equal(true);
    expect(finds('★', '★★★')).to.equal(true);
    expect(finds('#44', 'Car 44')).to.equal(true);
    expect(finds('992', 'Porsche 911')).to.equal(false);
  });

  it('fold no two letters of a keyboard into one', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
    expect(folded(letters)).to.equal(letters);
    expect(folded(letters.toUpperCase())).to.equal(letters);
  });

  describe('tell records of the same name apart', () => {
    const field = (name: string, schema: JsonObject): Field =>
      fieldOf(name, { type: 'string', ...schema }, true, objectOf);
    const brand = field('brandDisplayName', { 'x-name-of': 'brandId' });
    const carClass = field('carClassDisplayName', { 'x-name-of': 'carClassId' });
    const startsAt = field('startsAt', { format: 'date-time' });
    const namesOf = (records: readonly RecordWithId[], tellsApart: readonly Field[]): readonly string[] => {
      const resource = { names: ['name'], otherName: '', key: 'id', tellsApart };
      const choices = choicesOf(resource, records, (instant) => `at ${instant}`);
      return records.map(({ id }) => choices.byId.get(id)?.name ?? '');
    };

    it('by the fields that differ, and by no others', () => {
      const car = (id: string, name: string, of: string, inClass: string): RecordWithId => ({
        id,
        name,
        brandDisplayName: of,
        carClassDisplayName: inClass,
      });
      const names = namesOf(
        [
          car('1', 'GT3', 'Porsche', 'Cup'),
          car('2', 'GT3', 'Ferrari', 'Cup'),
          car('3', 'M4', 'BMW', 'GT3'),
          car('4', 'M4', 'BMW', 'GT4'),
          car('5', '296', 'Ferrari', 'GT3'),
        ],
        [brand, carClass],
      );
      expect(names).to.deep.equal(['GT3 (Porsche)', 'GT3 (Ferrari)', 'M4 (GT3)', 'M4 (GT4)', '296']);
    });

    it('by their dates, and an event without one by that', () => {
      const event = (id: string, at: string | null): RecordWithId => ({ id, name: 'Final', startsAt: at });
      expect(namesOf([event('a', '2026-05-01'), event('b', '2026-06-01'), event('c', null)], [startsAt])).to.deep.equal(
        [...['Final (at 2026-05-01)', 'Final (at 2026-06-01)', 'Final (–)']],
      );
    });

    it('by their ids where nothing else differs, also if they only look the same', () => {
      const id = (end: string): string => `0199f000-0000-7000-8000-000000${end}`;
      const record = (end: string, name: string): RecordWithId => ({ id: id(end), name, brandDisplayName: 'B' });
      const names = namesOf(
        [record('aaaaaa', 'Ångström'), record('bbbbbb', 'A\u030angstro\u0308m'), record('cccccc', 'Ångström\u200b ')],
        [brand],
      );
      expect(names.map((name) => /\(.*\)$/.exec(name)?.[0])).to.deep.equal(['(…aaaaaa)', '(…bbbbbb)', '(…cccccc)']);
    });

    it('by all of the id if its end is the same, and find them by what is shown, or by the id', () => {
      const records = [
        { id: '1-999999', name: 'Max', brandDisplayName: 'Werk' },
        { id: '2-999999', name: 'Max', brandDisplayName: 'Werk' },
        { id: '3-999999', name: 'Max', brandDisplayName: 'Privat' },
      ];
      expect(new Set(namesOf(records, [brand])).size).to.equal(3);
      const resource = { names: ['name'], otherName: '', key: 'id', tellsApart: [brand] };
      const { options } = choicesOf(resource, records, String);
      expect(optionsFor(options, 'priv max').map(({ id }) => id)).to.deep.equal(['3-999999']);
      expect(optionsFor(options, ' 2-999999 ').map(({ id }) => id)).to.deep.equal(['2-999999']);
      expect(optionsFor(options, '')).to.have.length(3);
    });
  });

  it('find one of 5,000 drivers with little work for each key', () => {
    const records = Array.from({ length: 5_000 }, (_, n) => ({ id: String(n), name: `Åsa ${n} Øberg-${n % 97}` }));
    const resource = { names: ['name'], otherName: '', key: 'id', tellsApart: [] };
    const { options } = choicesOf(resource, records, String);
    const cost = (): number => {
      const before = process.cpuUsage();
      for (const typed of ['o', 'ob', 'obe', 'ober', 'oberg', 'oberg 4', 'oberg 49', 'oberg 499', 'oberg 4999'])
        optionsFor(options, typed);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    expect(optionsFor(options, 'oberg 4999').map(({ id }) => id)).to.deep.equal(['4999']);
    // Nine keys; each may take a frame.
    expect(Math.min(cost(), cost(), cost(), cost(), cost())).to.be.lessThan(9 * 16);
  });
});
