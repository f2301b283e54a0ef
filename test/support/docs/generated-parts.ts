import { resourceName } from '../../../src/service/api/naming.ts';
import type { Resource } from '../../../src/service/resources/resource.ts';
import type { OpenApi } from '../api/openapi.ts';
import { accessTable } from './access-table.ts';
import { tablesOfResource } from './interface-tables.ts';

/** The page that has them. */
export const INTERFACE_PAGE = 'docs/interface.md';

/** A generated part of a page: comments with its name around it, which no reader sees. */
const PART = /<!-- generated: (\w+) -->\n[^]*?<!-- end -->/g;

/** The generated parts of docs/interface.md by name: that of each resource, and `Access` of all of them. */
export function partsOf(document: OpenApi, resources: readonly Resource[]): ReadonlyMap<string, string> {
  return new Map([
    ['Access', accessTable(document, resources)],
    ...resources.map((resource) => [resourceName(resource.query), tablesOfResource(document, resource)] as const),
  ]);
}

/**
 * A page with its generated parts as they are now; the text around them stays as it is.
 * @throws {Error} when the page lacks one of them, or has it twice, or has one that there is not
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
