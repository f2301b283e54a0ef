import { expect } from 'chai';
import { lapEvents } from '../../commands/laps.ts';
import { builtInProjections } from '../../projections/index.ts';
import { lapVersions } from '../../projections/leaderboards/lap-versions.ts';
import { laps } from '../../projections/laps.ts';
import { leaderboards } from '../../projections/leaderboards/leaderboards.ts';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { itFollows } from '../support/event-store/following.ts';
import { givenHistory, minute, type HistoryEvent } from '../support/kernel/projecting.ts';

const ADA = '00000000-0000-7000-8000-0000000000a1';
const NIKI = '00000000-0000-7000-8000-0000000000a2';
const RIG = '00000000-0000-7000-8000-0000000000b1';
const OTHER_RIG = '00000000-0000-7000-8000-0000000000b2';
const CUP = '00000000-0000-7000-8000-0000000000c1';
const TROPHY = '00000000-0000-7000-8000-0000000000c2';
const CAR = '00000000-0000-7000-8000-0000000000d1';
const OTHER_CAR = '00000000-0000-7000-8000-0000000000d2';
const SPA = '00000000-0000-7000-8000-0000000000e1';
const MONZA = '00000000-0000-7000-8000-0000000000e2';
const PARENT = '00000000-0000-7000-8000-0000000000f1';

const told = (stream: string, type: string, data: JsonObject = {}): HistoryEvent => ({ stream, type, data });
const registered = (id: string, firstName: string, lastName: string): HistoryEvent =>
  told(`participant-${id}`, 'ParticipantRegistered', {
    licenseId: PARENT,
    firstName,
    lastName,
    email: 'a@b.org',
    phoneNumber: '',
    extraFieldsJson: {},
  });
const rigRegistered = (id: string): HistoryEvent =>
  told(`rig-${id}`, 'RigRegistered', { hardwareId: id, licenseId: PARENT });
const rigRenamed = (id: string, name: string): HistoryEvent => told(`rig-${id}`, 'RigRenamed', { name });
const scheduled = (id: string, name: string): HistoryEvent =>
  told(`event-${id}`, 'EventScheduled', {
    name,
    slug: 'slug',
    description: '',
    mode: null,
    startsAt: null,
    endsAt: null,
    simulatorId: PARENT,
    carIds: [CAR],
    trackLayoutIds: [SPA],
    rigIds: [RIG],
    brandIds: [],
    i18nJson: null,
    settingsJson: null,
    enabled: false,
  });
const layoutAdded = (id: string, displayName: string): HistoryEvent =>
  told(`trackLayout-${id}`, 'TrackLayoutAdded', {
    displayName,
    slug: 'slug',
    type: 'PERMANENT_ROAD',
    trackId: PARENT,
    length: 7004,
    firstUsage: 1921,
    lastUsage: -1,
    cornerCount: 0,
    cornerNames: [],
    trackMap: '',
    trackImages: [],
    enabled: true,
  });

const lap = {
  participantId: ADA,
  rigId: RIG,
  eventId: CUP,
  sectors: [31_000, 77_000],
  totalTime: 108_000,
  valid: true,
  carId: CAR,
  trackId: SPA,
};
const recorded = (id: string, data: JsonObject = {}): HistoryEvent =>
  told(`lap-${id}`, 'LapRecorded', { ...lap, ...data });

const world = [
  registered(ADA, 'Ada', 'Lovelace'),
  registered(NIKI, 'Niki', 'Lauda'),
  rigRegistered(RIG),
  rigRegistered(OTHER_RIG),
  rigRenamed(OTHER_RIG, 'Rig 2'),
  scheduled(CUP, 'Cup'),
  scheduled(TROPHY, 'Trophy'),
  layoutAdded(SPA, 'Spa GP'),
  layoutAdded(MONZA, 'Monza Junior'),
];
const history = [...world, recorded('1')];
const shown = {
  id: '1',
  participantId: ADA,
  participantName: 'Ada Lovelace',
  rigId: RIG,
  rigName: null,
  eventId: CUP,
  eventName: 'Cup',
  sectors: lap.sectors,
  totalTime: 108_000,
  valid: true,
  car: CAR,
  trackId: SPA,
  trackDisplayName: 'Spa GP',
  drivenAt: minute(9),
  sequence: null,
  createdAt: minute(9),
  updatedAt: minute(9),
  _position: 10,
  _created: 10,
  _revision: 0,
};

