import { z } from 'zod';
import { create, decode, idempotencyKey, idsOf, outcomeOf, type CreatedResource, type Venue } from './api.ts';
import type { IdLookup } from './catalogue.ts';
import { PEOPLE } from './data/people.ts';
import { DemoError, type Send } from './http-client.ts';
import type { PersonData } from './types.ts';

const LicenseCreated = z.object({ license: z.object({ id: z.string() }), apiKey: z.object({ token: z.string() }) });

interface IssuedLicense extends CreatedResource {
  readonly token: string;
}

interface NewLicense {
  readonly name: string;
  readonly displayName: string;
}

/** A client and token for requests that only an ADMIN may send. */
export interface Admin {
  readonly send: Send;
  readonly token: string;
}

/** Creates a licence; a repeated run gets the same one with a new key (docs/interface.md#idempotency). */
async function issueLicense({ send, token }: Admin, { name, displayName }: NewLicense): Promise<IssuedLicense> {
  const response = await send({
    method: 'POST',
    path: '/api/v1/licenses',
    token,
    body: { name, displayName },
    idempotencyKey: idempotencyKey('license', name),
    expect: [201, 401, 403],
  });
  if (response.status !== 201) {
    throw new DemoError(
      'The service does not accept this as an ADMIN token: pass the one its first start printed, ' +
        'with --token or BOOTSTRAP_ADMIN_TOKEN.',
    );
  }
  const { license, apiKey } = decode(LicenseCreated, response, 'POST /api/v1/licenses');
  return { name, id: license.id, token: apiKey.token, outcome: outcomeOf(response) };
}

/** Creates the licence of the demo's venue. Throws `DemoError`, also for a token that is not an ADMIN's. */
export async function openVenue(admin: Admin, phase: Venue['phase']): Promise<Venue> {
  const { id: licenseId, token } = await issueLicense(admin, {
    name: 'demo-venue',
    displayName: 'Demo Sim Racing Lounge',
  });
  return { send: admin.send, phase, licenseId, token };
}

function extraFields({ nickname, nationality, level }: PersonData): string {
  return JSON.stringify({ nickname, nationality, experience: level, newsletter: level !== 'beginner' });
}

/** Creates the participants: each is bound to a licence of its own. Returns a look-up by e-mail address. */
export async function signUpPeople(venue: Venue, admin: Admin): Promise<IdLookup> {
  const licenses = await venue.phase('Competitor licences', PEOPLE, async ({ firstName, lastName, email }) => {
    const issued = await issueLicense(admin, { name: `demo-${email}`, displayName: `${firstName} ${lastName}` });
    return { ...issued, name: email };
  });
  const licenseOf = idsOf(licenses);
  const { send, token } = venue;
  const created = await venue.phase('Participants', PEOPLE, (person) => {
    const { firstName, lastName, email, phoneNumber } = person;
    const body = {
      licenseId: licenseOf(email),
      firstName,
      lastName,
      email,
      phoneNumber,
      extraFieldsJson: extraFields(person),
    };
    return create(send, { path: '/api/v1/participants', token, kind: 'participant', name: email, body });
  });
  return idsOf(created);
}
