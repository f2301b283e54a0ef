import { expect } from 'chai';
import { countryName, countryOptions } from '../../../src/clients/web/admin/api/countries.ts';
import { fieldOf, type Field } from '../../../src/clients/web/admin/api/fields.ts';
import { newRecordFields, slugOf, withDerived } from '../../../src/clients/web/admin/api/new-record.ts';

function text(name: string, minLength: number, maxLength: number): Field {
  return fieldOf(name, { type: 'string', minLength, maxLength }, true, (schema) => Object(schema) as object as never);
}

const NOTHING: ReadonlySet<string> = new Set();

describe('Pages: forms of new records', () => {
  it('make slugs from names, within their bounds', () => {
    const bounds = { least: 2, most: 20 };
    expect(slugOf('Circuit de Spa-Francorchamps', bounds)).to.equal('circuit-de-spa-franc');
    expect(slugOf('  Nürburgring: Nordschleife!', { least: 2, most: 40 })).to.equal('nurburgring-nordschleife');
    expect(slugOf('Autódromo Hermanos', { least: 2, most: 10 })).to.equal('autodromo');
    expect(slugOf('鈴鹿', bounds), 'no letter of the alphabet').to.equal('');
    expect(slugOf('X', bounds), 'too short').to.equal('');
  });

  it('take other entries from the name until somebody makes them', () => {
    const fields = [text('displayName', 3, 120), text('slug', 2, 20)];
    const entries = { displayName: 'Monza', slug: '' };
    expect(withDerived('Track', fields, entries, NOTHING, 'a1b2c3')).to.include({ slug: 'monza' });
    expect(withDerived('Track', fields, { displayName: '鈴鹿', slug: '' }, NOTHING, 'a1b2c3').slug).to.equal('a1b2c3');
    const made = { displayName: 'Monza', slug: 'mza' };
    expect(withDerived('Track', fields, made, new Set(['slug']), 'a1b2c3')).to.deep.equal(made);
    expect(withDerived('Track', fields, { displayName: ' ', slug: 'x' }, NOTHING, 'a1b2c3').slug).to.equal('');
    const rig = [text('name', 2, 120), text('hardwareId', 1, 255)];
    expect(withDerived('Rig', rig, { name: 'Rig 1', hardwareId: '' }, NOTHING, 'a1b2c3').hardwareId).to.equal(
      'rig-1-a1b2c3',
    );
  });

  it('ask for what has no default, and fold the rest away', () => {
    const fields = [text('slug', 2, 20), text('location', 0, 120), text('logo', 0, 255), text('displayName', 3, 120)];
    const names = (some: readonly Field[]) => some.map(({ name }) => name);
    const { asked, more } = newRecordFields('Track', [...fields, text('surprise', 1, 10)], {});
    expect(names(asked)).to.deep.equal(['displayName', 'location', 'surprise']);
    expect(names(more)).to.deep.equal(['slug', 'logo']);
    expect(newRecordFields('Lap', fields, {})).to.deep.equal({ asked: fields, more: [] });
  });
});

describe('Pages: countries', () => {
  it('are known by the codes that the interface has, in the language of the page', () => {
    expect(countryName('BEL', 'en')).to.equal('Belgium');
    expect(countryName('deu', 'de')).to.equal('Deutschland');
    expect(countryName('XXX', 'en')).to.equal('XXX');
  });

  it('are all there, each once, with a name', () => {
    const options = countryOptions('en');
    expect(options).to.have.length(249);
    expect(new Set(options.map(({ name }) => name)).size).to.equal(249);
    for (const { id, name } of options) {
      expect(id).to.match(/^[A-Z]{3}$/);
      expect(name, id).to.match(/[a-z]{2}/);
    }
  });
});
