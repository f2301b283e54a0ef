import { addBrand, changeBrand } from '../../../commands/brands.ts';
import { addCarBrand, changeCarBrand } from '../../../commands/car-brands.ts';
import { addCarClass, changeCarClass } from '../../../commands/car-classes.ts';
import { addCar, changeCar } from '../../../commands/cars.ts';
import { changeLap, lapDecider, recordLap } from '../../../commands/laps.ts';
import { changeParticipant, participantDecider, participantPersonalData } from '../../../commands/participants.ts';
import { changeRacingEvent, racingEventDecider, scheduleRacingEvent } from '../../../commands/racing-events.ts';
import { changeRig, rigDecider } from '../../../commands/rigs.ts';
import { addSignupField, changeSignupField } from '../../../commands/signup-fields.ts';
import { changeCarMapping, mapCar, simulatorCarDecider, unmapCar } from '../../../commands/simulator-cars.ts';
import {
  changeTrackLayoutMapping,
  mapTrackLayout,
  simulatorLayoutDecider,
  unmapTrackLayout,
} from '../../../commands/simulator-layouts.ts';
import { addSimulator, changeSimulator } from '../../../commands/simulators.ts';
import { addTrackLayout, changeTrackLayout } from '../../../commands/track-layouts.ts';
import { addTrack, changeTrack } from '../../../commands/tracks.ts';
import { brandQuery } from '../../../queries/brands.ts';
import { carBrandQuery } from '../../../queries/car-brands.ts';
import { carClassQuery } from '../../../queries/car-classes.ts';
import { carQuery } from '../../../queries/cars.ts';
import { lapQuery } from '../../../queries/laps.ts';
import { licenseQuery } from '../../../queries/licenses.ts';
import { participantQuery } from '../../../queries/participants.ts';
import { racingEventQuery } from '../../../queries/racing-events.ts';
import { rigQuery } from '../../../queries/rigs.ts';
import { signupFieldQuery } from '../../../queries/signup-fields.ts';
import { simulatorCarQuery } from '../../../queries/simulator-cars.ts';
import { simulatorLayoutQuery } from '../../../queries/simulator-layouts.ts';
import { simulatorQuery } from '../../../queries/simulators.ts';
import { trackLayoutQuery } from '../../../queries/track-layouts.ts';
import { trackQuery } from '../../../queries/tracks.ts';
import { apiKeyRows } from './api-keys.ts';
import { completenessRows } from './completeness.ts';
import type { ApiContext } from './context.ts';
import { historyRow } from './history.ts';
import { lapBatchRow } from './lap-batch.ts';
import { bestsRow, leaderboardRow, resultsRow } from './leaderboards.ts';
import { licenseRows } from './licenses.ts';
import { liveRow } from './live.ts';
import { mappingRows } from './mappings.ts';
import { participantRow } from './participants.ts';
import { readRows } from './reads.ts';
import { rigRows } from './rigs.ts';
import { writeRows } from './writes.ts';
import { cdnEndpoints } from './cdn.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** The whole HTTP surface under `/api/v1`, one row per endpoint; router and OpenAPI document are made from it. */
export function endpointsOf(api: ApiContext): readonly Endpoint[] {
  const resources = [timing, simulatorsWithMappings, catalogue, access];
  return [...resources.flatMap((rows) => rows(api)), ...cdnEndpoints(api.assets, api.cdnBaseUrl)];
}

/** Fields of a participant that tell who somebody is. */
const participantFields: ReadonlySet<string> = new Set(Object.values(participantPersonalData).flat());

