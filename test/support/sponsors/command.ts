import { z } from 'zod';
import { bodyCommand, type CommandOf, type PartialUpdate } from '../../../src/service/domain/body-command.ts';
import {
  changesTo,
  evolvedBy,
  fieldsChanged,
  flagSet,
  referenceMoved,
} from '../../../src/service/domain/field-events.ts';
import { reference, references } from '../../../src/service/domain/examples.ts';
import { cdnKey, described, enabled, name, slug, webAddress } from '../../../src/service/domain/fields.ts';
import { decider, reject, whenAbsent, whenPresent } from '../../../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../../../src/service/kernel/event-types.ts';

/** A sponsor of a venue: the resource that docs/adding-a-resource.md adds. */
export const Sponsor = z.object({
  licenseId: reference('license', 'The licence whose sponsor it is.'),
  displayName: described(name(2, 120), 'Name of the sponsor.', 'Brakes & Sons'),
  slug: described(slug(2, 40), 'Short name for addresses; no other sponsor of its licence has it.', 'brakes'),
  website: described(webAddress(255), 'Address of its website.', 'https://brakes.example'),
  logo: described(cdnKey, 'CDN key of the logo.', 'BRAND/brakes.svg'),
  tier: described(z.enum(['TITLE', 'GOLD', 'SILVER']), 'How much it gives.', 'GOLD'),
  eventIds: references('event', 'The events that it sponsors.'),
  enabled,
});
export type Sponsor = z.output<typeof Sponsor>;

const changes = {
  SponsorMovedToLicense: referenceMoved('licenseId'),
  SponsorRenamed: fieldsChanged(Sponsor.pick({ displayName: true })),
  SponsorSlugChanged: fieldsChanged(Sponsor.pick({ slug: true })),
  SponsorPresented: fieldsChanged(Sponsor.pick({ website: true, logo: true })),
  SponsorTierChanged: fieldsChanged(Sponsor.pick({ tier: true })),
  SponsorEventsChanged: fieldsChanged(Sponsor.pick({ eventIds: true })),
  SponsorEnabled: flagSet('enabled', true),
  SponsorDisabled: flagSet('enabled', false),
};
export const sponsorEvents = { SponsorAdded: eventType(Sponsor), ...changes };

export type SponsorCommand = CommandOf<{ AddSponsor: Sponsor; ChangeSponsor: PartialUpdate<Sponsor> }>;

export const sponsorDecider = decider<Sponsor | null, SponsorCommand, typeof sponsorEvents>({
  category: 'sponsor',
  initial: null,
  events: sponsorEvents,
  claim: {
    category: 'sponsorSlug',
    key: (state) => state && JSON.stringify([state.licenseId, state.slug]),
    taken: reject('TAKEN', 'Another sponsor of the licence has this slug.', '/slug'),
  },
  evolve: { SponsorAdded: (_, data) => data, ...evolvedBy(changes) },
  decide: {
    AddSponsor: whenAbsent((data) => [{ type: 'SponsorAdded', data }]),
    ChangeSponsor: whenPresent((sponsor, change) => changesTo(changes, sponsor, change)),
  },
});

const sponsorReferences = { licenseId: 'license', eventIds: 'event' } as const;

export const addSponsor = bodyCommand(sponsorDecider, 'AddSponsor', {
  body: Sponsor.extend({ enabled: enabled.default(true) }),
  references: sponsorReferences,
});
export const changeSponsor = bodyCommand(sponsorDecider, 'ChangeSponsor', {
  body: Sponsor.partial(),
  references: sponsorReferences,
});
