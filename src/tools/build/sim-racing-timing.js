#!/usr/bin/env node
/** The command in a checkout: `npx sim-racing-timing …`. */
process.argv.splice(2, 0, 'src/main.js');
await import('./launch.js');
