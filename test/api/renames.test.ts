import { expect } from 'chai';
import { textOf } from '../support/api/client.ts';
import { idsIn } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { entryOf, IN_ORDER, referencesOf } from '../support/resources/entries.ts';
import type { Entry } from '../support/resources/entry.ts';
import { unique } from '../support/resources/fields.ts';

/** A field that shows a field of another resource. */
interface Shown {
  readonly by: Entry;
  readonly field: string;
  readonly of: string;
  readonly fields: readonly string[];
}

const SHOWN: readonly Shown[] = IN_ORDER.flatMap((by) =>
  referencesOf(by).flatMap(({ refersTo, field: { shows = {} } }) =>
    Object.entries(shows).flatMap(([field, its]) => {
      const origin = originOf(refersTo, its);
      return origin.fields.every((one) => entryOf(origin.of).change[one]?.isText === true)
        ? [{ by, field, ...origin }]
        : [];
    }),
  ),
);

/** The owner of a shown field: the resource itself or one that it references. */
function originOf(of: string, shown: string): Pick<Shown, 'of' | 'fields'> {
  const reference = referencesOf(entryOf(of)).find(({ field: { shows = {} } }) => shown in shows);
  const its = reference?.field.shows?.[shown];
  return reference === undefined || its === undefined
    ? { of, fields: shown.split(' ') }
    : originOf(reference.refersTo, its);
}

describe('API: names shown in other resources', () => {
  const api = useVenue();
  /** A path with the ids of the venue in it. */
  const v1 = (path: string): string =>
    `/api/v1/${path.replace(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(api.venue, name)))}`;

  /** The path of the venue's resource of an entry. */
  const placeOf = (entry: Entry): string => {
    const { name, maps } = entry;
    const named = referencesOf(entry).find((reference) => reference.name === maps)?.refersTo ?? name;
    return api.resource(name).pathOf({ [maps ?? 'id']: idsIn(api.venue)(named) });
  };

  before(async () => {
    const { simulatorId, trackLayoutId, carId } = api.venue;
    await api.admin.create(v1(`simulators/${simulatorId}/layouts`), { trackLayoutId, simulatorIdentifier: 'nords' });
    await api.admin.create(v1(`simulators/${simulatorId}/cars`), { carId, simulatorIdentifier: 'gt3' });
  });

  for (const of of new Set(SHOWN.map((shown) => shown.of))) {
    it(`follow when a ${of} is renamed, at once, by each part of its name`, async () => {
      const resource = api.resource(of);
      const shown = SHOWN.filter((one) => one.of === of);
      const whole = resource.replaces === true ? await resource.body() : {};
      for (const part of new Set(shown.flatMap(({ fields }) => fields))) {
        const changed = await api.admin.change(placeOf(entryOf(of)), { ...whole, [part]: `Renamed ${unique()}` });
        for (const { by, field, fields } of shown) {
          const name = fields.map((one) => textOf(changed, one)).join(' ');
          expect((await api.admin.read(placeOf(by)))[field], `${field} of ${by.name}`).to.equal(name);
        }
      }
    });
  }

  it('follow in lists, pages and embedded mappings too', async () => {
    const { simulatorId, trackLayoutId, lapId } = api.venue;
    await api.admin.change(v1(`track-layouts/${trackLayoutId}`), { displayName: 'GP course' });
    const simulators = await api.anyone.list(v1('simulators'));
    const layouts = simulators.find(({ id }) => id === simulatorId)?.layouts;
    expect(layouts).to.deep.equal([await api.anyone.read(v1(`simulators/${simulatorId}/layouts/${trackLayoutId}`))]);
    expect(layouts).to.have.nested.property('[0].trackLayoutDisplayName', 'GP course');
    const page = await api.anyone.read(v1('laps/paged'));
    expect(page.content).to.deep.equal([await api.anyone.read(v1(`laps/${lapId}`))]);
    expect(page.content).to.have.nested.property('[0].trackDisplayName', 'GP course');
  });
});