function timing(api: ApiContext): readonly Endpoint[] {
  const { list, paged, one } = readRows(api);
  const { create, change } = writeRows(api);
  const people = api.publicParticipants ? 'public' : 'R';
  return [
    list('/api/v1/laps', 'public', lapQuery),
    paged('/api/v1/laps/paged', 'public', lapQuery),
    one('/api/v1/laps/{lapId}', 'public', lapQuery),
    historyRow(api, '/api/v1/laps/{lapId}/history', { query: lapQuery, decider: lapDecider }),
    create('/api/v1/laps', lapQuery, { ...recordLap, forRigs: true }),
    lapBatchRow(api),
    change('/api/v1/laps/{lapId}', lapQuery, { ...changeLap, forRigs: true }),

    list('/api/v1/participants', people, participantQuery),
    paged('/api/v1/participants/paged', people, participantQuery),
    one('/api/v1/participants/{participantId}', people, participantQuery),
    historyRow(api, '/api/v1/participants/{participantId}/history', {
      query: participantQuery,
      decider: participantDecider,
      personal: participantFields,
    }),
    bestsRow(api, '/api/v1/participants/{participantId}/bests'),
    participantRow(api, '/api/v1/participants'),
    change('/api/v1/participants/{participantId}', participantQuery, changeParticipant),

    list('/api/v1/events', 'public', racingEventQuery),
    paged('/api/v1/events/paged', 'public', racingEventQuery),
    one('/api/v1/events/{eventId}', 'public', racingEventQuery),
    historyRow(api, '/api/v1/events/{eventId}/history', { query: racingEventQuery, decider: racingEventDecider }),
    leaderboardRow(api, '/api/v1/events/{eventId}/leaderboard'),
    liveRow(api, '/api/v1/events/{eventId}/live'),
    completenessRows.ofEvent(api),
    resultsRow(api, '/api/v1/events/{eventId}/results.csv'),
    create('/api/v1/events', racingEventQuery, scheduleRacingEvent),
    change('/api/v1/events/{eventId}', racingEventQuery, changeRacingEvent),

    list('/api/v1/rigs', 'R', rigQuery),
    paged('/api/v1/rigs/paged', 'R', rigQuery),
    rigRows.byHardwareId(api),
    one('/api/v1/rigs/{rigId}', 'R', rigQuery),
    historyRow(api, '/api/v1/rigs/{rigId}/history', { query: rigQuery, decider: rigDecider }),
    rigRows.register(api),
    rigRows.issueKey(api),
    completenessRows.ofRig(api),
    completenessRows.announce(api),
    change('/api/v1/rigs/{rigId}', rigQuery, { ...changeRig, forRigs: true }),

    list('/api/v1/signup-fields', 'public', signupFieldQuery),
    paged('/api/v1/signup-fields/paged', 'public', signupFieldQuery),
    one('/api/v1/signup-fields/{signupFieldId}', 'public', signupFieldQuery),
    create('/api/v1/signup-fields', signupFieldQuery, addSignupField),
    change('/api/v1/signup-fields/{signupFieldId}', signupFieldQuery, changeSignupField),
  ];
}

function simulatorsWithMappings(api: ApiContext): readonly Endpoint[] {
  const { list, one } = readRows(api);
  const { create, change } = writeRows(api);
  const { mapped, map, unmap } = mappingRows(api);
  return [
    list('/api/v1/simulators', 'public', simulatorQuery),
    one('/api/v1/simulators/{simulatorId}', 'public', simulatorQuery),
    create('/api/v1/simulators', simulatorQuery, addSimulator),
    change('/api/v1/simulators/{simulatorId}', simulatorQuery, changeSimulator),
    mapped('/api/v1/simulators/{simulatorId}/layouts', simulatorLayoutQuery),
    one('/api/v1/simulators/{simulatorId}/layouts/{trackLayoutId}', 'public', simulatorLayoutQuery),
    map('/api/v1/simulators/{simulatorId}/layouts', simulatorLayoutQuery, mapTrackLayout),
    change('/api/v1/simulators/{simulatorId}/layouts/{trackLayoutId}', simulatorLayoutQuery, changeTrackLayoutMapping),
    unmap('/api/v1/simulators/{simulatorId}/layouts/{trackLayoutId}', simulatorLayoutQuery, {
      decider: simulatorLayoutDecider,
      command: unmapTrackLayout,
    }),
    mapped('/api/v1/simulators/{simulatorId}/cars', simulatorCarQuery),
    one('/api/v1/simulators/{simulatorId}/cars/{carId}', 'public', simulatorCarQuery),
    map('/api/v1/simulators/{simulatorId}/cars', simulatorCarQuery, mapCar),
    change('/api/v1/simulators/{simulatorId}/cars/{carId}', simulatorCarQuery, changeCarMapping),
    unmap('/api/v1/simulators/{simulatorId}/cars/{carId}', simulatorCarQuery, {
      decider: simulatorCarDecider,
      command: unmapCar,
    }),
  ];
}

