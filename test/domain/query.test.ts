import { expect } from 'chai';
import { z } from 'zod';
import {
  cdnKey,
  country,
  instant,
  json,
  jsonObjectOrNull,
  milliseconds,
  name,
  slug,
  text,
  uuid,
} from '../../src/domain/fields.ts';
import { AnyObject, marked } from '../../src/domain/facts.ts';
import { query, resourceView, view, withNames } from '../../src/domain/query.ts';
import type { DocumentMeta } from '../../src/kernel/ports/read-store.ts';
import { readModel } from '../../src/kernel/projection/projection.ts';

/** The JSON schema of a field as it is shown. */
function shownAs(field: z.ZodType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(view('Toy', 'A toy.', { field }).shape.field);
  return schema;
}

describe('queries', () => {
  it('show in the place of contact data what its type may be', () => {
    const fields = {
      email: marked('contact', text(0, 255)),
      phone: marked('contact', text(0, 20).nullable()),
      extra: marked('contact', AnyObject),
    };
    const model = readModel<DocumentMeta & { readonly createdAt: string }>('toys', { category: 'toy', indexes: [] });
    const { contact } = query(model, { view: resourceView('Toy', 'A toy.', fields), defaultSort: 'createdAt' });
    expect(contact).to.deep.equal({ email: '', phone: null, extra: {} });
  });
});

describe('views', () => {
  it('show the types of fields without their bounds', () => {
    for (const bounded of [text(0, 255), name(3, 120), slug(2, 20), country, z.string().min(1).regex(/x/)]) {
      expect(shownAs(bounded)).to.deep.equal({ type: 'string' });
    }
    expect(shownAs(cdnKey)).to.deep.equal({ type: 'string', 'x-file': true });
    expect(shownAs(z.number().min(1))).to.deep.equal({ type: 'number' });
    expect(shownAs(milliseconds)).to.deep.equal({ ...shownAs(z.int()), 'x-unit': 'ms' });
    expect(shownAs(text(0, 9).nullable())).to.deep.equal({ type: ['string', 'null'] });
    expect(shownAs(z.array(text(1, 2)).min(1))).to.deep.equal({ type: 'array', items: { type: 'string' } });
  });

  it('describe fields as they were declared', () => {
    const said = { description: 'A word.', examples: ['abc'] };
    expect(shownAs(text(1, 9).nullable().meta(said))).to.deep.equal({ type: ['string', 'null'], ...said });
    expect(shownAs(text(1, 9).meta(said).nullable())).to.deep.equal({
      anyOf: [{ type: 'string', ...said }, { type: 'null' }],
    });
  });

  it('leave fields without bounds as they are', () => {
    const plain = {
      a: uuid,
      b: instant,
      c: instant.nullable(),
      d: json,
      e: jsonObjectOrNull,
      f: z.enum(['x']),
      g: z.boolean(),
    };
    const { shape } = view('Toy', 'A toy.', plain);
    for (const [field, type] of Object.entries(plain)) expect(shape, field).to.have.property(field, type);
  });

  it('of resources have an id and times, and names after what they name', () => {
    const fields = withNames(
      { trackId: uuid, length: z.number(), carId: uuid },
      { trackId: 'trackName', carId: 'carName' },
    );
    const { shape } = resourceView('Toy', 'A toy.', fields);
    const names = ['id', 'trackId', 'trackName', 'length', 'carId', 'carName', 'createdAt', 'updatedAt'];
    expect(Object.keys(shape)).to.deep.equal(names);
  });
});
