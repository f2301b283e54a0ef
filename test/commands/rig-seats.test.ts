import { expect } from 'chai';
import { rigSeatDecider, sittingAt, takeSeat, type RigSeat, type RigSeatCommand } from '../../commands/rig-seats.ts';
import type { DecidedEvent } from '../../src/kernel/event-types.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { given, happened } from '../support/kernel/given.ts';

const RIG = '00000000-0000-7000-8000-0000000000a1';
const VENUE = '00000000-0000-7000-8000-0000000000a2';
const ADA = '00000000-0000-7000-8000-0000000000b1';
const BOB = '00000000-0000-7000-8000-0000000000b2';
const FRIDAY = '00000000-0000-7000-8000-0000000000c1';
const SATURDAY = '00000000-0000-7000-8000-0000000000c2';

/** A moment of the evening: `20:15`. */
const at = (time: string): string => `2026-05-01T${time}:00.000Z`;

interface SeatedOptions {
  readonly eventId?: string;
  readonly before?: { readonly participantId: string; readonly eventId: string } | null;
}

const seated = (participantId: string, from: string, { eventId = FRIDAY, before = null }: SeatedOptions = {}) =>
  happened('DriverSeated', { rigId: RIG, licenseId: VENUE, participantId, eventId, from: at(from), before });

const left = (participantId: string, time: string) =>
  happened('DriverLeft', { rigId: RIG, participantId, eventId: FRIDAY, at: at(time) });

const corrected = (participantId: string, from: string) =>
  happened('PastSeatCorrected', { rigId: RIG, participantId, from: at(from) });

/** The commands of a body that is sent at a moment. */
function take(participantId: string, now: string, body: JsonObject = {}): readonly RigSeatCommand[] {
  const sent = takeSeat.body.parse({ participantId, eventId: FRIDAY, ...body });
  return takeSeat.commands(sent, { rigId: RIG, licenseId: VENUE, now: at(now) });
}

function leave(participantId: string | null, time: string): RigSeatCommand {
  return { type: 'LeaveSeat', data: { participantId, at: at(time) } };
}

const ADA_ON_FRIDAY = { participantId: ADA, eventId: FRIDAY };

describe('taking a seat', () => {
  it('seats a driver from now on, or from an earlier moment on', () => {
    given(rigSeatDecider)
      .when(...take(ADA, '20:00'))
      .then(seated(ADA, '20:00'));
    given(rigSeatDecider)
      .when(...take(ADA, '20:00', { from: '2026-05-01T21:50:00+02:00' }))
      .then(seated(ADA, '19:50'));
  });

  it('says who leaves by it', () => {
    given(rigSeatDecider, seated(ADA, '20:00'))
      .when(...take(BOB, '20:10'))
      .then(seated(BOB, '20:10', { before: ADA_ON_FRIDAY }));
    given(rigSeatDecider, seated(ADA, '20:00'), left(ADA, '20:05'))
      .when(...take(BOB, '20:10'))
      .then(seated(BOB, '20:10'));
    given(rigSeatDecider, seated(ADA, '20:00'))
      .when(...take(ADA, '20:10', { eventId: SATURDAY }))
      .then(seated(ADA, '20:10', { eventId: SATURDAY, before: ADA_ON_FRIDAY }));
  });

  it('records nothing for a driver who sits there, unless since another moment', () => {
    for (const body of [{}, { from: at('20:00') }])
      given(rigSeatDecider, seated(ADA, '20:00'))
        .when(...take(ADA, '20:30', body))
        .thenNothing();
    for (const from of ['19:50', '20:20'])
      given(rigSeatDecider, seated(ADA, '20:00'))
        .when(...take(ADA, '20:30', { from: at(from) }))
        .then(seated(ADA, from, { before: ADA_ON_FRIDAY }));
  });
});

describe('leaving a seat', () => {
  it('is of whoever sits there, or of the one who is named', () => {
    for (const who of [null, ADA])
      given(rigSeatDecider, seated(ADA, '20:00')).when(leave(who, '20:10')).then(left(ADA, '20:10'));
  });

  it('records nothing where they do not sit, and never sat after that moment', () => {
    for (const who of [null, ADA])
      given(rigSeatDecider, seated(ADA, '20:00'), left(ADA, '20:10')).when(leave(who, '20:20')).thenNothing();
    for (const time of ['20:10', '20:20'])
      given(rigSeatDecider, seated(ADA, '20:00'), seated(BOB, '20:10', { before: ADA_ON_FRIDAY }))
        .when(leave(ADA, time))
        .thenNothing();
  });

  it('corrects the past of a driver who has left since', () => {
    given(rigSeatDecider, seated(ADA, '20:00'), seated(BOB, '20:10', { before: ADA_ON_FRIDAY }))
      .when(leave(ADA, '20:05'))
      .then(corrected(ADA, '20:05'));
  });
});

