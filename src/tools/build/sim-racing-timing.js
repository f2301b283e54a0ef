#!/usr/bin/env node
/** The command in a checkout (`npx sim-racing-timing …`): it first transpiles what has changed since the last time. */
await import('./build.js');
process.setSourceMapsEnabled(true);
await import('../../../dist/src/main.js');
