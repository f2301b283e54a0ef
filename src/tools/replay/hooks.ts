import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import { PACKAGE_NAME } from './package.ts';

/** What the hooks are given: JavaScript by URL of its source, and where the package's own words are. */
export interface HookData {
  readonly outputs: ReadonlyMap<string, string>;
  readonly api: string;
}

let hookData: HookData = { outputs: new Map(), api: '' };

export const initialize: InitializeHook<HookData> = (data) => {
  hookData = data;
};

/** Ways to write the name of a file that has been compiled: as it is, as its output would be called, without ending. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/$/, ''],
  [/\.([mc]?)js$/, '.$1ts'],
  [/$/, '.ts'],
  [/$/, '.js'],
];

/** Finds this package from anywhere, and the module's own files. */
export const resolve: ResolveHook = (specifier, context, next) => {
  if (specifier === PACKAGE_NAME) return next(hookData.api, context);
  const url = compiled(specifier, context.parentURL);
  return url === null ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
};

function compiled(specifier: string, parent: string | undefined): string | null {
  const isRelative = specifier.startsWith('.') && parent !== undefined;
  const { href } = isRelative ? new URL(specifier, parent) : { href: specifier };
  return (
    ENDINGS.map(([pattern, ending]) => href.replace(pattern, ending)).find((url) => hookData.outputs.has(url)) ?? null
  );
}

/** Gives what was compiled. */
export const load: LoadHook = (url, context, next) => {
  const source = hookData.outputs.get(url);
  return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
};
