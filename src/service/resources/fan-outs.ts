import { cars } from '../../../projections/cars.ts';
import { laps } from '../../../projections/laps.ts';
import { leaderboards } from '../../../projections/leaderboards/leaderboards.ts';
import { participants } from '../../../projections/participants.ts';
import { racingEvents } from '../../../projections/racing-events.ts';
import { rigs } from '../../../projections/rigs.ts';
import { signupFields } from '../../../projections/signup-fields.ts';
import { simulatorCars } from '../../../projections/simulator-cars.ts';
import { simulatorLayouts } from '../../../projections/simulator-layouts.ts';
import { trackLayouts } from '../../../projections/track-layouts.ts';

/** Documents with the id of what has changed in a field. */
export interface Reached {
  readonly collection: string;
  readonly field: string;
}

/** The documents that each type of event changes beside the one of its stream, by category of streams. */
export type FanOuts = Readonly<Record<string, Readonly<Record<string, readonly Reached[]>>>>;

function reached(model: { readonly collection: string }, field: string): Reached {
  return { collection: model.collection, field };
}

/** Where the names of drivers are. */
export const NAMES_OF_DRIVERS: readonly Reached[] = [
  reached(laps, 'participantId'),
  reached(leaderboards, 'participantId'),
];

/** The event that changes the names of everybody for whom a licence decides, wherever they are. */
export const NAMES_OF_PEOPLE = 'LicensePublicNamesChanged';

/** The commands that record it. */
export const RENAMING_PEOPLE: ReadonlySet<string> = new Set(['ChangeLicensePublicNames']);

/**
 * The events that change many documents, as the projections say by `setWhere`; a test compares both. What such an event
 * costs everybody is far more than what it costs its sender to send it, so it is charged.
 */
export const FAN_OUTS: FanOuts = {
  participant: {
    ParticipantRenamed: NAMES_OF_DRIVERS,
    ParticipantNicknameChanged: NAMES_OF_DRIVERS,
    ParticipantMovedToLicense: NAMES_OF_DRIVERS,
    ParticipantErased: NAMES_OF_DRIVERS,
  },
  event: { EventRenamed: [reached(laps, 'eventId'), reached(signupFields, 'eventId')] },
  rig: { RigRenamed: [reached(laps, 'rigId')] },
  trackLayout: { TrackLayoutRenamed: [reached(laps, 'trackId'), reached(simulatorLayouts, 'trackLayoutId')] },
  track: { TrackRenamed: [reached(trackLayouts, 'trackId')] },
  car: {
    CarRenamed: [reached(simulatorCars, 'carId')],
    CarMovedToBrand: [reached(simulatorCars, 'carId')],
    CarMovedToClass: [reached(simulatorCars, 'carId')],
  },
  carBrand: { CarBrandRenamed: [reached(cars, 'brandId'), reached(simulatorCars, 'carBrandId')] },
  carClass: { CarClassRenamed: [reached(cars, 'carClassId'), reached(simulatorCars, 'carClassId')] },
  simulator: {
    SimulatorRenamed: [
      reached(racingEvents, 'simulatorId'),
      reached(simulatorCars, 'simulatorId'),
      reached(simulatorLayouts, 'simulatorId'),
    ],
  },
  license: {
    LicenseRenamed: [
      reached(participants, 'licenseId'),
      reached(racingEvents, '_licenseId'),
      reached(rigs, 'licenseId'),
    ],
    LicenseLogoChanged: [reached(racingEvents, '_licenseId')],
    LicenseAccentColorChanged: [reached(racingEvents, '_licenseId')],
    LicenseTimeZoneChanged: [reached(racingEvents, '_licenseId')],
  },
};
