import { expect } from 'chai';
import type { Client } from '../api/client.ts';
import { ANNOUNCED } from '../canaries.ts';
import type { ServiceHere } from './service-here.ts';
import { caughtUp, until } from './waits.ts';
import type { Running } from './world.ts';

/** No configured token: one is generated and announced. */
export const MADE_UP = { BOOTSTRAP_ADMIN_TOKEN: '' };

/** All tokens that processes have announced. */
export function announcedBy(...processes: readonly Running[]): readonly string[] {
  return processes.flatMap(({ err }) => [...err.matchAll(new RegExp(ANNOUNCED, 'gm'))].map(([, token]) => token ?? ''));
}

/** Waits until a service has announced its token, the only one. */
export async function firstToken({ announced }: ServiceHere): Promise<string> {
  const [token = '', ...others] = await until(
    () => announced,
    ({ length }) => length > 0,
  );
  expect(others).to.be.empty;
  return token;
}

/** There is one licence, and the client's token shows it. */
export async function expectOneLicence(admin: Client): Promise<void> {
  await caughtUp(admin);
  expect(await admin.list('/api/v1/licenses')).to.have.length(1);
}
