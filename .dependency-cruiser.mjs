/** Which folder may import which of ours, types included: arrows point inward, and there are no cycles. */
const MAY_IMPORT = {
  // What the service is made of, from the inside out.
  'src/kernel': [],
  'src/runtime': [], // what long work owes the event loop of Node
  'src/domain': ['src/kernel'],
  'src/catalogue': [], // facts of the real world
  commands: ['src/(kernel|domain)'],
  projections: ['src/(kernel|domain)', 'commands'], // of commands types and events only: see eslint.config.js
  queries: ['src/(kernel|domain|runtime)', 'commands', 'projections'],
  'infra/[^/]+': ['src/(kernel|domain|runtime)', 'infra/system'],
  // The service.
  'src/service/resources': ['src/(kernel|domain)', 'commands', 'projections', 'queries'],
  'src/service/exports': ['src/(kernel|domain)', 'src/service/resources', 'projections', 'queries'],
  'src/service/config': ['src/(kernel|domain)'],
  'src/service/observability': ['src/(kernel|domain)', 'src/service/config'],
  'src/service/stores': ['infra', 'src/(kernel|domain)', 'src/service/(config|observability)'],
  'src/service/http': ['src/(kernel|domain|runtime)', 'src/service/exports/csv.ts'],
  'src/service/access': ['src/(kernel|domain)', 'src/service/(resources|http)', 'commands', 'projections'],
  'src/service/projector': ['src/kernel', 'src/service/(resources|observability)', 'commands', 'projections'],
  'src/service/live': [
    'src/(kernel|domain|runtime)',
    'src/service/http/(event-source|marked-position|requester).ts',
    'commands',
    'projections',
    'queries',
  ],
  'src/service/api': [
    'src/(kernel|domain|runtime|catalogue)',
    'src/service/(resources|exports|http|access|live|observability|projector|config)',
    'src/service/stores/sha256.ts',
    'commands',
    'projections',
    'queries',
  ],
  'src/service/app': ['src/(kernel|domain|service)', 'commands', 'projections', 'queries', 'infra/system'],
  // The tools beside it.
  'src/tools/history': ['src/kernel'],
  'src/tools/replay': [
    'src/(kernel|domain)',
    'src/service/(resources|stores|config|observability)',
    'src/service/exports/csv.ts',
    'src/tools/history',
    'projections',
    'infra/system',
  ],
  'src/tools/export': [
    'src/(kernel|domain)',
    'src/service/(resources|exports|stores|config)',
    'src/tools/(history|replay)',
    'infra/system',
  ],
  'src/tools/cli': [
    'src/(kernel|domain|service|tools)',
    'src/clients/(connection.ts|bridge|delivery|demo|import|results|rig)',
    'commands',
    'projections',
    'queries',
    'infra/system',
  ],
  'src/tools/build': ['dist/src'],
  // The clients of its interface.
  'src/clients/generated': [],
  'src/clients/web': ['src/clients/(connection.ts|generated|import|results)'], // the administration reads result files
  'src/clients/connection.ts': ['src/clients/generated'],
  'src/clients/node-fetch.ts': [],
  'src/clients/simulators.ts': ['src/domain'],
  'src/clients/demo': ['src/clients/(connection.ts|generated)', 'src/catalogue'],
  'src/clients/delivery': ['src/clients/(connection.ts|generated)', 'infra/system/disk.ts'], // laps on disk, and their way
  'src/clients/rig': ['src/clients/(connection.ts|generated|delivery)', 'src/domain'],
  'src/clients/bridge': [
    'src/clients/(connection.ts|node-fetch.ts|simulators.ts|generated|delivery)',
    'src/clients/results', // the words of plans are the same
    'infra/system/disk.ts',
  ],
  'src/clients/import': ['src/clients/(connection.ts|simulators.ts|generated|results|delivery)', 'src/domain'],
  'src/clients/results': [], // read by the command and by pages alike
  'src/main.ts': ['src/service/config', 'src/tools/cli'],
  'src/timing-bridge.ts': ['src/tools/cli'], // bundled as one file: only the bridge is in it
  'docs/examples': [], // an analyst's module knows the package by its name
  test: ['docs/examples', 'src', 'commands', 'projections', 'queries', 'infra'],
};

const folders = Object.keys(MAY_IMPORT);
const OURS = '^(src|commands|projections|queries|infra|docs|test|dist)/';
/** What lies in one of these folders, or is one of these files. */
const within = (...paths) => `^(${paths.join('|')})(/|$)`;

const arrows = folders.map((folder) => {
  const allowed = MAY_IMPORT[folder];
  return {
    name: `${folder} may import ${allowed.join(', ') || 'nothing of ours'}`,
    comment: 'Move what is shared inward, or take it as a parameter.',
    severity: 'error',
    from: { path: within(folder) },
    to: { path: OURS, pathNot: ['^$1(/|$)', ...allowed.map((path) => within(path))] },
  };
});

export default {
  forbidden: [
    ...arrows,
    {
      name: 'a folder that imports has a row in .dependency-cruiser.mjs',
      severity: 'error',
      from: { path: OURS, pathNot: within(...folders, 'dist') },
      to: { path: OURS },
    },
    {
      name: 'only tests import the examples',
      severity: 'error',
      from: { pathNot: within('test', 'docs/examples') },
      to: { path: within('docs/examples') },
    },
    {
      name: 'no cycles',
      comment: 'Move what both need to a file of its own.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no two folders import each other',
      comment: 'Move what both need to the inner one, or to a folder of its own.',
      severity: 'error',
      scope: 'folder',
      // Processes wait as clients do (waits.ts), and start services, clients and EventStoreDB's double.
      from: { pathNot: within('test/support/(processes|api|eventstore-double)') },
      to: { circular: true },
    },
    {
      name: 'the product imports no development dependencies: its image has none',
      severity: 'error',
      from: { path: OURS, pathNot: within('test', 'src/tools/build', 'src/clients/web') }, // pages are bundled by the build
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    moduleSystems: ['es6'],
    doNotFollow: { path: ['node_modules', '^dist/'] },
  },
};