/** What the lap of the history was at first, as leaderboards see it. */
const { carId: _car, ...facts } = { ...lap, car: CAR, drivenAt: minute(9) };
const _recorded = facts;

const participantRenamed = (id: string, firstName: string, lastName: string): HistoryEvent =>
  told(`participant-${id}`, 'ParticipantRenamed', { firstName, lastName });
const eventRenamed = (id: string, name: string): HistoryEvent => told(`event-${id}`, 'EventRenamed', { name });
const layoutRenamed = (id: string, displayName: string): HistoryEvent =>
  told(`trackLayout-${id}`, 'TrackLayoutRenamed', { displayName });

/** A rename, the field of a lap that names what is renamed, its value for another, and what laps then show. */
const renames: readonly (readonly [HistoryEvent, JsonObject, JsonObject, JsonObject])[] = [
  [
    participantRenamed(ADA, 'Augusta', 'King'),
    { participantId: NIKI },
    { participantName: 'Augusta King' },
    { participantName: 'Niki Lauda' },
  ],
  [rigRenamed(RIG, 'Rig 1'), { rigId: OTHER_RIG }, { rigName: 'Rig 1' }, { rigName: 'Rig 2' }],
  [eventRenamed(CUP, 'Winter Cup'), { eventId: TROPHY }, { eventName: 'Winter Cup' }, { eventName: 'Trophy' }],
  [
    layoutRenamed(SPA, 'Spa 24h'),
    { trackId: MONZA },
    { trackDisplayName: 'Spa 24h' },
    { trackDisplayName: 'Monza Junior' },
  ],
];

