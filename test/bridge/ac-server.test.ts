import { expect } from 'chai';
import {
  decodeAcServer,
  encodeAcServerCarRequest,
  encodeAcServerSessionRequest,
} from '../../src/clients/bridge/decoders/ac-server.ts';
import { NO_LAP, carInfo, connection, lap, narrow, session, wide } from './ac-server-packets.ts';
import { decodesMutations, packetIn, refusesOtherSizes } from './mutations.ts';
import { planOf, recordsOf, timesOf } from './plans.ts';

const PACKETS = [
  session(),
  session({ id: 59, weather: wide('3_clear') }),
  connection(51, 0, 'Björk Ørn 🏁', '2001'),
  connection(52, 0, 'Ida', '2002'),
  carInfo(1, 'Ida', '2002'),
  lap(0, 66_304, 1, 2),
];

describe('the decoder of the plugin of the Assetto Corsa server', () => {
  it('reads sessions, drivers and laps', () => {
    const [begun, running, driver, closed, info, completed] = PACKETS.map((bytes) => packetIn(decodeAcServer(bytes)));
    const facts = {
      kind: 'session',
      index: 0,
      track: 'ks_red_bull_ring',
      layout: 'layout_national',
      name: 'Practice',
      sessionType: 1,
      elapsedMs: 0,
    };
    expect(begun).to.deep.equal({ ...facts, isNew: true });
    expect(running, 'the weather in UTF-32').to.deep.equal({ ...facts, isNew: false });
    const seat = { kind: 'driver', isConnected: true, model: 'ks_mazda' };
    expect(driver).to.deep.equal({ ...seat, isNew: true, car: 0, driver: 'Björk Ørn 🏁', guid: '2001' });
    expect(closed).to.deep.equal({ kind: 'closed', car: 0 });
    expect(info).to.deep.equal({ ...seat, isNew: false, car: 1, driver: 'Ida', guid: '2002' });
    expect(completed).to.deep.equal({ kind: 'lap', car: 0, ms: 66_304, cuts: 2, laps: 1 });
  });

  it('refuses packets that are cut off or too long, and unknown ones', () => {
    // A weather in UTF-32 that is cut off may look like one in UTF-8.
    const cutOffWeather = session({ id: 59, weather: narrow('3_clear') }).length;
    for (const bytes of PACKETS) refusesOtherSizes(bytes, decodeAcServer, [cutOffWeather]);
    expect(decodeAcServer(Uint8Array.of(99))).to.deep.equal({ outcome: 'refused', reason: 'there is no packet 99' });
    expect(packetIn(decodeAcServer(Uint8Array.of(56, 4)))).to.deep.equal({ kind: 'other' });
  });

  it('writes requests', () => {
    expect([...encodeAcServerCarRequest(3)]).to.deep.equal([201, 3]);
    expect([...encodeAcServerSessionRequest()]).to.deep.equal([204, 255, 255]);
  });

  it('reads mutated packets, or says why not', () => {
    decodesMutations(PACKETS, decodeAcServer, (packet) => (packet.kind === 'lap' ? [packet.ms] : []));
  });
});

describe('laps of an Assetto Corsa server', () => {
  it('are those of all cars; laps with cuts are not valid; lost and late names are asked for', () => {
    const packets = [
      session(),
      connection(51, 0, 'Ida Moor', '2001'),
      lap(0, 66_304, 1),
      lap(1, 68_811, 1, 2),
      carInfo(1, 'Bo Lind', '2002'),
      lap(0, 66_304, 2),
      session({ index: 1, name: 'Race', type: 3 }),
      lap(0, 70_001, 1),
    ];
    const { format, sessions, notes } = planOf('ac-server', recordsOf(packets));
    const ida = { driver: 'Ida Moor', driverId: '2001', car: 'ks_mazda', sectors: null };
    const bo = { ...ida, driver: 'Bo Lind', driverId: '2002' };
    const place = { track: 'ks_red_bull_ring', layout: 'layout_national', classification: [] };
    expect({ format, notes }).to.deep.equal({ format: 'ac-server-plugin-udp', notes: [] });
    expect(sessions).to.deep.equal([
      {
        session: 'practice',
        name: 'Practice',
        ...place,
        laps: [
          { ...ida, lap: 1, ms: 66_304, valid: true },
          { ...bo, lap: 1, ms: 68_811, valid: false },
          { ...ida, lap: 2, ms: 66_304, valid: true },
        ],
      },
      { session: 'race', name: 'Race', ...place, laps: [{ ...ida, lap: 1, ms: 70_001, valid: true }] },
    ]);
  });

  it('come once, though a packet comes twice or late, and a session is announced twice', () => {
    const packets = [
      session(),
      session(),
      lap(0, 66_304, 1),
      lap(0, 66_304, 1),
      session({ index: 1 }),
      lap(0, 66_304, 1),
    ];
    expect(timesOf(planOf('ac-server', recordsOf(packets, 50)))).to.deep.equal([[[1, 66_304]]]);
  });

  it('before a restart stay, and those after it are in a session of their own', () => {
    const packets = [session(), lap(0, 66_304, 1), session(), lap(0, 65_000, 1)];
    expect(timesOf(planOf('ac-server', recordsOf(packets, 60_000)))).to.deep.equal([[[1, 66_304]], [[1, 65_000]]]);
  });

  it('are of whoever drives: a slot that is free belongs to nobody, until somebody takes it', () => {
    const packets = [
      session(),
      connection(51, 0, 'Ida Moor', '2001'),
      lap(0, 66_304, 1),
      connection(52, 0, 'Ida Moor', '2001'),
      lap(0, 67_000, 2),
      session({ id: 59 }),
      connection(51, 0, 'Bo Lind', '2002'),
      carInfo(0, '', '', false),
      lap(0, 68_000, 3),
      carInfo(0, 'Cy Orr', '2003'),
      lap(0, 69_000, 4),
    ];
    const laps = planOf('ac-server', recordsOf(packets)).sessions.flatMap((one) => one.laps);
    expect(laps.map(({ driver, lap: number }) => [driver, number])).to.deep.equal([
      ['Ida Moor', 1],
      ['Bo Lind', 2],
      ['Bo Lind', 3],
      ['Cy Orr', 4],
    ]);
  });

  it('that came before the session was known are of that session', () => {
    const plan = planOf('ac-server', recordsOf([lap(0, 66_304, 5), session({ id: 59 }), lap(0, 66_000, 6)]));
    expect(plan.sessions.map(({ session: kind, laps }) => [kind, laps.length])).to.deep.equal([['practice', 2]]);
  });

  it('without a time are noted, and not sent', () => {
    const plan = planOf('ac-server', recordsOf([session(), lap(0, NO_LAP, 1)]));
    expect(plan).to.deep.include({ sessions: [], notes: ['Lap 1 of car 0 has no time.'] });
  });
});
