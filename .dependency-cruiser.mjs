/** Which folder may import which of ours, types included: arrows point inward, and there are no cycles. */
const MAY_IMPORT = {
  'src/kernel': [],
  'src/domain': ['src/kernel'],
  commands: ['src/kernel', 'src/domain'],
  projections: ['src/kernel', 'src/domain', 'commands'], // of commands types and events only: see eslint.config.js
  'projections/examples': [], // an analyst's module knows the package by its name
  queries: ['src/kernel', 'src/domain', 'commands', 'projections'],
  'infra/[^/]+': ['src/kernel', 'src/domain', 'infra/system'],
  'src/config': ['src/domain', 'src/observability'],
  'src/observability': ['src/kernel', 'src/domain', 'src/config'],
  'src/stores': ['infra', 'src/kernel', 'src/config', 'src/observability'],
  'src/http': ['src/kernel', 'src/domain'],
  'src/auth': ['src/kernel', 'src/domain', 'commands', 'projections', 'src/http'],
  'src/projector': ['src/kernel', 'commands', 'projections', 'src/observability'],
  'src/history': ['src/kernel', 'commands', 'projections'],
  'src/replay': ['src/kernel', 'projections', 'src/history', 'src/stores', 'src/config', 'src/observability'],
  'src/export': ['src/(kernel|domain|history|replay|stores|config)', 'projections', 'queries'],
  'src/live': ['src/(kernel|domain)', 'commands', 'projections', 'queries'],
  'src/routes': [
    'src/http',
    'src/auth',
    'src/live',
    'src/(kernel|domain)',
    'commands',
    'projections',
    'queries',
    'src/observability',
  ],
  'src/app': ['src/(?!cli|demo)[^/]+', 'commands', 'projections', 'queries', 'infra/system'],
  'src/cli': ['src/(?!demo)[^/]+', 'commands', 'projections', 'queries', 'infra/system'],
  'src/client': [], // generated types
  'src/web': ['src/client'],
  'src/demo': ['src/cli', 'src/client'],
  'src/rig': ['src/client', 'src/domain'],
  'src/main.ts': ['src/cli', 'src/demo'],
  'src/bin': ['dist/src/main.js'],
  test: ['src', 'commands', 'projections', 'queries', 'infra'],
};

/** Arrows that are still to go. */
const NOT_YET = {
  'src/config': ['src/kernel'], // start-failure.ts
  'src/observability': ['src/http'], // metrics.ts
  'src/projector': ['src/stores'], // generations.ts, exclusive-job.ts
  'src/stores': ['src/domain'], // assets.ts
  'src/main.ts': ['src/config'], // start-failure.ts
};

const folders = Object.keys(MAY_IMPORT);
const OURS = '^(src|commands|projections|queries|infra|test|dist)/';
/** What lies in one of these folders, or is one of these files. */
const within = (...paths) => `^(${paths.join('|')})(/|$)`;

const arrows = folders.map((folder) => {
  const allowed = [...MAY_IMPORT[folder], ...(NOT_YET[folder] ?? [])];
  return {
    name: `${folder} may import ${allowed.join(', ') || 'nothing of ours'}`,
    comment: 'Move what is shared inward, or take it as a parameter.',
    severity: 'error',
    from: { path: within(folder), pathNot: folder === 'projections' ? within('projections/examples') : [] },
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
      from: { pathNot: within('test', 'projections/examples') },
      to: { path: within('projections/examples') },
    },
    {
      name: 'no cycles',
      comment: 'Move what both need to a file of its own.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'the product imports no development dependencies: its image has none',
      severity: 'error',
      from: { path: OURS, pathNot: within('test', 'src/bin', 'src/web') }, // pages are bundled by the build
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