describe('laps projection', () => {
  it('shows a new lap with the names of all that it refers to', async () => {
    const { thenDocument } = await givenHistory(builtInProjections, ...history);
    expect(await thenDocument(laps, '1')).to.deep.equal(shown);
  });

  it('shows when a lap was driven, where that was said', async () => {
    const { thenDocument } = await givenHistory(builtInProjections, ...world, recorded('1', { drivenAt: minute(2) }));
    expect(await thenDocument(laps, '1')).to.include({ drivenAt: minute(2), createdAt: minute(9) });
  });

  it('shows the names as they are by then', async () => {
    const { thenDocument } = await givenHistory(
      builtInProjections,
      ...world,
      ...renames.map(([rename]) => rename),
      recorded('1'),
    );
    expect(await thenDocument(laps, '1')).to.include({
      participantName: 'Augusta King',
      rigName: 'Rig 1',
      eventName: 'Winter Cup',
      trackDisplayName: 'Spa 24h',
    });
  });

  it('joins no more names than there are', async () => {
    const { thenDocument } = await givenHistory(
      builtInProjections,
      ...world,
      participantRenamed(ADA, '', 'Lovelace'),
      recorded('1'),
      recorded('2', { participantId: NIKI }),
      participantRenamed(NIKI, 'Niki', ''),
    );
    expect(await thenDocument(laps, '1')).to.include({ participantName: 'Lovelace' });
    expect(await thenDocument(laps, '2')).to.include({ participantName: 'Niki' });
  });

  itFollows({
    projections: builtInProjections,
    model: laps,
    born: history,
    events: lapEvents,
    created: 'LapRecorded',
    changes: {
      LapCorrected: { data: { sectors: [], totalTime: 1 }, shows: { sectors: [], totalTime: 1, _recorded } },
      LapInvalidated: { data: {}, shows: { valid: false } },
      LapValidated: { data: {}, shows: { valid: true } },
      LapReassigned: { data: { from: ADA, to: NIKI }, shows: { participantId: NIKI, participantName: 'Niki Lauda' } },
      LapMovedToRig: { data: { from: RIG, to: OTHER_RIG }, shows: { rigId: OTHER_RIG, rigName: 'Rig 2' } },
      LapMovedToEvent: { data: { from: CUP, to: TROPHY }, shows: { eventId: TROPHY, eventName: 'Trophy' } },
      LapCarCorrected: { data: { from: CAR, to: OTHER_CAR }, shows: { car: OTHER_CAR } },
      LapTrackCorrected: {
        data: { from: SPA, to: MONZA },
        shows: { trackId: MONZA, trackDisplayName: 'Monza Junior' },
      },
      LapDrivenAtCorrected: { data: { to: minute(1) }, shows: { drivenAt: minute(1) } },
    },
  });

  it('grows no document by corrections, however many', async () => {
    const sectors = Array.from({ length: 64 }, (_, n) => 10_000_000 + n);
    const corrections = (count: number): readonly HistoryEvent[] =>
      Array.from({ length: count }, (_, n) => told('lap-1', 'LapCorrected', { sectors, totalTime: n + 1 }));
    const largest = async (count: number): Promise<number> => {
      const { models } = await givenHistory(builtInProjections, ...history, ...corrections(count));
      let most = 0;
      for (const { collection } of [laps, lapVersions, leaderboards]) {
        for await (const batch of models.stream(collection, { where: {} })) {
          for (const { _position, _revision, ...fields } of batch) most = Math.max(most, JSON.stringify(fields).length);
        }
      }
      return most;
    };
    // Numbers with a few more digits are all that is added.
    expect(await largest(1_000)).to.be.within(500, (await largest(1)) + 20);
  });

  it('moves to a rig without a name', async () => {
    const { thenDocument } = await givenHistory(
      builtInProjections,
      ...world,
      recorded('1', { rigId: OTHER_RIG }),
      told('lap-1', 'LapMovedToRig', { from: OTHER_RIG, to: RIG }),
    );
    expect(await thenDocument(laps, '1')).to.include({ rigId: RIG, rigName: null });
  });

  for (const [rename, elsewhere, renamed, kept] of renames) {
    it(`follows ${rename.type} on its laps alone`, async () => {
      const { thenDocument } = await givenHistory(
        builtInProjections,
        ...history,
        recorded('2', elsewhere),
        recorded('3'),
        rename,
      );
      expect(await thenDocument(laps, '1')).to.deep.equal({ ...shown, ...renamed, _position: 13 });
      expect(await thenDocument(laps, '2')).to.include({ ...kept, _position: 11 });
      expect(await thenDocument(laps, '3')).to.include({ ...renamed, updatedAt: minute(11), _position: 13 });
    });
  }

  it('follows the names of what a lap moved to, not of what it left', async () => {
    const { thenDocument } = await givenHistory(
      builtInProjections,
      ...history,
      participantRenamed(NIKI, 'Andreas', 'Lauda'),
      told('lap-1', 'LapReassigned', { from: ADA, to: NIKI }),
      told('lap-1', 'LapMovedToRig', { from: RIG, to: OTHER_RIG }),
      told('lap-1', 'LapMovedToEvent', { from: CUP, to: TROPHY }),
      told('lap-1', 'LapTrackCorrected', { from: SPA, to: MONZA }),
      ...renames.map(([rename]) => rename),
      rigRenamed(OTHER_RIG, 'Rig Two'),
      eventRenamed(TROPHY, 'Big Trophy'),
      layoutRenamed(MONZA, 'Monza 1955'),
    );
    expect(await thenDocument(laps, '1')).to.include({
      participantName: 'Andreas Lauda',
      rigName: 'Rig Two',
      eventName: 'Big Trophy',
      trackDisplayName: 'Monza 1955',
      updatedAt: minute(14),
      _position: 22,
      _revision: 4,
    });
  });

  it('is not touched by other changes of what it refers to', async () => {
    const { thenDocument } = await givenHistory(
      builtInProjections,
      ...history,
      told(`rig-${RIG}`, 'RigDisabled'),
      told(`event-${CUP}`, 'EventEnabled'),
      told(`trackLayout-${SPA}`, 'TrackLayoutDisabled'),
      told(`participant-${ADA}`, 'ParticipantContactChanged', { email: 'c@d.org', phoneNumber: '1' }),
    );
    expect(await thenDocument(laps, '1')).to.deep.equal(shown);
  });
});
