import { expect } from 'chai';
import { decodeForza } from '../../src/clients/bridge/decoders/forza.ts';
import { packet } from './bytes.ts';
import { PAUSE, SLED, state } from './forza-packets.ts';
import { decodesMutations, packetIn } from './mutations.ts';
import { planOf, recordsOf, timesOf } from './plans.ts';

describe('the decoder of Forza', () => {
  it('reads the four variants by their size', () => {
    for (const size of [311, 323, 324, 331] as const) {
      const bytes = state({ lap: 2, last: 91.002, race: 183.347, timestamp: 5_000, size });
      const { race, ...rest } = packetIn(decodeForza(bytes));
      expect(rest, String(size)).to.deep.equal({
        isRaceOn: true,
        timestamp: 5_000,
        car: 2_345,
        track: size === 331 ? 110 : null,
      });
      expect({ lastLapMs: race?.lastLapMs, lapNumber: race?.lapNumber }).to.deep.equal({
        lastLapMs: 91_002,
        lapNumber: 2,
      });
      expect(race?.raceTimeMs).to.be.closeTo(183_347, 0.1);
    }
    expect(packetIn(decodeForza(SLED))).to.deep.equal({
      isRaceOn: true,
      timestamp: 0,
      car: 77,
      track: null,
      race: null,
    });
  });

  it('refuses other sizes, and nonsense', () => {
    for (let size = 0; size < 340; size += 1) {
      if ([232, 311, 323, 324, 331].includes(size)) continue;
      expect(decodeForza(new Uint8Array(size)).outcome, `${size} bytes`).to.equal('refused');
    }
    expect(decodeForza(packet(331, [[0, ['i32', 7]]]))).to.deep.equal({ outcome: 'refused', reason: 'IsRaceOn is 7' });
    expect(decodeForza(state({ lap: 0, last: 0, race: NaN, timestamp: 0 })).outcome).to.equal('refused');
  });

  it('reads mutated packets, or says why not', () => {
    const packets = [SLED, PAUSE, state({ lap: 2, last: 91, race: 183, timestamp: 5 })];
    decodesMutations(packets, decodeForza, ({ race }) => [race?.lastLapMs ?? null]);
  });
});

describe('laps of Forza', () => {
  it('are those of the own car, through pauses; another race is another session', () => {
    const packets = [
      PAUSE,
      state({ lap: 0, last: 0, race: 0, timestamp: 1_000 }),
      state({ lap: 1, last: 92.345, race: 92.345, timestamp: 93_345 }),
      PAUSE,
      PAUSE,
      state({ lap: 1, last: 92.345, race: 140, timestamp: 141_000 }),
      state({ lap: 2, last: 92.345, race: 184.69, timestamp: 185_690 }),
      PAUSE,
      state({ lap: 0, last: 0, race: 0, timestamp: 200_000 }),
      state({ lap: 1, last: 93, race: 93, timestamp: 293_000 }),
      state({ lap: 1, last: 93, race: 120, timestamp: 320_000 }),
      PAUSE,
    ];
    const { format, sessions, notes } = planOf('forza', recordsOf(packets));
    const own = { driver: null, driverId: null, car: '2345', sectors: null, valid: null };
    const place = { session: 'unknown', name: null, track: '110', layout: null, classification: [] };
    expect(format).to.equal('forza-data-out');
    expect(sessions).to.deep.equal([
      {
        ...place,
        laps: [
          { ...own, lap: 1, ms: 92_345 },
          { ...own, lap: 2, ms: 92_345 },
        ],
      },
      { ...place, laps: [{ ...own, lap: 1, ms: 93_000 }] },
    ]);
    expect(notes).to.deep.equal(['Laps have no driver: the game does not say who drives (3 times, first at lap 1).']);
  });

  it('that are rewound do not count', () => {
    const packets = [
      state({ lap: 0, last: 0, race: 80, timestamp: 80_000 }),
      state({ lap: 1, last: 90, race: 92, timestamp: 92_000 }),
      state({ lap: 0, last: 0, race: 85, timestamp: 97_000 }),
      state({ lap: 1, last: 91.5, race: 92, timestamp: 104_000 }),
      state({ lap: 1, last: 91.5, race: 100, timestamp: 112_000 }),
      state({ lap: 1, last: 91.5, race: 95, timestamp: 117_000 }),
      state({ lap: 2, last: 90.5, race: 183, timestamp: 205_000 }),
    ];
    const plan = planOf('forza', recordsOf(packets));
    expect(timesOf(plan)).to.deep.equal([
      [
        [1, 91_500],
        [2, 90_500],
      ],
    ]);
    expect(plan.notes[0]).to.equal('Lap 1 of the driver, 90000 ms, was taken back by a flashback, and does not count.');
  });

  it('are not invented by packets that come late, twice, or without lap data', () => {
    const before = state({ lap: 0, last: 0, race: 90, timestamp: 90_000 });
    const after = state({ lap: 1, last: 92, race: 92, timestamp: 92_000 });
    const packets = [before, after, before, after, SLED, after, PAUSE];
    expect(timesOf(planOf('forza', recordsOf(packets, 16)))).to.deep.equal([[[1, 92_000]]]);
  });

  it('from before the bridge joined are not sent', () => {
    const packets = [
      state({ lap: 4, last: 91, race: 400, timestamp: 400_000 }),
      state({ lap: 5, last: 90, race: 455, timestamp: 455_000 }),
    ];
    expect(timesOf(planOf('forza', recordsOf(packets)))).to.deep.equal([[[5, 90_000]]]);
  });
});
