import { expect } from 'chai';
import { decodeAms2 } from '../../src/clients/bridge/decoders/ams2.ts';
import {
  OWN,
  OWN_ID,
  PLAYING,
  PRACTICE,
  RACE,
  gameState,
  names,
  race,
  stats,
  timings,
  typed,
  vehicles,
} from './ams2-packets.ts';
import { decodesMutations, packetIn, refusesOtherSizes } from './mutations.ts';
import { planOf, recordsOf, timesOf } from './plans.ts';

describe('the decoder of AMS2', () => {
  it('reads the track, names, cars, laps and the state', () => {
    const packets = [race(), names(), vehicles(), stats(91.204), gameState(2, 3), timings(4, { isInvalid: true })];
    const [track, drivers, cars, laps, state, own] = packets.map((bytes) => packetIn(decodeAms2(bytes)));
    expect(track).to.deep.include({ kind: 'race', track: 'Imola', layout: 'Grand Prix' });
    expect(drivers?.kind === 'names' && [...drivers.names]).to.deep.equal([[OWN_ID, 'Zoë Moor']]);
    expect(cars?.kind === 'vehicles' && [...cars.names]).to.deep.equal([[5, 'Formula Ultimate']]);
    expect(laps?.kind === 'stats' && [laps.lastLaps[OWN], laps.lastLaps[0], laps.lastLaps.length]).to.deep.equal([
      91_204,
      null,
      32,
    ]);
    expect(state).to.deep.include({ kind: 'game-state', gameState: 2, sessionType: 3 });
    expect(own?.kind === 'timings' && [own.ownCar, own.cars[OWN]]).to.deep.equal([
      OWN,
      { id: OWN_ID, isActive: true, vehicle: 5, raceState: 2, isInvalid: true, currentLap: 4 },
    ]);
  });

  it('reads the older revision, which has no ids', () => {
    const at = 33 + 31 * 30;
    const old = typed(993, 3, [
      [at + 14, ['u8', 0x81]],
      [at + 21, ['u8', 2]],
      [993, ['bytes', new Uint8Array(0)]],
    ]);
    const read = packetIn(decodeAms2(old));
    expect(read.kind === 'timings' && read.cars[31]?.currentLap).to.equal(2);
    expect(packetIn(decodeAms2(typed(784, 7, [[16 + 24 + 4, ['f32', 90]]])))).to.deep.include({ kind: 'stats' });
    expect(packetIn(decodeAms2(typed(1_040, 2, [])))).to.deep.include({ kind: 'other' });
  });

  it('refuses sizes that are not of the type', () => {
    for (const bytes of [race(), stats(1), gameState(2, 1)]) refusesOtherSizes(bytes, decodeAms2, [784]);
    expect(decodeAms2(typed(1_367, 3, [])).outcome, 'version 1').to.equal('refused');
    expect(decodeAms2(typed(24, 5, [])).outcome, 'an unknown type').to.equal('refused');
  });

  it('reads mutated packets, or says why not', () => {
    decodesMutations([race(), names(), vehicles(), stats(91), gameState(2, 1), timings(4)], decodeAms2, (one) =>
      one.kind === 'stats' ? one.lastLaps : [],
    );
  });
});

describe('laps of AMS2', () => {
  it('are those of the own car: the number from one packet, the time from another', () => {
    const packets = [
      race(),
      names(),
      vehicles(),
      gameState(PLAYING, RACE),
      stats(0),
      timings(1),
      timings(2),
      stats(101.5),
      timings(2),
      timings(2, { isInvalid: true }),
      stats(91.204),
      timings(3),
      timings(3),
      timings(3, { state: 3 }),
      stats(90.5),
      timings(3, { state: 3 }),
      gameState(1, RACE),
    ];
    const own = { driver: 'Zoë Moor', driverId: null, car: 'Formula Ultimate', sectors: null };
    expect(planOf('ams2', recordsOf(packets))).to.deep.equal({
      format: 'ams2-udp-v2',
      sessions: [
        {
          session: 'race',
          name: 'Race',
          track: 'Imola',
          layout: 'Grand Prix',
          laps: [
            { ...own, lap: 1, ms: 101_500, valid: true },
            { ...own, lap: 2, ms: 91_204, valid: false },
            { ...own, lap: 3, ms: 90_500, valid: true },
          ],
          classification: [],
        },
      ],
      notes: [],
    });
  });

  it('of another session, or after a restart, count anew; those of replays are not sent', () => {
    const packets = [
      gameState(PLAYING, PRACTICE),
      stats(90),
      timings(3),
      stats(91),
      timings(4),
      gameState(PLAYING, RACE),
      stats(0),
      timings(1),
      stats(95),
      timings(2),
      timings(1),
      stats(0),
      timings(1),
      stats(96),
      timings(2),
      gameState(6, RACE),
      timings(2),
      stats(97),
      timings(3),
    ];
    expect(timesOf(planOf('ams2', recordsOf(packets)))).to.deep.equal([[[3, 91_000]], [[1, 95_000]], [[1, 96_000]]]);
  });

  it('are not invented while joining, by late packets, or by watching', () => {
    const late = timings(2);
    const packets = [
      gameState(PLAYING, RACE),
      timings(3),
      stats(91),
      timings(3),
      late,
      timings(3, { own: 65_535 }),
      timings(4, { own: 65_535 }),
      timings(3),
    ];
    expect(planOf('ams2', recordsOf(packets)).sessions).to.deep.equal([]);
  });
});
