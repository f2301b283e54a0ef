/** What a decoder makes of a packet: a record, or the reason why it is none. */
export type Decoded<Packet> =
  { readonly outcome: 'decoded'; readonly packet: Packet } | { readonly outcome: 'refused'; readonly reason: string };

/** A decoded packet. */
export function decoded<Packet>(packet: Packet): Decoded<Packet> {
  return { outcome: 'decoded', packet };
}

/** A packet that is not read. */
export function refused(reason: string): Decoded<never> {
  return { outcome: 'refused', reason };
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
const UTF16 = new TextDecoder('utf-16le', { ignoreBOM: true });

/**
 * The bytes of a packet, little-endian. A read past the end gives 0 or an empty text and sets `hasOverrun`; nothing
 * throws. Each read names its offset; `PacketReader` reads one value after another.
 */
export class PacketView {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #hasOverrun = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.byteLength;
  }

  /** Whether any read went past the end. */
  get hasOverrun(): boolean {
    return this.#hasOverrun;
  }

  u8(at: number): number {
    return this.#has(at, 1) ? this.#view.getUint8(at) : 0;
  }

  i8(at: number): number {
    return this.#has(at, 1) ? this.#view.getInt8(at) : 0;
  }

  u16(at: number): number {
    return this.#has(at, 2) ? this.#view.getUint16(at, true) : 0;
  }

  u32(at: number): number {
    return this.#has(at, 4) ? this.#view.getUint32(at, true) : 0;
  }

  i32(at: number): number {
    return this.#has(at, 4) ? this.#view.getInt32(at, true) : 0;
  }

  u64(at: number): bigint {
    return this.#has(at, 8) ? this.#view.getBigUint64(at, true) : 0n;
  }

  f32(at: number): number {
    return this.#has(at, 4) ? this.#view.getFloat32(at, true) : 0;
  }

  f64(at: number): number {
    return this.#has(at, 8) ? this.#view.getFloat64(at, true) : 0;
  }

  /** A text in a field of fixed length, which ends at the first NUL. Broken bytes become U+FFFD. */
  utf8(at: number, length: number): string {
    const field = this.field(at, length);
    const end = field.indexOf(0);
    return UTF8.decode(end === -1 ? field : field.subarray(0, end));
  }

  /** A text of UTF-16 in a field of fixed length, which ends at the first NUL or '%': garbage follows. */
  utf16(at: number, length: number): string {
    const text = UTF16.decode(this.field(at, length));
    const end = text.search(/[\0%]/);
    return end === -1 ? text : text.slice(0, end);
  }

  /** The bytes of a field. */
  field(at: number, length: number): Uint8Array {
    return this.#has(at, length) ? this.bytes.subarray(at, at + length) : new Uint8Array(0);
  }

  #has(at: number, length: number): boolean {
    if (at >= 0 && at + length <= this.bytes.byteLength) return true;
    this.#hasOverrun = true;
    return false;
  }
}

/** Reads the values of a packet one after another, as `PacketView` does. */
export class PacketReader {
  readonly #view: PacketView;
  #offset: number;

  constructor(bytes: Uint8Array, offset: number) {
    this.#view = new PacketView(bytes);
    this.#offset = offset;
  }

  /** Bytes that are not read yet. */
  get remaining(): number {
    return Math.max(0, this.#view.length - this.#offset);
  }

  get hasOverrun(): boolean {
    return this.#view.hasOverrun;
  }

  /** Whether all was read, and nothing past the end. */
  get isAtEnd(): boolean {
    return !this.#view.hasOverrun && this.#offset === this.#view.length;
  }

  skip(length: number): void {
    this.#view.field(this.#offset, length);
    this.#offset += length;
  }

  u8(): number {
    return this.#view.u8(this.#advance(1));
  }

  u16(): number {
    return this.#view.u16(this.#advance(2));
  }

  u32(): number {
    return this.#view.u32(this.#advance(4));
  }

  i32(): number {
    return this.#view.i32(this.#advance(4));
  }

  f32(): number {
    return this.#view.f32(this.#advance(4));
  }

  /** A text of UTF-8 after its length in a byte. */
  utf8AfterU8(): string {
    const length = this.u8();
    return UTF8.decode(this.#view.field(this.#advance(length), length));
  }

  /** A text of UTF-8 after its length in two bytes. */
  utf8AfterU16(): string {
    const length = this.u16();
    return UTF8.decode(this.#view.field(this.#advance(length), length));
  }

  /** A text of UTF-32 after the count of its characters in a byte. */
  utf32AfterU8(): string {
    const count = this.u8();
    let text = '';
    for (let index = 0; index < count; index += 1) {
      const codePoint = this.u32();
      const isCharacter = codePoint <= 0x10_ff_ff && (codePoint < 0xd8_00 || codePoint > 0xdf_ff);
      text += isCharacter ? String.fromCodePoint(codePoint) : '\uFFFD';
    }
    return text;
  }

  #advance(length: number): number {
    const at = this.#offset;
    this.#offset += length;
    return at;
  }
}
