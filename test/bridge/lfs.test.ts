import { expect } from 'chai';
import {
  decodeLfs,
  encodeLfsOpening,
  encodeLfsRequest,
  LfsFrames,
  lfsText,
} from '../../src/clients/bridge/decoders/lfs.ts';
import { randomFrom } from '../../src/clients/demo/random.ts';
import { LEFT, STATE, TAKEOVER, VERSION, connected, lap, player, raceStart, split, typed } from './lfs-packets.ts';
import { decodesMutations, mutate, packetIn, refusesOtherSizes } from './mutations.ts';
import { planOf, recordsOf, timesOf } from './plans.ts';

const PACKETS = [
  VERSION,
  STATE,
  raceStart(),
  connected(1, 'zoe', '^1Zoë'),
  typed(8, 19, [[3, ['u8', 1]]]),
  player(3, 1, '^1Ida ^7Moor'),
  lap(3, 95_500, 1),
  split(3, 31_000, 1),
  TAKEOVER,
  LEFT,
  typed(4, 3),
];

describe('the decoder of Live for Speed', () => {
  it('reads the packets that laps need', () => {
    const read = PACKETS.map((bytes) => packetIn(decodeLfs(bytes)));
    expect(read).to.deep.include.members([
      { kind: 'version', insimVersion: 9 },
      { kind: 'state', raceInProgress: 1, raceLaps: 3, qualifyingMinutes: 0, track: 'AS5' },
      { kind: 'race-start', isAnswer: false, raceLaps: 3, qualifyingMinutes: 0, splits: 2, track: 'BL1' },
      { kind: 'connection-left', connection: 1 },
      { kind: 'player', player: 3, connection: 1, isAi: false, nickname: 'Ida Moor', car: 'XRG' },
      { kind: 'lap', player: 3, ms: 95_500, lapsDone: 1 },
      { kind: 'split', player: 3, ms: 31_000, split: 1 },
      { kind: 'takeover', player: 3, connection: 2 },
      { kind: 'player-left', player: 3 },
      { kind: 'keep-alive' },
    ]);
  });

  it('reads names without colours, in the code page that they switch to', () => {
    const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
    expect(lfsText(bytes('^1Jo^4hn^9 ^^x^v^h\0rest'))).to.equal('John ^x|#');
    expect(lfsText(bytes('^C\xc8\xe2\xe0\xed ^E\x9e^8\xe9'))).to.equal('Иван žé');
    expect(lfsText(bytes('ends with ^'))).to.equal('ends with ');
  });

  it('refuses sizes that are not of the type, and takes others as they are', () => {
    for (const bytes of PACKETS) refusesOtherSizes(bytes, decodeLfs);
    expect(packetIn(decodeLfs(typed(12, 200)))).to.deep.equal({ kind: 'other' });
    expect(packetIn(decodeLfs(lap(3, 3_600_000, 1)))).to.deep.include({ ms: null });
  });

  it('writes requests', () => {
    const opening = encodeLfsOpening();
    expect([opening.length, opening[0], opening[1], opening[2], opening[8]]).to.deep.equal([44, 11, 1, 1, 9]);
    expect([...encodeLfsRequest('keep-alive')]).to.deep.equal([1, 3, 0, 0]);
    expect([...encodeLfsRequest('players')]).to.deep.equal([1, 3, 1, 14]);
  });

  it('joins segments to packets, however they are split', () => {
    const stream = Buffer.concat(PACKETS);
    for (let size = 1; size <= stream.length; size += 1) {
      const frames = new LfsFrames();
      const packets: Uint8Array[] = [];
      for (let at = 0; at < stream.length; at += size) {
        packets.push(...(frames.push(stream.subarray(at, at + size)) ?? []));
      }
      expect(Buffer.concat(packets).equals(stream), `segments of ${size} bytes`).to.equal(true);
      expect(packets).to.have.length(PACKETS.length);
    }
  });

  it('takes sizes in bytes before version 9 of InSim, and sees that a stream is broken', () => {
    const old = Uint8Array.from(VERSION);
    old[0] = 20;
    const oldLap = Uint8Array.from(lap(3, 95_500, 1));
    oldLap[0] = 20;
    expect(new LfsFrames().push(Buffer.concat([old, oldLap]))).to.have.length(2);
    expect(new LfsFrames().push(Uint8Array.of(0, 3, 0, 0))).to.equal(null);
  });

  it('reads mutated packets and streams, or says why not', () => {
    decodesMutations(PACKETS, decodeLfs, (one) => (one.kind === 'lap' || one.kind === 'split' ? [one.ms] : []));
    const random = randomFrom(3);
    for (let stream = 0; stream < 2_000; stream += 1) {
      const plan = planOf('lfs', recordsOf(PACKETS.map((bytes) => mutate(bytes, random))));
      const times = plan.sessions.flatMap(({ laps }) => laps.map(({ ms }) => ms ?? 0));
      expect(times.every((ms) => ms > 0)).to.equal(true);
    }
  });
});

