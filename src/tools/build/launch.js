/**
 * The launcher of everything that runs from a checkout, on every system, without a shell: it transpiles what has changed
 * since the last time, and runs a compiled module in this process, so that signals reach it and its exit code is the
 * command's: `node [options] src/tools/build/launch.js src/main.js serve`. The module is named by its path below dist/.
 */
import { fileURLToPath } from 'node:url';

const [, , module = 'src/main.js', ...args] = process.argv;
const url = new URL(`../../../dist/${module}`, import.meta.url);

/** How often, in ms, a script of npm looks whether the shell that npm started it with is still there. */
const PARENT_MS = 200;

/**
 * Ends this process in order when its parent has ended. npm hands a signal to its shell only, and some shells (dash, the
 * `sh` of Debian) die of it while what they run goes on. On Windows, a console signals all of its processes.
 */
function endWithParent() {
  const parent = process.ppid;
  let hasListened = false;
  const timer = setInterval(() => {
    const listens = process.listenerCount('SIGTERM') > 0;
    hasListened ||= listens;
    // A command that has stopped listening ends already: a second signal would end it at once.
    if (process.ppid === parent || (hasListened && !listens)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_MS);
  timer.unref();
}

if (process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') endWithParent();
await import('./build.js');
process.setSourceMapsEnabled(true);
process.argv = [process.execPath, fileURLToPath(url), ...args];
await import(url.href);
