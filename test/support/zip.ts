import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of an archive. `saysBytes`: the size that the archive gives for it, if that is not the true one. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly saysBytes?: number;
}

const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const DEFLATED = 8;
/** 1 May 2026, in the form of MS-DOS. */
const DATE = ((2026 - 1980) << 9) | (5 << 5) | 1;

/** A zip archive. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, saysBytes = bytes.length } of entries) {
    const packed = deflateRawSync(bytes);
    const local = Buffer.alloc(LOCAL_BYTES);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(DEFLATED, 8);
    local.writeUInt16LE(DATE, 12);
    local.writeUInt32LE(crc32(bytes), 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(saysBytes, 22);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const central = Buffer.alloc(CENTRAL_BYTES);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(20, 4);
    central.writeUInt16LE(20, 6);
    local.copy(central, 10, 8, 30);
    central.writeUInt32LE(offset, 42);
    files.push(local, Buffer.from(name), packed);
    directory.push(central, Buffer.from(name));
    offset += LOCAL_BYTES + Buffer.byteLength(name) + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, end]);
}
