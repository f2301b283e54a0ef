import { expect } from 'chai';
import { decodeF1, type F1Packet } from '../../src/clients/bridge/decoders/f1.ts';
import {
  F1_FORMATS,
  F1_FORMATS_WITH_HISTORY,
  f1Classification,
  f1Event,
  f1History,
  f1LapData,
  f1Participants,
  f1Session,
  type F1Head,
  type F1TestCar,
} from './f1-packets.ts';
import { decodesMutations, packetIn, refusesOtherSizes } from './mutations.ts';

const HEAD = { uid: 0x8123_4567_89ab_cdefn, time: 12.5, frame: 750, overallFrame: 900, player: 3 };

const CAR: F1TestCar = {
  lastLap: 91_204,
  currentLap: 61_250,
  sector1: 30_111,
  sector2: 30_500,
  lap: 7,
  sector: 2,
  isInvalid: true,
  driverStatus: 4,
  resultStatus: 2,
};

/** What a car is decoded to. */
const DECODED_CAR = {
  lastLapMs: 91_204,
  currentLapMs: 61_250,
  sector1Ms: 30_111,
  sector2Ms: 30_500,
  lapNumber: 7,
  sector: 2,
  isInvalid: true,
  driverStatus: 4,
  resultStatus: 2,
};

const LAPS = [
  { ms: 130_512, sectors: [61_300, 40_102, 29_110], flags: 14 },
  { ms: 91_204, sectors: [30_111, 30_500, 30_593], flags: 15 },
  { ms: 0, sectors: [0, 0, 0], flags: 15 },
] as const;

const ROWS = [{ position: 2, laps: 3, grid: 5, status: 3, best: 90_458, total: 274_180 }];

