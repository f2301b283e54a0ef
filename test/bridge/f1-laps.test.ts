import { expect } from 'chai';
import { randomFrom } from '../../src/clients/demo/random.ts';
import type { CaptureRecord } from '../../src/clients/bridge/capture.ts';
import type { F1Format } from '../../src/clients/bridge/decoders/f1.ts';
import { depth } from '../support/depth.ts';
import { F1Game, type F1Drive } from './f1-drive.ts';
import { F1_FORMATS, f1Event, f1History, f1LapData, f1Session } from './f1-packets.ts';
import { mutate } from './mutations.ts';
import { planOf, timesOf } from './plans.ts';

const IDA = { name: 'Ida Moor', isAi: false, team: 4 };
const RIVAL = { name: 'RIVAL', isAi: true, team: 2 };

/** Laps of 90.0, 91.1 and 90.5 s. */
const FIRST: F1Drive = { sectors: [30_000, 30_000, 30_000] };
const SECOND: F1Drive = { sectors: [30_100, 30_500, 30_500] };
const THIRD: F1Drive = { sectors: [30_000, 30_250, 30_250] };

/** Types of sessions. */
const PRACTICE = 1;
const RACE_SINCE_2024 = 15;

function gameOf(format: F1Format = 2025, uid = 77n): F1Game {
  return new F1Game({ format, uid });
}

/** A game in which a session has begun. */
function started(format: F1Format = 2025): F1Game {
  const game = gameOf(format);
  game.session(PRACTICE, 10);
  game.participants(IDA, RIVAL);
  return game;
}

