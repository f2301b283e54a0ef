import { expect } from 'chai';
import { expectProblem, idOf, type Answer } from '../support/api/client.ts';
import { bodies, createLicense, issueKey } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';

/** Expects a 403 of type `not-yours`. */
function expectNotYours(answer: Answer, pointer?: string): void {
  expect(expectProblem(answer, 403, pointer).type).to.equal('urn:problem-type:not-yours');
}

describe('API: what an ADMIN key made', () => {
  const api = useService();

  it('is shared by the role that the key had then, whatever its role is now', async () => {
    const [acme, beta] = [await createLicense(api.admin), await createLicense(api.admin)];
    const key = await issueKey(acme.manager, 'CRUD');
    const setRole = (role: string) => api.admin.change(`/api/v1/api-keys/${key.id}`, { role });
    const create = async () => `/api/v1/brands/${idOf(await key.client.create('/api/v1/brands', bodies.brand()))}`;

    const own = await create();
    await setRole('ADMIN');
    const shared = await create();
    expectNotYours(await beta.manager.patch(own, { name: 'Promoting the key does not share it' }));
    await beta.manager.change(shared, { name: 'Shared' });
    await setRole('R');
    await beta.manager.change(shared, { name: 'Demoting the key does not take it back' });
  });
});
