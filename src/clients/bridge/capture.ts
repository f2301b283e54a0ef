/** What was received at one moment: a datagram, or a segment of a TCP connection. */
export interface CaptureRecord {
  /** Time since the start of the capture, in ms. */
  readonly at: number;
  readonly payload: Uint8Array;
}

const HEADER_BYTES = 6;

/** A record as it is written: the time in four bytes, the length in two, little-endian, and the payload. */
export function encodeRecord({ at, payload }: CaptureRecord): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, at, true);
  view.setUint16(4, payload.length, true);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}

/** Takes the records of a capture out of its pieces, as they come from a disk. */
export class CaptureRecords {
  #rest: Uint8Array = new Uint8Array(0);

  /** Bytes of a record that is not complete yet. */
  get remaining(): number {
    return this.#rest.length;
  }

  /** The records that a piece completes. */
  push(piece: Uint8Array): readonly CaptureRecord[] {
    const bytes = new Uint8Array(this.#rest.length + piece.length);
    bytes.set(this.#rest);
    bytes.set(piece, this.#rest.length);
    const view = new DataView(bytes.buffer);
    const records: CaptureRecord[] = [];
    let offset = 0;
    while (offset + HEADER_BYTES <= bytes.length) {
      const end = offset + HEADER_BYTES + view.getUint16(offset + 4, true);
      if (end > bytes.length) break;
      records.push({ at: view.getUint32(offset, true), payload: bytes.subarray(offset + HEADER_BYTES, end) });
      offset = end;
    }
    this.#rest = bytes.slice(offset);
    return records;
  }
}
