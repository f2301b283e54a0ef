import { expect } from 'chai';
import {
  decodeAcc,
  encodeAccRegistration,
  encodeAccRequest,
  type AccPacket,
} from '../../src/clients/bridge/decoders/acc.ts';
import {
  accCar,
  accEntry,
  accEntryList,
  accEvent,
  accRegistration,
  accTrack,
  accUpdate,
  NO_TIME,
  type AccTestLap,
} from './acc-packets.ts';
import { decodesMutations, packetIn, refusesOtherSizes } from './mutations.ts';
import { planOf, recordsOf, timesOf } from './plans.ts';

const LAP: AccTestLap = { ms: 86_034, splits: [27_891, 21_993, 36_150] };
const FASTER: AccTestLap = { ms: 85_500, splits: [27_700, 21_900, 35_900] };

const MESSAGES = [
  accRegistration(),
  accUpdate({ index: 0, type: 0, timeMs: 250 }),
  accUpdate({ index: 0, type: 0, timeMs: 250, isReplay: true }),
  accCar({ car: 1_001, laps: 2, last: LAP, best: { ms: NO_TIME, splits: [NO_TIME] } }),
  accEntryList(1_001, 1_002),
  accEntry(1_001, 32, ['Zoë', 'Moor'], ['', 'Lind']),
  accTrack('Spa-Francorchamps'),
  accEvent(5, 1_001),
];

describe('the decoder of ACC', () => {
  it('reads the messages of the game', () => {
    const [registration, update, replay, car, entries, entry, track, event] = MESSAGES.map((bytes) =>
      packetIn(decodeAcc(bytes)),
    );
    expect(registration).to.deep.equal({ kind: 'registration', connectionId: 5, isAccepted: true, error: '' });
    const session = { kind: 'update', eventIndex: 0, sessionIndex: 0, sessionType: 0, phase: 5, sessionTimeMs: 250 };
    expect(update).to.deep.equal({ ...session, isReplay: false });
    expect(replay).to.deep.equal({ ...session, isReplay: true });
    const flags = { driver: 0, isInvalid: false, isValidForBest: true, isOut: false, isIn: false };
    expect(car).to.deep.equal({
      kind: 'car',
      car: 1_001,
      driver: 0,
      laps: 2,
      best: { ...flags, ms: null, splits: [null] },
      last: { ...flags, ms: 86_034, splits: [27_891, 21_993, 36_150] },
      current: { ...flags, ms: null, splits: [] },
    });
    expect(entries).to.deep.equal({ kind: 'entry-list', cars: [1_001, 1_002] });
    expect(entry).to.deep.equal({ kind: 'entry', car: 1_001, model: 32, drivers: ['Zoë Moor', 'Lind'] });
    expect(track).to.deep.equal({ kind: 'track', name: 'Spa-Francorchamps' });
    expect(event).to.deep.equal({ kind: 'event', type: 5, car: 1_001 });
  });

  it('refuses messages that are cut off or too long, and unknown ones', () => {
    for (const message of MESSAGES) refusesOtherSizes(message, decodeAcc);
    expect(decodeAcc(Uint8Array.of(8))).to.deep.equal({ outcome: 'refused', reason: 'there is no message 8' });
  });

  it('writes requests', () => {
    const registration = encodeAccRegistration({ name: 'Rig', password: 'x', intervalMs: 250 });
    expect([...registration]).to.deep.equal([1, 4, 3, 0, 82, 105, 103, 1, 0, 120, 250, 0, 0, 0, 0, 0]);
    expect([...encodeAccRequest('entry-list', 5)]).to.deep.equal([10, 5, 0, 0, 0]);
    expect([...encodeAccRequest('track', 5)]).to.deep.equal([11, 5, 0, 0, 0]);
    expect([...encodeAccRequest('unregister', 5)]).to.deep.equal([9, 5, 0, 0, 0]);
  });

  it('reads mutated messages, or says why not', () => {
    decodesMutations(MESSAGES, decodeAcc, timesIn);
  });
});

function timesIn(packet: AccPacket): readonly (number | null)[] {
  if (packet.kind !== 'car') return [];
  return [packet.best, packet.last, packet.current].flatMap(({ ms, splits }) => [ms, ...splits]);
}

const PRACTICE = accUpdate({ index: 0, type: 0, timeMs: 1_000 });
const QUALIFYING = accUpdate({ index: 1, type: 4, timeMs: 500 });

