import { entry, of } from '../support/resources/entry.ts';

const person = {
  licenseId: of.exclusiveReferences('License', { licenseDisplayName: 'displayName' }),
  firstName: of.like(of.texts(0, 120), 'Ada'),
  lastName: of.like(of.texts(0, 120), (n) => `Racer ${n}`),
  email: of.emails(),
  phoneNumber: of.like(of.texts(0, 120), '+49 30 1'),
};
const nickname = of.nullable(of.names(2, 40));

/** docs/interface.md#participants */
export default entry('Participant', 'participants', {
  commands: ['RegisterParticipant', 'ChangeParticipant'],
  sort: 'lastName',
  reads: 'R',
  owner: { kind: 'license', field: 'licenseId', orCreator: true },
  rigs: ['create'],
  history: true,
  unique: { category: 'participantLicense', fields: ['licenseId'] },
  idempotent: 'registers once',
  filters: { licenseId: 'licenseId', email: 'email', name: null },
  create: { ...person, extraFieldsJson: of.objectTexts(), nickname },
  change: { ...person, extraFieldsJson: of.objects({}), nickname },
  joins: { publicName: 'firstName lastName' },
  internal: [
    '_createdBy',
    '_owners',
    '_nameWords',
    '_venueId',
    '_awaitsLicense',
    '_namedBy',
    '_publicNames',
    '_publicFirstName',
    '_publicLastName',
    '_publicOrder',
    '_isErased',
  ],
  events: {
    ParticipantRegistered: 'all',
    ParticipantCheckedIn: 'special',
    ParticipantRenamed: ['firstName', 'lastName'],
    ParticipantNicknameChanged: ['nickname'],
    ParticipantContactChanged: ['email', 'phoneNumber'],
    ParticipantExtraFieldsChanged: ['extraFieldsJson'],
    ParticipantMovedToLicense: { moves: 'licenseId' },
    ParticipantErased: 'special',
  },
  more: { 'GET /{}/bests': 'public', 'GET /{}/personal-data': 'CRUD' },
});
