import { apiKeyResource } from './api-keys.ts';
import { brandResource } from './brands.ts';
import { carBrandResource } from './car-brands.ts';
import { carClassResource } from './car-classes.ts';
import { carResource } from './cars.ts';
import { eventQueuePart } from './event-queues.ts';
import { racingEventResource } from './events.ts';
import { fileResource } from './files.ts';
import { lapResource } from './laps.ts';
import { licenseResource } from './licenses.ts';
import { participantResource } from './participants.ts';
import type { Resource, ResourcePart } from './resource.ts';
import { rigSeatPart } from './rig-seats.ts';
import { rigResource } from './rigs.ts';
import { sequencePart } from './sequences.ts';
import { signupFieldResource } from './signup-fields.ts';
import { simulatorCarResource } from './simulator-cars.ts';
import { simulatorLayoutResource } from './simulator-layouts.ts';
import { simulatorResource } from './simulators.ts';
import { trackLayoutResource } from './track-layouts.ts';
import { trackResource } from './tracks.ts';

/** Every resource of the interface, in the order of its document. This is the one list of them. */
export const RESOURCES: readonly Resource[] = [
  lapResource,
  participantResource,
  racingEventResource,
  rigResource,
  signupFieldResource,
  simulatorResource,
  simulatorLayoutResource,
  simulatorCarResource,
  trackResource,
  trackLayoutResource,
  carResource,
  carBrandResource,
  carClassResource,
  brandResource,
  fileResource,
  apiKeyResource,
  licenseResource,
];

export const PARTS: readonly ResourcePart[] = [sequencePart, rigSeatPart, eventQueuePart];
