import { expect } from 'chai';
import { fieldsMarked, type Privacy } from '../../src/service/domain/facts.ts';
import { RESOURCES } from '../../src/service/resources/index.ts';
import { EVENT_TYPES } from '../../src/service/resources/read-models.ts';

/** The events that have fields with one of these marks, and those fields. */
function marksOf(...marks: readonly Privacy[]): Record<string, readonly string[]> {
  const marked = Object.entries(EVENT_TYPES).map(
    ([type, { schema }]) => [type, fieldsMarked(schema, ...marks)] as const,
  );
  return Object.fromEntries(marked.filter(([, fields]) => fields.length > 0));
}

describe('the privacy of fields', () => {
  it('is known of the events about people', () => {
    const contact = ['email', 'phoneNumber', 'extraFieldsJson'];
    expect(marksOf('personal', 'contact')).to.deep.equal({
      LicenseIssued: ['name', 'displayName'],
      LicenseRenamed: ['displayName'],
      ParticipantRegistered: ['firstName', 'lastName', ...contact],
      ParticipantRenamed: ['firstName', 'lastName'],
      ParticipantContactChanged: ['email', 'phoneNumber'],
      ParticipantExtraFieldsChanged: ['extraFieldsJson'],
    });
  });

  it('is known of secrets', () => {
    expect(marksOf('secret')).to.deep.equal({
      ApiKeyIssued: ['tokenHash'],
      ApiKeyRotated: ['tokenHash', 'oldTokens'],
      LicenseIssued: ['licenseKey'],
      LicenseKeyRotated: ['licenseKey'],
    });
  });

  it('follows into views, which show others nothing of contact data', () => {
    const views = RESOURCES.map(
      ({ query: { model, personal, contact } }) => [model.collection, { personal, contact }] as const,
    );
    const own = views.filter(([, { personal, contact }]) => personal.length > 0 || contact !== null);
    expect(Object.fromEntries(own)).to.deep.equal({
      laps: { personal: ['participantName'], contact: null },
      licenses: { personal: ['name', 'displayName'], contact: null },
      participants: {
        personal: ['licenseDisplayName', 'firstName', 'lastName', 'email', 'phoneNumber', 'extraFieldsJson'],
        contact: { email: '', phoneNumber: '', extraFieldsJson: {} },
      },
      rigs: { personal: ['licenseDisplayName'], contact: null },
    });
  });
});
