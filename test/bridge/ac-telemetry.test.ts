import { expect } from 'chai';
import { decodeAcTelemetry, encodeAcRequest } from '../../src/clients/bridge/decoders/ac-telemetry.ts';
import { packet } from './bytes.ts';
import { SPOT, car, handshake } from './ac-telemetry-packets.ts';
import { decodesMutations, packetIn, refusesOtherSizes } from './mutations.ts';
import { planOf, recordsOf, timesOf } from './plans.ts';

const PACKETS = [handshake(), car(2, 1_200, 91_204), SPOT];

describe('the decoder of the remote telemetry of Assetto Corsa', () => {
  it('reads handshakes, cars and laps', () => {
    expect(PACKETS.map((bytes) => packetIn(decodeAcTelemetry(bytes)))).to.deep.equal([
      { kind: 'handshake', car: 'ks_mazda', driver: 'Zoë Moor', track: 'imola', layout: 'chicane' },
      { kind: 'car', isInPit: false, lapTimeMs: 1_200, lastLapMs: 91_204, lapCount: 2 },
      { kind: 'spot', carId: 0, lap: 3, driver: 'Zoë Moor', car: 'ks_mazda', ms: 91_204 },
    ]);
  });

  it('refuses other sizes, and packets whose marks or counts are wrong', () => {
    for (const bytes of PACKETS) refusesOtherSizes(bytes, decodeAcTelemetry, [212, 328]);
    const reasons = [
      packet(328, [[4, ['i32', 328]]]),
      packet(328, [
        [0, ['u8', 0x61]],
        [4, ['i32', 327]],
      ]),
      car(-1, 0, 0),
    ].map((bytes) => decodeAcTelemetry(bytes).outcome);
    expect(reasons).to.deep.equal(['refused', 'refused', 'refused']);
  });

  it('writes requests', () => {
    expect([...encodeAcRequest('handshake')]).to.deep.equal([1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    expect(encodeAcRequest('updates')[8]).to.equal(1);
    expect(encodeAcRequest('dismiss')[8]).to.equal(3);
  });

  it('reads mutated packets, or says why not', () => {
    decodesMutations(PACKETS, decodeAcTelemetry, (one) =>
      one.kind === 'car' ? [one.lastLapMs] : one.kind === 'spot' ? [one.ms] : [],
    );
  });
});

describe('laps of the remote telemetry of Assetto Corsa', () => {
  it('are those of the own car; a lap that left the pits is an out lap', () => {
    const packets = [
      handshake(),
      car(0, 200_000, 0, true),
      car(0, 210_000, 0),
      car(1, 8, 344_684),
      car(1, 80_000, 344_684),
      car(2, 10, 91_204),
      SPOT,
      car(2, 60_000, 91_204, true),
      car(3, 5, 95_000, true),
    ];
    const own = { driver: 'Zoë Moor', driverId: null, car: 'ks_mazda', sectors: null, valid: null };
    expect(planOf('ac', recordsOf(packets))).to.deep.equal({
      format: 'ac-remote-telemetry',
      sessions: [
        {
          session: 'unknown',
          name: null,
          track: 'imola',
          layout: 'chicane',
          laps: [
            { ...own, lap: 1, ms: 344_684, out: true },
            { ...own, lap: 2, ms: 91_204 },
            { ...own, lap: 3, ms: 95_000 },
          ],
          classification: [],
        },
      ],
      notes: [],
    });
  });

  it('before a restart stay, and another car or track is another session', () => {
    const packets = [
      handshake(),
      car(1, 80_000, 90_000),
      car(2, 10, 91_204),
      car(0, 10, 0),
      car(0, 1_000, 0),
      car(1, 10, 92_000),
      handshake('ks_mazda', 'monza'),
      car(0, 80_000, 0),
      car(1, 10, 93_000),
    ];
    expect(timesOf(planOf('ac', recordsOf(packets)))).to.deep.equal([[[2, 91_204]], [[1, 92_000]], [[1, 93_000]]]);
  });

  it('are not found twice when packets come twice or late', () => {
    const packets = [car(0, 90_000, 0), car(1, 8, 91_000), car(0, 90_900, 0), car(1, 20, 91_000), car(1, 20, 91_000)];
    expect(timesOf(planOf('ac', recordsOf(packets, 20)))).to.deep.equal([[[1, 91_000]]]);
  });

  it('may have the same time twice', () => {
    const packets = [car(0, 90_000, 0), car(1, 8, 91_000), car(1, 90_000, 91_000), car(2, 8, 91_000)];
    expect(timesOf(planOf('ac', recordsOf(packets)))).to.deep.equal([
      [
        [1, 91_000],
        [2, 91_000],
      ],
    ]);
  });
});
