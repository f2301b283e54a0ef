import { expect } from 'chai';
import { requestsTo, type GameRequests } from '../../src/clients/bridge/games/requests.ts';
import { accCar, accEntry, accEntryList, accRegistration, accUpdate } from './acc-packets.ts';
import { packet } from './bytes.ts';

const ACCESS = { password: 'secret' };

/** The first bytes of what is sent after a payload. */
function asked(requests: GameRequests, payload: Uint8Array, at = 0): readonly number[] {
  return requests.answersTo(payload, at).map((request) => request[0] ?? 0);
}

const ENTRY_LIST = 10;
const TRACK = 11;

describe('requests of the bridge', () => {
  it('register with ACC, and ask it for entries at most every five seconds', () => {
    const acc = requestsTo('acc', ACCESS);
    expect(Buffer.from(acc.opening ?? []).toString('latin1'))
      .to.include('Timing bridge')
      .and.to.include('secret');
    expect(acc.closing(), 'nothing was registered').to.equal(null);
    expect(asked(acc, accUpdate({ index: 0, type: 0, timeMs: 1 }))).to.deep.equal([]);
    expect(asked(acc, accRegistration(), 1_000)).to.deep.equal([TRACK, ENTRY_LIST]);
    expect(asked(acc, accEntryList(1_001), 1_010)).to.deep.equal([]);
    expect(asked(acc, accEntry(1_001, 32, ['Zoë', 'Moor']), 1_020)).to.deep.equal([]);
    expect(asked(acc, accCar({ car: 1_001, laps: 0 }), 9_000), 'a car that is known').to.deep.equal([]);
    expect(asked(acc, accCar({ car: 1_002, laps: 0 }), 9_010), 'one that is not').to.deep.equal([ENTRY_LIST]);
    for (let at = 9_110; at < 14_010; at += 100) {
      expect(asked(acc, accCar({ car: 1_002, laps: 0 }), at), `at ${at}`).to.deep.equal([]);
    }
    expect(asked(acc, accCar({ car: 1_002, laps: 0 }), 14_010)).to.deep.equal([ENTRY_LIST]);
    asked(acc, accEntry(1_002, 30, ['Bo', 'Lind']), 14_100);
    asked(acc, accUpdate({ index: 0, type: 0, timeMs: 1 }), 20_000);
    expect(asked(acc, accUpdate({ index: 1, type: 4, timeMs: 1 }), 20_100), 'the next session').to.deep.equal([
      ENTRY_LIST,
    ]);
    expect([...(acc.closing() ?? [])]).to.deep.equal([9, 5, 0, 0, 0]);
  });

  it('ask Assetto Corsa for updates after its handshake', () => {
    const ac = requestsTo('ac', ACCESS);
    expect(ac.opening?.[8]).to.equal(0);
    expect(ac.answersTo(new Uint8Array(408), 0).map((request) => request[8])).to.deep.equal([1]);
    expect(ac.answersTo(new Uint8Array(328), 0)).to.deep.equal([]);
    expect(ac.closing()?.[8]).to.equal(3);
  });

  it('ask an Assetto Corsa server for its session once, and for drivers that it does not know', () => {
    const server = requestsTo('ac-server', ACCESS);
    const lap = packet(12, [
      [0, ['u8', 73]],
      [1, ['u8', 4]],
    ]);
    expect(server.opening).to.equal(null);
    expect(server.answersTo(lap, 0).map((request) => [...request])).to.deep.equal([
      [201, 4],
      [204, 255, 255],
    ]);
    expect(server.answersTo(lap, 0)).to.deep.equal([]);
    expect([...(server.answersTo(Uint8Array.of(58, 7), 0)[0] ?? [])]).to.deep.equal([201, 7]);
  });

  it('open InSim, ask what runs, and keep it alive', () => {
    const lfs = requestsTo('lfs', ACCESS);
    expect(lfs.opening?.[1]).to.equal(1);
    const version = packet(20, [
      [0, ['u8', 5]],
      [1, ['u8', 2]],
    ]);
    expect(lfs.answersTo(version.subarray(0, 7), 0)).to.deep.equal([]);
    expect(lfs.answersTo(version.subarray(7), 0).map((request) => request[3])).to.deep.equal([13, 14, 7, 19]);
    expect(lfs.answersTo(Uint8Array.of(1, 3, 0, 0), 0).map((request) => [...request])).to.deep.equal([[1, 3, 0, 0]]);
    expect(lfs.answersTo(Uint8Array.of(0, 0, 0, 0), 0), 'a broken stream').to.deep.equal([]);
  });

  it('are not made to games that begin by themselves', () => {
    for (const game of ['f1', 'forza', 'ams2'] as const) {
      const silent = requestsTo(game, ACCESS);
      expect([silent.opening, silent.closing(), silent.answersTo(new Uint8Array(331), 0)]).to.deep.equal([
        null,
        null,
        [],
      ]);
    }
  });
});
