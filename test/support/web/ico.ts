/** Bytes of the head of an ICO file, and of the entry of a picture in it. */
const HEAD_BYTES = 6;
const ENTRY_BYTES = 16;

/** Where a PNG file has its width and its height, in pixels. */
const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;

/** The width and the height of a PNG file, in pixels. */
export function sizeOfPng(png: Buffer): { readonly width: number; readonly height: number } {
  return { width: png.readUInt32BE(PNG_WIDTH_AT), height: png.readUInt32BE(PNG_HEIGHT_AT) };
}

/** An ICO file with PNG files of at most 255 pixels. */
export function icoOf(pictures: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  const ICON_TYPE = 1;
  head.writeUInt16LE(ICON_TYPE, 2);
  head.writeUInt16LE(pictures.length, 4);
  const entries: Buffer[] = [];
  let offset = HEAD_BYTES + ENTRY_BYTES * pictures.length;
  for (const picture of pictures) {
    const { width, height } = sizeOfPng(picture);
    const entry = Buffer.alloc(ENTRY_BYTES);
    entry.writeUInt8(width, 0);
    entry.writeUInt8(height, 1);
    entry.writeUInt16LE(1, 4); // planes
    entry.writeUInt16LE(32, 6); // bits of a pixel
    entry.writeUInt32LE(picture.length, 8);
    entry.writeUInt32LE(offset, 12);
    entries.push(entry);
    offset += picture.length;
  }
  return Buffer.concat([head, ...entries, ...pictures]);
}

/** The PNG files in an ICO file. */
export function picturesInIco(ico: Buffer): readonly Buffer[] {
  const count = ico.readUInt16LE(4);
  return Array.from({ length: count }, (_, n) => {
    const entry = HEAD_BYTES + ENTRY_BYTES * n;
    const offset = ico.readUInt32LE(entry + 12);
    return ico.subarray(offset, offset + ico.readUInt32LE(entry + 8));
  });
}