describe('laps of Live for Speed', () => {
  const DRIVERS = [connected(1, 'ida_m', 'Ida'), connected(2, 'bo', 'Bo'), player(3, 1, '^1Ida ^7Moor')];

  it('are those of all cars, with the sectors between their splits', () => {
    const packets = [
      VERSION,
      ...DRIVERS,
      raceStart(),
      split(3, 31_000, 1),
      split(3, 63_000, 2),
      lap(3, 95_500, 1),
      split(3, 62_500, 2),
      lap(3, 94_210, 2),
      lap(3, 94_000, 3),
    ];
    const plan = planOf('lfs', recordsOf(packets));
    const ida = { driver: 'Ida Moor', driverId: 'ida_m', car: 'XRG', valid: null };
    expect(plan).to.deep.equal({
      format: 'lfs-insim-tcp',
      sessions: [
        {
          session: 'race',
          name: null,
          track: 'BL1',
          layout: null,
          laps: [
            { ...ida, lap: 1, ms: 95_500, sectors: [31_000, 32_000, 32_500] },
            { ...ida, lap: 2, ms: 94_210, sectors: [null, null, 31_710] },
            { ...ida, lap: 3, ms: 94_000, sectors: null },
          ],
          classification: [],
        },
      ],
      notes: [],
    });
  });

  it('before a restart stay, and those after it are in a session of their own', () => {
    const packets = [
      ...DRIVERS,
      raceStart(),
      lap(3, 95_500, 1),
      raceStart({ request: 1 }),
      lap(3, 95_000, 2),
      raceStart({ laps: 0, minutes: 10 }),
      lap(3, 94_000, 1),
      raceStart({ laps: 0 }),
      lap(3, 93_000, 1),
    ];
    const { sessions } = planOf('lfs', recordsOf(packets));
    expect(sessions.map(({ session, laps }) => [session, laps.length])).to.deep.equal([
      ['race', 2],
      ['qualifying', 1],
      ['practice', 1],
    ]);
  });

  it('are of whoever drives: after a takeover, of the new driver; of an AI, without an id', () => {
    const packets = [
      ...DRIVERS,
      raceStart(),
      lap(3, 95_500, 1),
      TAKEOVER,
      lap(3, 95_000, 2),
      LEFT,
      player(3, 1, 'AI 1', true),
      lap(3, 99_000, 1),
    ];
    const laps = planOf('lfs', recordsOf(packets)).sessions.flatMap((session) => session.laps);
    expect(laps.map(({ driver, driverId }) => [driver, driverId])).to.deep.equal([
      ['Ida Moor', 'ida_m'],
      ['Bo', 'bo'],
      ['AI 1', null],
    ]);
  });

  it('of a race that runs already are in it, and laps without a time are noted', () => {
    const plan = planOf('lfs', recordsOf([STATE, ...DRIVERS, lap(3, 3_600_000, 4), lap(3, 91_000, 5)]));
    expect(timesOf(plan)).to.deep.equal([[[5, 91_000]]]);
    expect(plan.sessions[0]?.track).to.equal('AS5');
    expect(plan.notes).to.deep.equal(['Lap 4 of car 3 has no time.']);
  });
});
