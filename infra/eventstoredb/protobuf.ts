const WIRE_TYPE_BITS = 3;
const WIRE_TYPE_MASK = 0x07;
const VARINT_BITS_MASK = 0x7f;
const VARINT_GOES_ON = 0x80;
const VARINT_STEP = 128;

/** The wire types of protobuf, and how many bytes the fixed ones take. */
const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** Reads the fields of a protobuf message one after the other, without a copy of what they hold. */
export class MessageFields {
  /** Number of the current field. */
  field = 0;
  /** Its value where it is a varint; not exact beyond 2^53, and never below it then. */
  varint = 0;
  /** Where its contents are where it is of a length: text, bytes or a message. */
  start = 0;
  end = 0;
  readonly bytes: Buffer;
  readonly #last: number;
  #at: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.#at = start;
    this.#last = end;
  }

  /** Goes to the next field; false after the last one. @throws {Error} when this is no message. */
  next(): boolean {
    if (this.#at >= this.#last) return false;
    const tag = this.#readVarint();
    const type = tag & WIRE_TYPE_MASK;
    this.field = tag >>> WIRE_TYPE_BITS;
    if (type === VARINT) this.varint = this.#readVarint();
    else {
      const length = type === LENGTH_DELIMITED ? this.#readVarint() : FIXED_BYTES[type];
      if (length === undefined) throw new Error(`a message holds a field of wire type ${type}`);
      this.start = this.#at;
      this.#at = this.end = this.start + length;
    }
    if (this.#at > this.#last) throw new Error('a message ends within a field');
    return true;
  }

  /** The message that the current field holds. */
  message(): MessageFields {
    return new MessageFields(this.bytes, this.start, this.end);
  }

  /** The text that the current field holds. */
  text(): string {
    return this.bytes.toString('utf8', this.start, this.end);
  }

  #readVarint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= VARINT_STEP) {
      const byte = this.bytes[this.#at++];
      if (byte === undefined) throw new Error('a message ends within a number');
      value += (byte & VARINT_BITS_MASK) * factor;
      if (byte < VARINT_GOES_ON) return value;
    }
  }
}
