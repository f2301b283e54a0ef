import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `directory()` makes one, which is removed after the tests of the file or the `describe` that calls this. */
export function useDirectories(): () => string {
  const made: string[] = [];
  after(() => {
    for (const path of made) rmSync(path, { recursive: true, force: true });
  });
  return () => {
    const path = mkdtempSync(join(tmpdir(), 'timing-'));
    made.push(path);
    return path;
  };
}
