import { z } from 'zod';
import { additionOf, catalogueDecider, changeOf } from '../../../src/domain/catalogue.ts';
import { component } from '../../../src/domain/component.ts';
import { reference, references } from '../../../src/domain/references.ts';
import { bodyOf, Flag, Id, listOf, Text } from '../../../src/domain/facts.ts';
import { fieldsChanged, flagSet, referenceMoved } from '../../../src/domain/field-events.ts';
import { cdnKey, described, enabled, name, slug, webAddress } from '../../../src/domain/fields.ts';
import { reject } from '../../../src/kernel/aggregate/rejection.ts';
import { eventType } from '../../../src/kernel/event-types.ts';

const SponsorAdded = z.object({
  licenseId: Id,
  displayName: Text,
  slug: Text,
  website: Text,
  logo: Text,
  tier: Text,
  eventIds: listOf(Id),
  enabled: Flag,
});
/** A sponsor of a venue: the resource that docs/adding-a-resource.md adds. */
export type Sponsor = z.output<typeof SponsorAdded>;

export const sponsorEvents = {
  SponsorAdded: eventType(SponsorAdded),
  SponsorMovedToLicense: referenceMoved('licenseId'),
  SponsorRenamed: fieldsChanged(SponsorAdded, 'displayName'),
  SponsorSlugChanged: fieldsChanged(SponsorAdded, 'slug'),
  SponsorPresented: fieldsChanged(SponsorAdded, 'website', 'logo'),
  SponsorTierChanged: fieldsChanged(SponsorAdded, 'tier'),
  SponsorEventsChanged: fieldsChanged(SponsorAdded, 'eventIds'),
  SponsorEnabled: flagSet('enabled', true),
  SponsorDisabled: flagSet('enabled', false),
};

export const sponsorDecider = catalogueDecider('sponsor', sponsorEvents, {
  added: 'SponsorAdded',
  claim: {
    category: 'sponsorSlug',
    key: (state) => state && JSON.stringify([state.licenseId, state.slug]),
    taken: reject('TAKEN', 'Another sponsor of the licence has this slug.', '/slug'),
  },
});

export const Sponsor = bodyOf(SponsorAdded, {
  licenseId: reference('license', 'The licence whose sponsor it is.'),
  displayName: described(name(2, 120), 'Name of the sponsor.', 'Brakes & Sons'),
  slug: described(slug(2, 40), 'Short name for URLs; no other sponsor of its licence has it.', 'brakes'),
  website: described(webAddress(255), 'Address of its website.', 'https://brakes.example'),
  logo: described(cdnKey, 'CDN key of the logo.', 'BRAND/brakes.svg'),
  tier: described(
    z.enum(['TITLE', 'GOLD', 'SILVER']).meta(component('SponsorTier', 'Kind of a sponsor.')),
    'How much it gives.',
    'GOLD',
  ),
  eventIds: references('event', 'The events that it sponsors.'),
  enabled,
});

export const addSponsor = additionOf('AddSponsor', Sponsor.extend({ enabled: enabled.default(true) }));
export const changeSponsor = changeOf('ChangeSponsor', Sponsor.partial());
