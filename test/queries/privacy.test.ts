import { expect } from 'chai';
import { fieldsMarked, type Privacy } from '../../src/domain/facts.ts';
import { RESOURCES } from '../../src/service/resources/index.ts';
import { EVENT_TYPES } from '../../src/service/resources/built-in.ts';
import { IN_ORDER, referencesOf } from '../support/resources/entries.ts';

/** The events that have fields with one of these marks, and those fields. */
function marksOf(...marks: readonly Privacy[]): Record<string, readonly string[]> {
  const marked = Object.entries(EVENT_TYPES).map(
    ([type, { schema }]) => [type, fieldsMarked(schema, ...marks)] as const,
  );
  return Object.fromEntries(marked.filter(([, fields]) => fields.length > 0));
}

const CONTACT = ['email', 'phoneNumber', 'extraFieldsJson', 'nickname'];

/** The fields that identify a person, by resource. */
const PERSONAL: ReadonlyMap<string, readonly string[]> = new Map([
  ['License', ['name', 'displayName']],
  ['Participant', ['firstName', 'lastName', 'publicName', ...CONTACT]],
]);

function viewOf(path: string) {
  const found = RESOURCES.find((resource) => resource.path === path);
  if (found === undefined) throw new Error(`no resource has the path ${path}`);
  return found.query;
}

describe('the privacy of fields', () => {
  it('is declared for the events about people', () => {
    expect(marksOf('personal', 'contact')).to.deep.equal({
      LicenseIssued: ['name', 'displayName'],
      LicenseRenamed: ['displayName'],
      ParticipantRegistered: ['firstName', 'lastName', ...CONTACT],
      ParticipantCheckedIn: ['firstName', 'lastName', ...CONTACT],
      ParticipantRenamed: ['firstName', 'lastName'],
      ParticipantNicknameChanged: ['nickname'],
      ParticipantContactChanged: ['email', 'phoneNumber'],
      ParticipantExtraFieldsChanged: ['extraFieldsJson'],
    });
  });

  it('is declared for secrets', () => {
    expect(marksOf('secret')).to.deep.equal({
      ApiKeyIssued: ['tokenHash'],
      ApiKeyRotated: ['tokenHash', 'oldTokens'],
      LicenseIssued: ['licenseKey'],
      LicenseKeyRotated: ['licenseKey'],
    });
  });

  it('extends to views, also to names of referenced people, and hides contact data from others', () => {
    for (const entry of IN_ORDER) {
      const { personal, contact } = viewOf(entry.path);
      const names = referencesOf(entry).flatMap(({ refersTo, field: { shows = {} } }) => {
        const isPersonal = (field: string): boolean => PERSONAL.get(refersTo)?.includes(field) === true;
        return Object.keys(shows).filter((name) => shows[name]?.split(' ').some(isPersonal));
      });
      expect(personal, entry.name).to.have.members([...(PERSONAL.get(entry.name) ?? []), ...names]);
      const hidden =
        entry.name === 'Participant' ? { email: '', phoneNumber: '', extraFieldsJson: {}, nickname: null } : null;
      expect(contact, entry.name).to.deep.equal(hidden);
    }
  });
});
