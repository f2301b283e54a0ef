/** Thrown inside the parsers when a file cannot be read; the message says why, and where. `readResults` catches it. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** The line and column, both from 1, of a character: `line 3, column 14`. */
export function placeInText(text: string, index: number): string {
  let line = 1;
  let lineStart = 0;
  while (true) {
    const lineEnd = text.indexOf('\n', lineStart);
    if (lineEnd === -1 || lineEnd >= index) break;
    line += 1;
    lineStart = lineEnd + 1;
  }
  return `line ${line}, column ${index - lineStart + 1}`;
}