describe('laps of ACC', () => {
  it('are those of all cars, with driver, model, track, sectors, validity and out laps', () => {
    const messages = [
      accRegistration(),
      accEntry(1_001, 32, ['Zoë', 'Moor']),
      accEntry(1_002, 30, ['Ida', 'Orr'], ['Bo', 'Lind']),
      accTrack('Spa'),
      PRACTICE,
      accCar({ car: 1_001, laps: 0, current: { ms: 5_000, isOut: true } }),
      accCar({ car: 1_002, laps: 0, driver: 1 }),
      accCar({ car: 1_001, laps: 1, last: { ms: 101_000, splits: [40_000, NO_TIME, 33_000], isOut: true } }),
      accCar({ car: 1_002, laps: 1, driver: 0, last: { ...LAP, driver: 1, isInvalid: true } }),
      QUALIFYING,
      accCar({ car: 1_001, laps: 0 }),
      accCar({ car: 1_001, laps: 1, last: FASTER }),
    ];
    const { format, sessions, notes } = planOf('acc', recordsOf(messages));
    expect({ format, notes }).to.deep.equal({ format: 'acc-broadcasting-v4', notes: [] });
    const zoe = { driver: 'Zoë Moor', driverId: null, car: '32' };
    const bo = { driver: 'Bo Lind', driverId: null, car: '30' };
    expect(sessions.map(({ session, name, track }) => ({ session, name, track }))).to.deep.equal([
      { session: 'practice', name: 'Practice', track: 'Spa' },
      { session: 'qualifying', name: 'Qualifying', track: 'Spa' },
    ]);
    expect(sessions.map(({ laps }) => laps)).to.deep.equal([
      [
        { ...zoe, lap: 1, ms: 101_000, sectors: [40_000, null, 33_000], valid: true, out: true },
        { ...bo, lap: 1, ms: 86_034, sectors: [27_891, 21_993, 36_150], valid: false },
      ],
      [{ ...zoe, lap: 1, ms: 85_500, sectors: [27_700, 21_900, 35_900], valid: true }],
    ]);
  });

  it('wait for their time, which may come after the count, and may be the same as before', () => {
    const late = [
      PRACTICE,
      accCar({ car: 1_001, laps: 1, last: LAP }),
      accCar({ car: 1_001, laps: 2, last: LAP }),
      accCar({ car: 1_001, laps: 2, last: FASTER }),
      accCar({ car: 1_001, laps: 3, last: FASTER }),
      ...Array.from({ length: 8 }, () => accCar({ car: 1_001, laps: 3, last: FASTER })),
    ];
    expect(timesOf(planOf('acc', recordsOf(late, 250)))).to.deep.equal([
      [
        [2, 85_500],
        [3, 85_500],
      ],
    ]);
  });

  it('from before the bridge joined are not sent, and what nobody has seen of the first one is not known', () => {
    const joined = [
      PRACTICE,
      accCar({ car: 1_001, laps: 4, last: LAP, best: LAP }),
      accCar({ car: 1_001, laps: 5, last: FASTER, best: LAP }),
      accCar({ car: 1_001, laps: 6, last: { ms: 85_400, splits: [] }, best: { ms: 85_400 } }),
    ];
    const [session] = planOf('acc', recordsOf(joined)).sessions;
    expect(session?.laps.map(({ lap, ms, valid, driver }) => ({ lap, ms, valid, driver }))).to.deep.equal([
      { lap: 5, ms: 85_500, valid: null, driver: null },
      { lap: 6, ms: 85_400, valid: true, driver: null },
    ]);
  });

  it('of a replay are not sent', () => {
    const messages = [
      PRACTICE,
      accCar({ car: 1_001, laps: 0 }),
      accUpdate({ index: 0, type: 0, timeMs: 2_000, isReplay: true }),
      accCar({ car: 1_001, laps: 1, last: LAP }),
      PRACTICE,
      accCar({ car: 1_001, laps: 0 }),
    ];
    expect(planOf('acc', recordsOf(messages)).sessions).to.deep.equal([]);
  });

  it('are not invented by messages that come late, not even into the next session', () => {
    const messages = [
      PRACTICE,
      accCar({ car: 1_001, laps: 0 }),
      accCar({ car: 1_001, laps: 1, last: LAP }),
      accCar({ car: 1_001, laps: 0 }),
      accCar({ car: 1_001, laps: 1, last: LAP }),
      QUALIFYING,
      accCar({ car: 1_001, laps: 0 }),
      accCar({ car: 1_001, laps: 1, last: LAP }),
      PRACTICE,
      accCar({ car: 1_001, laps: 0 }),
    ];
    expect(timesOf(planOf('acc', recordsOf(messages, 20)))).to.deep.equal([[[1, 86_034]]]);
  });

  it('of a session that begins again, and of a car that somebody else has, count from 1', () => {
    const again = [
      accUpdate({ index: 0, type: 10, timeMs: 300_000 }),
      accCar({ car: 1_001, laps: 0 }),
      accCar({ car: 1_001, laps: 1, last: LAP }),
      accUpdate({ index: 0, type: 10, timeMs: 0, phase: 3 }),
      accCar({ car: 1_001, laps: 0 }),
      accCar({ car: 1_001, laps: 1, last: FASTER }),
    ];
    expect(timesOf(planOf('acc', recordsOf(again)))).to.deep.equal([[[1, 86_034]], [[1, 85_500]]]);
    const reused = [
      PRACTICE,
      accCar({ car: 1_001, laps: 0 }),
      accCar({ car: 1_001, laps: 1, last: LAP }),
      accCar({ car: 1_001, laps: 0 }),
      accCar({ car: 1_001, laps: 0 }),
      accCar({ car: 1_001, laps: 1, last: FASTER }),
    ];
    expect(timesOf(planOf('acc', recordsOf(reused)))).to.deep.equal([
      [
        [1, 86_034],
        [1, 85_500],
      ],
    ]);
  });
});
