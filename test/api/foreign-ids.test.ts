import { expect } from 'chai';
import { expectProblem, expectStatus, textOf } from '../support/api/client.ts';
import { resourcesOf } from '../support/api/resources.ts';
import { createVenue, idsIn, type Venue } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { IN_ORDER, referencesOf } from '../support/resources/entries.ts';
import { ownFieldsOf } from '../support/resources/entry.ts';

/** Internal names of fields in documents or events. */
const INTERNAL = [
  ...[
    '_createdBy',
    '_owners',
    '_until',
    '_tokenHash',
    '_oldTokens',
    '_rigId',
    '_registration',
    '_mapped',
    '_updatedAt',
  ],
  ...['_revision', '_position', 'tokenHash', 'rigId', 'licenseKey', 'role', 'apiKeyId', 'createdBy', 'enabled'],
  ...['constructor', 'unknown'],
];

// `matrix.test.ts` has those in paths.
describe('API: ids of another licence', () => {
  const api = useVenue();
  let other: Venue;
  before(async () => {
    other = await createVenue(api.admin);
  });

  for (const entry of IN_ORDER.filter(({ create }) =>
    Object.values(create).some(({ refersTo }) => refersTo !== undefined),
  )) {
    const { name, owner } = entry;
    it(`${name}: are refused in every field that may hold one, on POST and PATCH`, async () => {
      const resource = api.resource(name);
      const { manager } = api.venue;
      const made = resource.unwrap(await manager.create(resource.path, await resource.body()));
      for (const { name: field, refersTo } of referencesOf(entry)) {
        if (!(field in entry.create)) continue;
        const id = idsIn(other)(refersTo);
        const value = Array.isArray(made[field]) ? [id] : id;
        // All other fields refer only to public resources.
        const isRefused = ownFieldsOf(entry).includes(field);
        // An existing resource stays with its licence.
        const isMove = owner.kind === 'license' && owner.field === field;
        const posted = await manager.post(resource.path, { ...(await resource.body()), [field]: value });
        const patched =
          field in resource.change ? await manager.patch(resource.pathOf(made), { ...made, [field]: value }) : posted;
        for (const answer of [posted, patched]) {
          if (isRefused || (isMove && answer === patched)) expectProblem(answer, 403, `#/${field}`);
          else expect(answer.status, `${field}: ${answer.text.slice(0, 200)}`).to.be.oneOf([200, 201, 409]);
        }
      }
    });
  }

  it('have no effect in fields that only the service sets, on POST and PATCH', async () => {
    for (const [name, resource] of resourcesOf(other, api.admin)) {
      const creator = name === 'License' ? api.admin : other.manager;
      const body = await resource.body();
      const settable = { ...resource.create, ...resource.change, ...body };
      const own = [...resource.shows, ...INTERNAL].filter((field) => !Object.hasOwn(settable, field));
      const hostile = Object.fromEntries(own.map((field) => [field, api.venue.licenseId]));
      const made = resource.unwrap(expectStatus(await creator.post(resource.path, { ...hostile, ...body }), 201).body);
      for (const [field, value] of Object.entries(made))
        expect(value, `${name}.${field}`).not.to.equal(api.venue.licenseId);
      if ('licenseId' in made && name !== 'Participant') expect(textOf(made, 'licenseId')).to.equal(other.licenseId);
      const path = resource.pathOf(made);
      const before = await creator.read(path);
      const answer = await creator.patch(path, resource.replaces === true ? { ...body, ...hostile } : hostile);
      expect({ ...expectStatus(answer, 200).body, updatedAt: 0 }).to.deep.equal({ ...before, updatedAt: 0 });
    }
  });
});
