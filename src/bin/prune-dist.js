/**
 * Deletes compiled files whose source is gone: tsc never does, and mocha would go on running the tests of a deleted
 * file.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

const DIST = 'dist';
const COMPILED = /\.(js|js\.map|d\.ts)$/;

if (existsSync(DIST)) {
  for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
    const output = join(entry.parentPath, entry.name);
    const source = relative(DIST, output).replace(COMPILED, '.ts');
    if (entry.isFile() && COMPILED.test(entry.name) && !existsSync(source)) rmSync(output);
  }
}
