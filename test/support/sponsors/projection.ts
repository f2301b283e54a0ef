import { sponsorEvents, type Sponsor } from './command.ts';
import { licenseEvents } from '../../../commands/licenses.ts';
import { licenses } from '../../../projections/licenses.ts';
import { nameOf, resourceProjection, type DocumentOf, type Named } from '../../../src/domain/documents.ts';
import { readModel } from '../../../src/kernel/projection/projection.ts';

export const sponsorNames = { licenseId: 'licenseDisplayName' } as const;

export type SponsorDocument = DocumentOf<Sponsor & Named<typeof sponsorNames>>;

export const sponsors = readModel<SponsorDocument>('sponsors', {
  category: 'sponsor',
  indexes: [['enabled', 'displayName'], ['displayName'], ['eventIds[]', 'displayName']],
  columns: ['enabled', 'displayName', 'licenseId'],
});

export const sponsorsProjection = resourceProjection(
  sponsors,
  { own: sponsorEvents, others: licenseEvents },
  {
    SponsorAdded: async ({ data, id, at }, look) =>
      sponsors.insert(id, {
        ...data,
        licenseDisplayName: await nameOf(look(licenses, data.licenseId)),
        createdAt: at,
        updatedAt: at,
      }),
    SponsorMovedToLicense: async ({ data: { to }, id, at }, look) =>
      sponsors.set(id, { licenseId: to, licenseDisplayName: await nameOf(look(licenses, to)), updatedAt: at }),
    LicenseRenamed: ({ data, id }) => sponsors.setWhere('licenseId', id, { licenseDisplayName: data.displayName }),
  },
);