describe('laps of F1', () => {
  for (const format of F1_FORMATS) {
    it(`of ${format} are found with driver, car, track and sectors`, () => {
      const game = started(format);
      game.drive({ ...FIRST, isOut: true });
      game.drive({ ...SECOND, isInvalid: true });
      game.drive({ sectors: THIRD.sectors, untilMs: 40_000 });
      if (format >= 2021) game.history();
      const { sessions, notes, format: name } = planOf('f1', game.records);
      const third = format >= 2021 ? [30_000, 30_500] : [null, null];
      const lap = { driver: 'Ida Moor', driverId: null, car: '4' };
      expect({ name, notes }).to.deep.equal({ name: `f1-udp-${format}`, notes: [] });
      expect(sessions).to.deep.equal([
        {
          session: 'practice',
          name: 'Practice 1',
          track: '10',
          layout: null,
          laps: [
            { ...lap, lap: 1, ms: 90_000, sectors: [30_000, 30_000, third[0]], valid: true, out: true },
            { ...lap, lap: 2, ms: 91_100, sectors: [30_100, 30_500, third[1]], valid: false },
          ],
          classification: [],
        },
      ]);
    });
  }

  it('are told apart by the year: 10 and 13 have another meaning since 2024', () => {
    const kinds = [2023, 2024].flatMap((format) =>
      [10, 13].map((type) => {
        const game = gameOf(format === 2023 ? 2023 : 2024);
        game.session(type, 1);
        game.drive(FIRST);
        game.drive({ ...SECOND, untilMs: 1_000 });
        return planOf('f1', game.records).sessions[0]?.session;
      }),
    );
    expect(kinds).to.deep.equal(['race', 'time-trial', 'qualifying', 'qualifying']);
  });

  it('end at the flag, where the number of the lap stays', () => {
    for (const format of [2020, 2026] as const) {
      const game = started(format);
      game.drive(FIRST);
      game.drive({ ...SECOND, isLast: true });
      game.pass(20_000);
      game.lapData({ resultStatus: 3 });
      game.send(f1Event(game.head, 'SEND'));
      expect(timesOf(planOf('f1', game.records))).to.deep.equal([
        [
          [1, 90_000],
          [2, 91_100],
        ],
      ]);
    }
  });

  it('that end at the flag unseen are known from the history after the end, under session id 0', () => {
    const game = started();
    game.drive(FIRST);
    game.drive({ ...SECOND, isLast: true });
    game.records.pop();
    game.send(f1Event(game.head, 'SEND'));
    game.pass(1_000);
    game.history(0n);
    const { sessions, notes } = planOf('f1', game.records);
    expect(sessions[0]?.laps.map(({ ms, sectors, valid }) => ({ ms, sectors, valid }))[1]).to.deep.equal({
      ms: 91_100,
      sectors: [30_100, 30_500, 30_500],
      valid: true,
    });
    expect(notes).to.deep.equal([]);
  });

  it('from before the bridge ran are not sent, and noted', () => {
    const game = started();
    game.drive(FIRST);
    game.drive(SECOND);
    const joined = game.records.length;
    game.session(PRACTICE, 10);
    game.participants(IDA, RIVAL);
    game.drive(THIRD);
    game.drive({ ...SECOND, untilMs: 5_000 });
    game.history();
    const plan = planOf('f1', game.records.slice(joined));
    expect(timesOf(plan)).to.deep.equal([[[3, 90_500]]]);
    expect(plan.notes).to.deep.equal([
      '2 laps of car 0 from before the bridge ran are known from the history of the game only, and are not sent.',
    ]);
  });

  it('that a flashback takes back do not count, however they were found', () => {
    const game = started();
    game.drive(FIRST);
    game.history();
    const lapStart = game.timeMs;
    game.drive(SECOND);
    game.history();
    game.drive({ ...THIRD, untilMs: 6_000 });
    game.flashback(lapStart + 80_000, 2, lapStart);
    game.lapData({ sector: 2, sector1: 30_100, sector2: 30_500 });
    game.pass(500);
    game.drive({ sectors: [30_100, 30_500, 30_400] });
    game.drive({ ...THIRD, untilMs: 6_000 });
    game.history();
    const plan = planOf('f1', game.records);
    expect(timesOf(plan)).to.deep.equal([
      [
        [1, 90_000],
        [2, 91_000],
      ],
    ]);
    expect(plan.notes).to.deep.equal([
      'Lap 2 of Ida Moor, 91100 ms, was taken back by a flashback, and does not count.',
    ]);
  });

  it('are taken back where the packet of the flashback was lost: the number of the lap has fallen', () => {
    const game = started(2021);
    game.drive(FIRST);
    const lapStart = game.timeMs;
    game.drive(SECOND);
    game.drive({ ...THIRD, untilMs: 6_000 });
    game.flashback(lapStart + 80_000, 2, lapStart);
    game.records.pop();
    game.lapData({ sector: 2 });
    game.pass(500);
    game.drive({ sectors: [30_100, 30_500, 30_400] });
    game.drive({ ...THIRD, untilMs: 1_000 });
    expect(timesOf(planOf('f1', game.records))).to.deep.equal([
      [
        [1, 90_000],
        [2, 91_000],
      ],
    ]);
  });

  it('stay in a network game, where nobody can go back', () => {
    const game = gameOf();
    game.session(RACE_SINCE_2024, 10, true);
    game.drive(FIRST);
    game.drive({ ...SECOND, untilMs: 2_000 });
    game.send(f1Event(game.head, 'FLBK', 1));
    game.drive({ ...SECOND, untilMs: 2_000 });
    expect(timesOf(planOf('f1', game.records))).to.deep.equal([[[1, 90_000]]]);
  });

  it('of a saved game that is loaded are in a session of their own, and none is sent twice', () => {
    const game = started();
    game.drive(FIRST);
    game.drive(SECOND);
    game.drive({ ...THIRD, untilMs: 10_000 });
    game.send(f1Event(game.head, 'SEND'));
    game.history(0n);
    game.uid = 78n;
    game.timeMs = 95_000;
    game.lap = 2;
    game.laps = game.laps.slice(0, 1);
    game.lastLap = 90_000;
    game.session(PRACTICE, 10);
    game.participants(IDA, RIVAL);
    // While it is loaded, the first packet shows another lap.
    game.lapData({ lap: 0, lastLap: 0 });
    game.history();
    game.drive(THIRD);
    game.drive({ ...FIRST, untilMs: 1_000 });
    game.history();
    const plan = planOf('f1', game.records);
    expect(timesOf(plan)).to.deep.equal([
      [
        [1, 90_000],
        [2, 91_100],
      ],
      [[2, 90_500]],
    ]);
  });

  it('of a session that is started again under its id are in a session of their own', () => {
    const game = started();
    game.drive(FIRST);
    game.drive({ ...SECOND, untilMs: 30_000 });
    game.timeMs = 0;
    game.lap = 1;
    game.lastLap = 0;
    game.laps = [];
    game.drive(THIRD);
    game.drive({ ...SECOND, untilMs: 1_000 });
    expect(timesOf(planOf('f1', game.records))).to.deep.equal([[[1, 90_000]], [[1, 90_500]]]);
  });

  it('are not invented in the garage, in pauses, and by going back to the garage', () => {
    const game = started();
    game.lapData({ driverStatus: 0, currentLap: 0 });
    game.pass(60_000);
    game.drive({ ...FIRST, isOut: true });
    game.at += 6 * 60_000;
    game.drive({ ...SECOND, untilMs: 20_000 });
    game.lapData({ driverStatus: 0, currentLap: 0, lastLap: 0 });
    game.pass(30_000);
    game.lapData({ driverStatus: 0, currentLap: 0 });
    expect(timesOf(planOf('f1', game.records))).to.deep.equal([[[1, 90_000]]]);
  });

  it('are those of the players at this machine: of both with a split screen, of no rival, ghost or watched car', () => {
    const car = { sector1: 0, sector2: 0, sector: 0, isInvalid: false, driverStatus: 1, resultStatus: 2 };
    const before = { ...car, lap: 1, lastLap: 0, currentLap: 80_000 };
    const after = { ...car, lap: 2, lastLap: 88_000, currentLap: 10 };
    const game = new F1Game({ format: 2025, uid: 5n, player: 0, secondPlayer: 3 });
    game.session(PRACTICE, 10);
    game.participants(IDA, RIVAL, RIVAL, { ...IDA, name: 'Bo Lind' });
    const others = [before, after].map((state) => ({ 1: state, 2: state, 3: { ...state, lastLap: state.lastLap } }));
    game.lapData({}, others[0]);
    game.pass(80_000);
    game.lapData({}, others[1]);
    const drivers = planOf('f1', game.records).sessions.flatMap(({ laps }) => laps.map(({ driver }) => driver));
    expect(drivers).to.deep.equal(['Bo Lind']);

    const head = { ...game.head, player: 1, secondPlayer: 255 };
    const watching = [
      f1Session(head, { type: PRACTICE, track: 10, isSpectating: true }),
      f1LapData(head, { 1: before }),
      f1LapData({ ...head, frame: 9_000, overallFrame: 90_000 }, { 1: after }),
    ];
    expect(
      timesOf(
        planOf(
          'f1',
          watching.map((payload, at) => ({ at, payload })),
        ),
      ),
    ).to.deep.equal([]);
  });

  it('have no sector that has overflowed, in formats with two bytes for it', () => {
    const game = started(2020);
    game.drive({ sectors: [70_000, 30_000, 20_000] });
    game.drive({ ...FIRST, untilMs: 1_000 });
    expect(planOf('f1', game.records).sessions[0]?.laps[0]?.sectors).to.deep.equal([null, 30_000, null]);
    const later = started(2022);
    later.drive({ sectors: [70_000, 30_000, 20_000] });
    later.history();
    expect(planOf('f1', later.records).sessions[0]?.laps[0]?.sectors).to.equal(null);
  });

  it('that were lost with many packets are known from the history, or noted', () => {
    for (const isKnown of [true, false]) {
      const game = started();
      game.drive({ ...FIRST, untilMs: 10_000 });
      const lost = game.records.length;
      game.drive(FIRST);
      game.drive(SECOND);
      const found = game.records.slice(0, lost);
      game.drive({ ...THIRD, untilMs: 10_000 });
      if (isKnown) game.history();
      found.push(...game.records.slice(-10));
      const plan = planOf('f1', found);
      const laps = isKnown ? [1, 2] : [2];
      expect(plan.sessions[0]?.laps.map(({ lap }) => lap)).to.have.members(laps);
      expect(plan.notes).to.have.length(isKnown ? 0 : 1);
    }
  });

  it('come once and exact through loss, doubles and disorder', () => {
    const game = started();
    for (const drive of [FIRST, SECOND, THIRD]) {
      game.drive(drive);
      game.history();
    }
    game.drive({ ...FIRST, untilMs: 30_000 });
    const all = timesOf(planOf('f1', game.records));
    expect(all[0]).to.have.length(3);
    const seeds = depth({ short: 50, deep: 5_000 });
    for (let seed = 1; seed <= seeds; seed += 1) {
      expect(timesOf(planOf('f1', disturbed(game.records, seed))), `seed ${seed}`).to.deep.equal(all);
    }
  });

  it('are not invented by broken packets among the good ones', () => {
    const game = started();
    for (const drive of [FIRST, SECOND]) game.drive(drive);
    game.history();
    const good = timesOf(planOf('f1', game.records));
    const random = randomFrom(7);
    const records = game.records.flatMap((record): readonly CaptureRecord[] => {
      const broken = mutate(record.payload, random);
      // A byte that is changed under the right size is what no network lets through.
      return broken.length === record.payload.length ? [record] : [{ at: record.at, payload: broken }, record];
    });
    expect(records.length).to.be.above(game.records.length);
    expect(timesOf(planOf('f1', records))).to.deep.equal(good);
  });

  it('of a history of another car are not the player’s', () => {
    const game = started();
    game.drive({ ...FIRST, untilMs: 10_000 });
    game.send(f1History(game.head, 1, [{ ms: 88_000, sectors: [30_000, 30_000, 28_000], flags: 15 }]));
    expect(planOf('f1', game.records)).to.deep.include({ sessions: [], notes: [] });
  });
});

/** What a bad network makes of packets: 5 % are lost, 5 % come twice, 5 % come after the next one. */
function disturbed(records: readonly CaptureRecord[], seed: number): readonly CaptureRecord[] {
  const random = randomFrom(seed);
  const disturbed: CaptureRecord[] = [];
  for (const [index, record] of records.entries()) {
    // What names the session and the drivers comes only once here.
    if (index < 2) disturbed.push(record);
    else if (random() < 0.05) continue;
    else disturbed.push(record);
    if (random() < 0.05) disturbed.push(record);
    const before = disturbed.at(-2);
    if (before !== undefined && disturbed.length > 3 && random() < 0.05) {
      disturbed.splice(-2, 2, { ...record, at: before.at }, { ...before, at: record.at });
    }
  }
  return disturbed;
}
