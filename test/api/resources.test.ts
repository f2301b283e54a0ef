import { expect } from 'chai';
import type { Json, JsonObject } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus, pointersOf, type Answer, type Client } from '../support/api/client.ts';
import { goodBodies, RESOURCES, without, type Resource } from '../support/api/resources.ts';
import { refusedValues, type Field } from '../support/resources/fields.ts';
import { useVenue } from '../support/api/with-service.ts';

/** Values that are not bodies. */
const NO_BODIES: readonly Json[] = [[], [{}], 'text', 1, true, null];

/** The value that a field shows after it was sent. */
function shownBy(name: string, { shownAs = name, shown = (value) => value }: Field, sent: Json): [string, Json] {
  return [shownAs, shown(sent)];
}

function expectShown(fields: Resource['create'], sent: JsonObject, shown: JsonObject): void {
  for (const [name, field] of Object.entries(fields)) {
    const value = sent[name];
    if (value === undefined) continue;
    const [shownAs, expected] = shownBy(name, field, value);
    expect(shown[shownAs], `${name}: ${JSON.stringify(value)}`).to.deep.equal(expected);
  }
}

/**
 * endsAt may not be before startsAt; values are tried one field at a time, so one of them stays out. One of the two names
 * of a driver may be empty, not both.
 */
function consistent(body: JsonObject, row: number): JsonObject {
  if (body['firstName'] === '' && body['lastName'] === '') return { ...body, lastName: 'Racer' };
  if (!('startsAt' in body)) return body;
  return without(body, row % 2 === 0 ? 'startsAt' : 'endsAt');
}

function expectFault(answer: Answer, field: string, sent: Json): void {
  expectProblem(answer, 400);
  const named = pointersOf(answer).filter((pointer) => pointer === `#/${field}` || pointer.startsWith(`#/${field}/`));
  expect(named, `${field}: ${JSON.stringify(sent)} → ${answer.text}`).not.to.be.empty;
}

async function created(client: Client, resource: Resource, more: JsonObject = {}) {
  const answer = expectStatus(await client.post(resource.path, { ...(await resource.body()), ...more }), 201);
  return { answer, shown: resource.unwrap(answer.body) };
}

// test/commands/resources.test.ts has that a change says nothing of other fields.
describe('API: every resource', () => {
  const api = useVenue();

  for (const name of RESOURCES) {
    describe(name, () => {
      it('is created with the required fields, shows exactly its fields, and is found at its Location', async () => {
        const resource = api.resource(name);
        const { answer, shown } = await created(api.admin, resource);
        expect(Object.keys(shown)).to.have.members(resource.shows);
        for (const [field, { unset, otherwise = '', shownAs = field }] of Object.entries(resource.create)) {
          if (unset !== undefined) expect(shown[shownAs], field).to.deep.equal(shown[otherwise] ?? unset);
        }
        const location = answer.header('location');
        expect(location).to.equal(resource.pathOf(shown));
        expect(await api.admin.read(location)).to.deep.equal(shown);
        const twice = await api.admin.get(`${location}/`);
        expect(twice.status, 'a trailing slash').to.equal(200);
      });

      it('accepts every value within its bounds on POST', async () => {
        const resource = api.resource(name);
        await Promise.all(
          goodBodies(resource.create).map(async (sent, row) => {
            const body = consistent(sent, row);
            const { answer, shown } = await created(api.admin, resource, body);
            expectShown(resource.create, body, shown);
            expect(await api.admin.read(answer.header('location'))).to.deep.equal(shown);
          }),
        );
      });

      it('refuses values out of bounds, mistyped or missing on POST, and writes nothing', async () => {
        const resource = api.resource(name);
        const body = await resource.body();
        const before = await listed(api.admin, resource);
        for (const [field, declared] of Object.entries(resource.create)) {
          await Promise.all(
            refusedValues(declared).map(async (value) => {
              expectFault(await api.admin.post(resource.path, { ...body, [field]: value }), field, value);
            }),
          );
          if (declared.isOfSeat === true)
            expectProblem(await api.admin.post(resource.path, without(body, field)), 422, `#/${field}`);
          else if (declared.unset === undefined)
            expectFault(await api.admin.post(resource.path, without(body, field)), field, 'left out');
        }
        for (const nothing of NO_BODIES) expectProblem(await api.admin.post(resource.path, nothing), 400);
        expect(await listed(api.admin, resource)).to.deep.equal(before);
      });

      it('accepts every value within its bounds on PATCH, and the next GET shows it', async () => {
        const resource = api.resource(name);
        const { shown } = await created(api.admin, resource);
        const path = resource.pathOf(shown);
        for (const [row, sent] of goodBodies(resource.change).entries()) {
          const body = consistent(sent, row);
          // Only one end of an event is tried at a time, so the other must not be in the way.
          const others = 'startsAt' in sent ? { startsAt: null, endsAt: null } : {};
          const changed = await api.admin.change(path, { ...others, ...body });
          expectShown(resource.change, body, changed);
          expect(await api.admin.read(path)).to.deep.equal(changed);
        }
      });

      it('refuses values out of bounds or mistyped on PATCH, and stays unchanged', async () => {
        const resource = api.resource(name);
        const { shown } = await created(api.admin, resource);
        const path = resource.pathOf(shown);
        const whole = resource.replaces === true ? await resource.body() : {};
        for (const [field, declared] of Object.entries(resource.change)) {
          await Promise.all(
            refusedValues(declared).map(async (value) => {
              expectFault(await api.admin.patch(path, { ...whole, [field]: value }), field, value);
            }),
          );
          if (resource.replaces === true && declared.unset === undefined)
            expectFault(await api.admin.patch(path, without(whole, field)), field, 'left out');
        }
        for (const nothing of NO_BODIES) expectProblem(await api.admin.patch(path, nothing), 400);
        expect(await api.admin.read(path)).to.deep.equal(shown);
      });
    });
  }
});

/** Everything stored about a resource, except when keys were last used. */
async function listed(client: Client, { path, create, name }: Resource): Promise<readonly JsonObject[]> {
  const whole = 'enabled' in create || name === 'Rig' ? `${path}?includeDisabled=true` : path;
  return (await client.list(whole)).map((one) => without(without(one, 'lastUsedAt'), 'lastLoginAt'));
}