describe('the decoder of F1', () => {
  for (const format of F1_FORMATS) {
    const head: F1Head = { ...HEAD, format };

    it(`reads the header, the session and the cars of ${format}`, () => {
      const { header, ...session } = packetIn(
        decodeF1(f1Session(head, { type: 10, track: 29, isSpectating: true, isNetworkGame: true })),
      );
      expect(header).to.deep.equal({
        format,
        sessionUid: HEAD.uid.toString(),
        sessionTime: 12.5,
        frame: 750,
        overallFrame: format >= 2023 ? 900 : null,
        playerCars: [3],
      });
      expect(session).to.deep.equal({
        kind: 'session',
        sessionType: 10,
        trackId: 29,
        isSpectating: true,
        isNetworkGame: true,
      });
      const last = format === 2026 ? 23 : format >= 2020 ? 21 : 19;
      const lapData = packetIn(decodeF1(f1LapData(head, { 0: CAR, [last]: { ...CAR, lastLap: 0, sector1: 0 } })));
      if (lapData.kind !== 'lap-data') throw new Error(lapData.kind);
      expect(lapData.cars).to.have.length(last + 1);
      expect(lapData.cars[0]).to.deep.equal(DECODED_CAR);
      expect(lapData.cars[last]).to.deep.equal({ ...DECODED_CAR, lastLapMs: null, sector1Ms: null });
    });

    it(`reads drivers and events of ${format}`, () => {
      const drivers = [
        { name: 'Zoë Moor', isAi: false, team: 9 },
        { name: 'ORR', isAi: true, team: 2 },
      ];
      const participants = packetIn(decodeF1(f1Participants(head, drivers)));
      expect(participants).to.deep.include({ kind: 'participants', participants: drivers });
      expect(packetIn(decodeF1(f1Event(head, 'SEND')))).to.deep.include({ code: 'SEND', flashbackTo: null });
      if (format < 2021) return;
      expect(packetIn(decodeF1(f1Event(head, 'FLBK', 80.5)))).to.deep.include({ code: 'FLBK', flashbackTo: 80.5 });
    });

    it(`refuses packets of ${format} of another size`, () => {
      for (const bytes of packetsOf(head)) refusesOtherSizes(bytes, decodeF1);
    });
  }

  for (const format of F1_FORMATS_WITH_HISTORY) {
    it(`reads the history and the classification of ${format}`, () => {
      const head: F1Head = { ...HEAD, format };
      const history = packetIn(decodeF1(f1History(head, 5, LAPS)));
      expect(history).to.deep.include({
        kind: 'history',
        car: 5,
        laps: [
          { lap: 1, ms: 130_512, sectors: [61_300, 40_102, 29_110], isValid: false },
          { lap: 2, ms: 91_204, sectors: [30_111, 30_500, 30_593], isValid: true },
          { lap: 3, ms: null, sectors: [null, null, null], isValid: true },
        ],
      });
      expect(packetIn(decodeF1(f1Classification(head, ROWS)))).to.deep.include({
        kind: 'classification',
        cars: [{ position: 2, laps: 3, grid: 5, resultStatus: 3, bestLapMs: 90_458, totalMs: 274_180 }],
      });
    });
  }

  it('knows both players of a split screen, and none who only watch', () => {
    const head: F1Head = { ...HEAD, format: 2025 };
    const split = packetIn(decodeF1(f1Event({ ...head, secondPlayer: 8 }, 'SSTA')));
    expect(split.header.playerCars).to.deep.equal([3, 8]);
    const watching = packetIn(decodeF1(f1Event({ ...head, player: 255 }, 'SSTA')));
    expect(watching.header.playerCars).to.deep.equal([]);
    const beyond = packetIn(decodeF1(f1Event({ ...head, player: 22 }, 'SSTA')));
    expect(beyond.header.playerCars, 'there are 22 cars').to.deep.equal([]);
  });

  it('adds the minutes of sectors since 2023', () => {
    const long = { ...CAR, sector1: 61_300 };
    const lapData = packetIn(decodeF1(f1LapData({ ...HEAD, format: 2023 }, { 0: long })));
    expect(lapData.kind === 'lap-data' && lapData.cars[0]?.sector1Ms).to.equal(61_300);
  });

  it('refuses unknown formats and packets, and counts that cannot be', () => {
    const head: F1Head = { ...HEAD, format: 2025 };
    const other = f1Event(head, 'SSTA');
    const reasons: readonly (readonly [Uint8Array, RegExp])[] = [
      [changed(other, 0, 0xe3), /the format 2019 has no|packet/],
      [changed(other, 1, 0), /the format 233 is unknown/],
      [changed(other, 6, 99), /format 2025 has no packet 99/],
      [changed(other, 6, 1), /packet 1 of format 2025 has 753 bytes, this one 45/],
      [changed(f1History(head, 5, LAPS), 29, 22), /the history of car 22, of 22/],
      [changed(f1History(head, 5, LAPS), 30, 101), /a history of 101 laps/],
      [changed(f1Participants(head, []), 29, 23), /23 participants, of at most 22/],
      [changed(f1Classification(head, ROWS), 29, 23), /23 classified cars/],
      [f1Event({ ...head, time: NaN }, 'SSTA'), /the session time is no number/],
    ];
    for (const [bytes, reason] of reasons) {
      const result = decodeF1(bytes);
      expect(result.outcome === 'refused' ? result.reason : 'it was read').to.match(reason);
    }
  });

  it('reads mutated packets, or says why not', () => {
    const packets = F1_FORMATS.flatMap((format) => packetsOf({ ...HEAD, format }));
    decodesMutations(packets, decodeF1, timesOf);
  });
});

function packetsOf(head: F1Head): readonly Uint8Array[] {
  const packets = [
    f1Session(head, { type: 1, track: 10 }),
    f1LapData(head, { 0: CAR }),
    f1Participants(head, [{ name: 'Ida', isAi: false, team: 1 }]),
    f1Event(head, 'FTLP'),
  ];
  if (head.format >= 2020) packets.push(f1Classification(head, ROWS));
  if (head.format >= 2021) packets.push(f1History(head, 3, LAPS));
  return packets;
}

function changed(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = value;
  return copy;
}

function timesOf(packet: F1Packet): readonly (number | null)[] {
  switch (packet.kind) {
    case 'lap-data':
      return packet.cars.flatMap(({ lastLapMs, sector1Ms, sector2Ms }) => [lastLapMs, sector1Ms, sector2Ms]);
    case 'history':
      return packet.laps.flatMap(({ ms, sectors }) => [ms, ...sectors]);
    case 'classification':
      return packet.cars.flatMap(({ bestLapMs, totalMs }) => [bestLapMs, totalMs]);
    default:
      return [];
  }
}
