/** The cells of CSV (RFC 4180), by line, without their quotes: a plain reader that shares nothing with the writers. */
export function readCsv(text: string, delimiter = ','): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      at += 1;
      while (at < text.length) {
        if (text[at] !== '"') {
          cell += text.charAt(at);
          at += 1;
        } else if (text[at + 1] === '"') {
          cell += '"';
          at += 2;
        } else {
          break;
        }
      }
      at += 1;
    } else {
      while (at < text.length && text[at] !== delimiter && text[at] !== '\r' && text[at] !== '\n') {
        cell += text.charAt(at);
        at += 1;
      }
    }
    line.push(cell);
    if (text[at] === delimiter) {
      at += 1;
      // A line that ends with a delimiter ends with an empty cell.
      if (at < text.length && text[at] !== '\r') continue;
      line.push('');
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    lines.push(line);
    line = [];
  }
  return lines;
}
