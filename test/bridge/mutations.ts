import { expect } from 'chai';
import { randomFrom } from '../../src/clients/demo/random.ts';
import type { Decoded } from '../../src/clients/bridge/decoders/packet.ts';
import { depth } from '../support/depth.ts';

/** Mutations of the packets of each decoder. */
const MUTATIONS = depth({ short: 100_000, deep: 10_000_000 });

const SEED = 20_261;

/**
 * Decodes mutated packets: bytes changed, cut off, doubled or appended. None throws; what is refused has a reason; what
 * is decoded has `times` that are times, and counts that are counts.
 */
export function decodesMutations<Packet>(
  packets: readonly Uint8Array[],
  decode: (bytes: Uint8Array) => Decoded<Packet>,
  times: (packet: Packet) => readonly (number | null)[],
): void {
  const random = randomFrom(SEED);
  let read = 0;
  for (let mutation = 0; mutation < MUTATIONS; mutation += 1) {
    const original = packets[mutation % packets.length] ?? new Uint8Array(0);
    const result = decode(mutate(original, random));
    if (result.outcome === 'refused') {
      if (result.reason === '') throw new Error(`mutation ${mutation} is refused without a reason`);
      continue;
    }
    read += 1;
    const wrong = times(result.packet).find((ms) => !isTime(ms));
    if (wrong !== undefined) throw new Error(`mutation ${mutation} has a time of ${wrong} ms`);
  }
  expect(read, 'packets that are still read').to.be.above(0);
}

/** A packet with one to three changes. */
export function mutate(bytes: Uint8Array, random: () => number): Uint8Array {
  const below = (bound: number): number => Math.floor(random() * bound);
  let mutated = Buffer.from(bytes);
  const changes = 1 + below(3);
  for (let change = 0; change < changes; change += 1) {
    const at = below(mutated.length);
    const kind = below(8);
    if (kind === 0) mutated = mutated.subarray(0, at);
    else if (kind === 1) mutated = Buffer.concat([mutated.subarray(0, at), mutated.subarray(at - below(8))]);
    else if (kind === 2) mutated = Buffer.concat([mutated, mutated.subarray(0, below(64))]);
    else if (mutated.length > 0) mutated[at] = below(256);
  }
  return mutated;
}

function isTime(ms: number | null): boolean {
  return ms === null || (Number.isSafeInteger(ms) && ms > 0 && ms < 999_999_999);
}

/** Every packet that is cut off at any byte, or has a byte too many, is refused. */
export function refusesOtherSizes<Packet>(
  bytes: Uint8Array,
  decode: (bytes: Uint8Array) => Decoded<Packet>,
  allowed: readonly number[] = [],
): void {
  for (let size = 0; size < bytes.length; size += 1) {
    if (allowed.includes(size)) continue;
    expect(decode(bytes.slice(0, size)).outcome, `${size} of ${bytes.length} bytes`).to.equal('refused');
  }
  expect(decode(Uint8Array.of(...bytes, 0)).outcome, 'a byte too many').to.equal('refused');
}

/** The packet that bytes are decoded to. */
export function packetIn<Packet>(result: Decoded<Packet>): Packet {
  if (result.outcome === 'refused') throw new Error(`refused: ${result.reason}`);
  return result.packet;
}