function catalogue(api: ApiContext): readonly Endpoint[] {
  const { list, paged, one } = readRows(api);
  const { create, change } = writeRows(api);
  return [
    list('/api/v1/tracks', 'public', trackQuery),
    paged('/api/v1/tracks/paged', 'public', trackQuery),
    one('/api/v1/tracks/{trackId}', 'public', trackQuery),
    create('/api/v1/tracks', trackQuery, addTrack),
    change('/api/v1/tracks/{trackId}', trackQuery, changeTrack),

    list('/api/v1/track-layouts', 'public', trackLayoutQuery),
    paged('/api/v1/track-layouts/paged', 'public', trackLayoutQuery),
    one('/api/v1/track-layouts/{trackLayoutId}', 'public', trackLayoutQuery),
    create('/api/v1/track-layouts', trackLayoutQuery, addTrackLayout),
    change('/api/v1/track-layouts/{trackLayoutId}', trackLayoutQuery, changeTrackLayout),

    list('/api/v1/cars', 'public', carQuery),
    paged('/api/v1/cars/paged', 'public', carQuery),
    one('/api/v1/cars/{carId}', 'public', carQuery),
    create('/api/v1/cars', carQuery, addCar),
    change('/api/v1/cars/{carId}', carQuery, changeCar),

    list('/api/v1/car-brands', 'public', carBrandQuery),
    paged('/api/v1/car-brands/paged', 'public', carBrandQuery),
    one('/api/v1/car-brands/{carBrandId}', 'public', carBrandQuery),
    create('/api/v1/car-brands', carBrandQuery, addCarBrand),
    change('/api/v1/car-brands/{carBrandId}', carBrandQuery, changeCarBrand),

    list('/api/v1/car-classes', 'public', carClassQuery),
    paged('/api/v1/car-classes/paged', 'public', carClassQuery),
    one('/api/v1/car-classes/{carClassId}', 'public', carClassQuery),
    create('/api/v1/car-classes', carClassQuery, addCarClass),
    change('/api/v1/car-classes/{carClassId}', carClassQuery, changeCarClass),

    list('/api/v1/brands', 'public', brandQuery),
    paged('/api/v1/brands/paged', 'public', brandQuery),
    one('/api/v1/brands/{brandId}', 'public', brandQuery),
    create('/api/v1/brands', brandQuery, addBrand),
    change('/api/v1/brands/{brandId}', brandQuery, changeBrand),
  ];
}

function access(api: ApiContext): readonly Endpoint[] {
  const { list } = readRows(api);
  return [
    apiKeyRows.list(api),
    apiKeyRows.current(api),
    apiKeyRows.one(api),
    apiKeyRows.create(api),
    apiKeyRows.change(api),
    apiKeyRows.revoke(api),
    apiKeyRows.rotate(api),

    list('/api/v1/licenses', 'ADMIN', licenseQuery),
    licenseRows.current(api),
    licenseRows.one(api),
    licenseRows.create(api),
    licenseRows.file(api),
    licenseRows.rotateKey(api),
    licenseRows.change(api),
  ];
}
