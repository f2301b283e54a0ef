import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A fenced block: its language, the words behind that, and its text. */
export interface Block {
  readonly language: string;
  /** Such as `tour`, or `history learning.ts`; '' for none. */
  readonly name: string;
  readonly text: string;
  /** Line of its opening fence, from 1. */
  readonly line: number;
}

/** A table: its header cells, and its other rows. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A Markdown file of the project. */
export interface Page {
  /** Relative to the root of the project, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Fragments of its headings, by GitHub's rule. */
  readonly anchors: ReadonlySet<string>;
  /** Targets of its links. */
  readonly links: readonly string[];
  readonly blocks: readonly Block[];
  readonly tables: readonly Table[];
}

/** Folders made by tools or by running the service. */
const NOT_OURS: ReadonlySet<string> = new Set(['node_modules', 'dist', 'data']);

/** Every Markdown file of the project, relative to its root, where npm runs. */
export function readPages(): readonly Page[] {
  return filesIn(readdirSync('.').filter((name) => !name.startsWith('.') && !NOT_OURS.has(name)))
    .filter((path) => path.endsWith('.md'))
    .map(readPage);
}

/** All files among, and below, some files and folders of the root. */
export function filesIn(roots: readonly string[]): readonly string[] {
  return roots.flatMap((root) => {
    if (!statSync(root).isDirectory()) return [root];
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
      .sort();
  });
}

const FENCE = /^\s*```(\w*) ?(.*)$/;
const HEADING = /^#{1,6} +(.*)$/;

/** Reads a page, and takes it apart, line by line. */
export function readPage(path: string): Page {
  const text = readFileSync(path, 'utf8');
  const blocks: Block[] = [];
  const anchors = new Set<string>();
  const prose: string[] = [];
  const lines = text.split('\n');
  for (let n = 0; n < lines.length; n += 1) {
    const line = lines[n] ?? '';
    const [fence, language = '', name = ''] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      const end = lines.findIndex((other, at) => at > n && other.trim() === '```');
      if (end < 0) throw new Error(`${path}:${n + 1}: a block without an end`);
      blocks.push({ language, name, text: `${lines.slice(n + 1, end).join('\n')}\n`, line: n + 1 });
      n = end;
      continue;
    }
    prose.push(line);
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) anchors.add(freeAnchor(anchors, anchorOf(heading)));
  }
  return { path, text, anchors, links: linksIn(prose.join('\n')), blocks, tables: tablesIn(prose) };
}

/** The target of a link relative to the root, and its fragment; null for a web address. */
export function targetOf(page: Pick<Page, 'path'>, link: string): { path: string; anchor: string | null } | null {
  if (/^[a-z][a-z\d+.-]*:/i.test(link)) return null;
  const [file = '', anchor = null] = link.split('#');
  const path = file === '' ? page.path : posix.join(posix.dirname(page.path), file);
  return { path, anchor };
}

/** GitHub's rule: lower case, no punctuation except hyphens and underscores, hyphens for spaces. */
function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Repeated headings get the suffixes -1, -2 and so on. */
function freeAnchor(taken: ReadonlySet<string>, anchor: string): string {
  for (let n = 0; ; n += 1) {
    const candidate = n === 0 ? anchor : `${anchor}-${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function linksIn(prose: string): readonly string[] {
  const plain = prose.replace(/`[^`\n]*`/g, '``');
  const inline = [...plain.matchAll(/\]\(\s*<?([^)>\s]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const defined = [...plain.matchAll(/^\s*\[[^\]]+\]:\s*<?(\S+?)>?\s*$/gm)];
  return [...inline, ...defined].map(([, target = '']) => target);
}

function tablesIn(lines: readonly string[]): readonly Table[] {
  return lines.flatMap((line, n) => {
    if (!/^\|[-:| ]+\|$/.test(lines[n + 1] ?? '')) return [];
    const rows = lines.slice(n + 2);
    const end = rows.findIndex((row) => !row.startsWith('|'));
    return [{ header: cellsOf(line), rows: rows.slice(0, end < 0 ? rows.length : end).map(cellsOf) }];
  });
}

function cellsOf(row: string): readonly string[] {
  return row
    .slice(1, row.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** A table as it is written: its header cells, and its rows. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map(
    (cells) => `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|\n`,
  );
  return [lines[0], `|${header.map(() => '---|').join('')}\n`, ...lines.slice(1)].join('');
}
