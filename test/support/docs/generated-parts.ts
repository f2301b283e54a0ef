import type { Resource } from '../../../src/service/resources/resource.ts';
import type { OpenApi } from '../api/openapi.ts';
import { accessTable } from './access-table.ts';

/** The page with the generated parts. */
export const INTERFACE_PAGE = 'docs/interface.md';

/** A generated part of a page, between invisible comments with its name. */
const PART = /<!-- generated: (\w+) -->\n([^]*?)<!-- end -->/g;

/** The generated parts of docs/interface.md by name. */
export function partsOf(document: OpenApi, resources: readonly Resource[]): ReadonlyMap<string, string> {
  return new Map([['Access', accessTable(document, resources)]]);
}

/** The generated parts of a page as they are, by name. */
export function partsIn(page: string): ReadonlyMap<string, string> {
  return new Map([...page.matchAll(PART)].map(([, name = '', part = '']) => [name, part.trim() + '\n']));
}

/**
 * Renews the generated parts of a page; the text around them stays.
 * @throws {Error} if the page lacks a part, or has it twice, or has an unknown one.
 */
export function withParts(page: string, parts: ReadonlyMap<string, string>): string {
  const found = [...page.matchAll(PART)].map(([, name = '']) => name);
  const wrong = [...new Set([...found, ...parts.keys()])].filter(
    (name) => !parts.has(name) || found.filter((other) => other === name).length !== 1,
  );
  if (wrong.length > 0)
    throw new Error(`generated parts that are missing, unknown or there twice: ${wrong.join(', ')}`);
  return page.replaceAll(
    PART,
    (_, name: string) => `<!-- generated: ${name} -->\n\n${parts.get(name) ?? ''}\n<!-- end -->`,
  );
}
