/** A value in a packet, little-endian. */
export type Field =
  | readonly ['u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32' | 'f32' | 'f64', number]
  | readonly ['u64', bigint]
  /** Text in UTF-8, in a field of a fixed length. */
  | readonly ['text', string, number]
  /** Text in UTF-16, in a field of a fixed length. */
  | readonly ['utf16', string, number]
  | readonly ['bytes', Uint8Array];

const BYTES = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4, f64: 8, u64: 8 } as const;

/** Fields one after another. */
export function sequence(...fields: readonly Field[]): Uint8Array {
  let size = 0;
  for (const field of fields) size += sizeOf(field);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const field of fields) {
    put(bytes, at, field);
    at += sizeOf(field);
  }
  return bytes;
}

/** A packet of a given size that has fields at given offsets, and zeros elsewhere. */
export function packet(size: number, fields: readonly (readonly [offset: number, field: Field])[]): Uint8Array {
  const bytes = new Uint8Array(size);
  for (const [offset, field] of fields) put(bytes, offset, field);
  return bytes;
}

function sizeOf(field: Field): number {
  if (field[0] === 'text' || field[0] === 'utf16') return field[2];
  return field[0] === 'bytes' ? field[1].length : BYTES[field[0]];
}

function put(bytes: Uint8Array, at: number, field: Field): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  switch (field[0]) {
    case 'u8':
      view.setUint8(at, field[1]);
      return;
    case 'i8':
      view.setInt8(at, field[1]);
      return;
    case 'u16':
      view.setUint16(at, field[1], true);
      return;
    case 'i16':
      view.setInt16(at, field[1], true);
      return;
    case 'u32':
      view.setUint32(at, field[1], true);
      return;
    case 'i32':
      view.setInt32(at, field[1], true);
      return;
    case 'f32':
      view.setFloat32(at, field[1], true);
      return;
    case 'f64':
      view.setFloat64(at, field[1], true);
      return;
    case 'u64':
      view.setBigUint64(at, field[1], true);
      return;
    case 'text':
      bytes.set(new TextEncoder().encode(field[1]).subarray(0, field[2]), at);
      return;
    case 'utf16':
      bytes.set(Buffer.from(field[1], 'utf16le').subarray(0, field[2]), at);
      return;
    case 'bytes':
      bytes.set(field[1], at);
      return;
  }
}