describe('who sat on a rig at a moment', () => {
  const stateAfter = (events: readonly DecidedEvent[]): RigSeat | null =>
    events.reduce((state, event) => rigSeatDecider.evolve(state, event), rigSeatDecider.initial);

  /** Who sat there, in words: `20:05 Bob`. */
  function expectSat(events: readonly DecidedEvent[], expected: Readonly<Record<string, string | null>>): void {
    const state = stateAfter(events);
    const found = Object.keys(expected).map((time) => [time, sittingAt(state, at(time))?.participantId ?? null]);
    expect(Object.fromEntries(found)).to.deep.equal(expected);
  }

  it('is nobody before the first driver, and the driver from the very moment on', () => {
    expectSat([], { '20:00': null });
    expectSat([seated(ADA, '20:00')], { '19:59': null, '20:00': ADA, '23:00': ADA });
    expectSat([seated(ADA, '20:00'), left(ADA, '20:10')], { '20:09': ADA, '20:10': null });
  });

  it('follows each change', () => {
    expectSat([seated(ADA, '20:00'), seated(BOB, '20:10'), left(BOB, '20:20'), seated(ADA, '20:30')], {
      '20:09': ADA,
      '20:10': BOB,
      '20:20': null,
      '20:30': ADA,
    });
  });

  it('is the driver of a correction from its moment on, whatever was said of later moments before', () => {
    expectSat([seated(ADA, '20:00'), left(ADA, '20:10'), seated(ADA, '20:20'), seated(BOB, '20:05')], {
      '20:04': ADA,
      '20:05': BOB,
      '20:15': BOB,
      '20:25': BOB,
    });
  });

  it('is the driver before, or nobody, until a later moment at which a driver is said to have begun', () => {
    expectSat([seated(BOB, '19:00'), seated(ADA, '20:00'), seated(ADA, '20:10')], { '20:09': BOB, '20:10': ADA });
    expectSat([seated(ADA, '20:00'), seated(ADA, '20:10')], { '20:09': null, '20:10': ADA });
    expectSat([seated(BOB, '19:00'), seated(ADA, '20:00'), seated(ADA, '19:30')], { '19:29': BOB, '19:30': ADA });
  });

  it('is not a driver who sat elsewhere from a moment on; others stay where they were', () => {
    const evening = [seated(ADA, '20:00'), seated(BOB, '20:10'), seated(ADA, '20:20'), seated(BOB, '20:30')];
    expectSat([...evening, corrected(ADA, '20:05')], {
      '20:04': ADA,
      '20:05': null,
      '20:10': BOB,
      '20:20': null,
      '20:30': BOB,
    });
    expectSat([...evening, corrected(ADA, '19:00')], { '20:00': null, '20:10': BOB, '20:20': null, '20:30': BOB });
    expectSat([...evening, corrected(ADA, '20:20')], { '20:00': ADA, '20:10': BOB, '20:20': null, '20:30': BOB });
    expectSat([...evening.slice(0, 3), left(ADA, '20:05')], {
      '20:04': ADA,
      '20:05': null,
      '20:10': BOB,
      '20:20': null,
    });
  });

  it('is found among many', () => {
    const minutes = Array.from({ length: 50_000 }, (_, n) => new Date(Date.UTC(2026, 0) + n * 60_000).toISOString());
    const events = minutes.map((from, n) =>
      happened('DriverSeated', { ...seated(n % 2 === 0 ? ADA : BOB, '00:00').data, from }),
    );
    const state = stateAfter(events);
    expect(sittingAt(state, minutes[1] ?? '')?.participantId).to.equal(BOB);
    expect(sittingAt(state, minutes.at(-2) ?? '')?.participantId).to.equal(ADA);
  });
});

describe('the seat of a driver', () => {
  it('is a unique key among the rigs of a licence, for as long as they sit there', () => {
    const { claim } = rigSeatDecider;
    const keyAfter = (...events: readonly DecidedEvent[]) =>
      claim?.key(events.reduce((state, event) => rigSeatDecider.evolve(state, event), rigSeatDecider.initial));
    const key = JSON.stringify([VENUE, ADA]);
    expect(keyAfter()).to.equal(null);
    expect(keyAfter(seated(ADA, '20:00'))).to.equal(key);
    expect(keyAfter(seated(ADA, '20:00'), left(ADA, '20:10'))).to.equal(null);
    expect(keyAfter(seated(ADA, '20:00'), seated(BOB, '20:10'))).to.equal(JSON.stringify([VENUE, BOB]));
    expect(keyAfter(seated(ADA, '20:00'), seated(BOB, '20:10'), corrected(ADA, '20:05'))).to.equal(
      JSON.stringify([VENUE, BOB]),
    );
  });
});
