/** What the pure folders promise, for which oxlint (.oxlintrc.json) has no rules. */
import { builtinModules } from 'node:module';
import parser from '@typescript-eslint/parser';
import jsdoc from 'eslint-plugin-jsdoc';

/** Deciders and projections give the same answer to the same events, today and in a replay in ten years. */
const PURE = [
  'src/kernel/**/*.ts',
  'commands/**/*.ts',
  'projections/**/*.ts',
  'docs/examples/**/*.ts',
  'src/clients/results/**/*.ts', // which run in browsers, too
  'src/clients/bridge/{decoders,games,laps}/**/*.ts', // the same laps however fast a capture is played
];

const CLOCK = 'This reads the clock: take the time as data, or from the Clock port.';
const TIMER = 'This starts a timer: use the Clock port.';
const RANDOM = 'This is random: take ids as data, or from the Ids port.';
const PROCESS = 'This reads the process: take settings as a parameter.';
const MODULE = 'Modules of Node are for adapters: declare a port in src/kernel/ports, implement it in infra.';
const EVENTS = 'A projection imports only types and events of commands.';

const fromCommands = '[source.value=/\\u002fcommands\\u002f/]';

const IMPURE = {
  'no-restricted-imports': [
    'error',
    { paths: builtinModules.flatMap((name) => [name, `node:${name}`]).map((name) => ({ name, message: MODULE })) },
  ],
  'no-restricted-globals': [
    'error',
    {
      globals: [
        { name: 'globalThis', message: 'Name what you need of it.' },
        ...['setTimeout', 'setInterval', 'setImmediate'].map((name) => ({ name, message: TIMER })),
        { name: 'performance', message: CLOCK },
        { name: 'crypto', message: RANDOM },
        { name: 'process', message: PROCESS },
      ],
      checkGlobalObject: true,
    },
  ],
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: CLOCK },
    { object: 'Math', property: 'random', message: RANDOM },
    { object: 'AbortSignal', property: 'timeout', message: TIMER },
  ],
};

const IMPURE_SYNTAX = [
  { selector: 'NewExpression[callee.name=Date][arguments.length=0]', message: CLOCK },
  { selector: 'CallExpression[callee.name=Date]', message: CLOCK },
  {
    selector: `:matches(ImportExpression, TSImportType)[source.value=/^(${builtinModules.join('|').replaceAll('/', '\\u002f')}|node:.*)$/]`,
    message: MODULE,
  },
];

const COMMANDS_SYNTAX = [
  `ImportDeclaration${fromCommands}[importKind=value] > ImportSpecifier[importKind=value]:not([imported.name=/Events$/])`,
  `ImportDeclaration${fromCommands}[importKind=value] > :matches(ImportNamespaceSpecifier, ImportDefaultSpecifier)`,
  `ImportDeclaration${fromCommands}[specifiers.length=0]`,
  `ExportNamedDeclaration${fromCommands}[exportKind=value] > ExportSpecifier[exportKind=value]:not([local.name=/Events$/])`,
  `:matches(ExportAllDeclaration[exportKind=value], ImportExpression)${fromCommands}`,
].map((selector) => ({ selector, message: EVENTS }));

export default [
  {
    files: PURE,
    languageOptions: { parser },
    linterOptions: { noInlineConfig: true },
    rules: { ...IMPURE, 'no-restricted-syntax': ['error', ...IMPURE_SYNTAX] },
  },
  {
    files: ['projections/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...IMPURE_SYNTAX, ...COMMANDS_SYNTAX] },
  },
  {
    files: ['src/kernel/**/*.ts'],
    plugins: { jsdoc },
    rules: {
      'jsdoc/require-jsdoc': [
        'error',
        {
          contexts: ['Function', 'Class', 'Variable', 'TSInterface', 'TSTypeAlias'].map(
            (kind) => `ExportNamedDeclaration[declaration.type=${kind}Declaration]`,
          ),
          require: { FunctionDeclaration: false },
          enableFixer: false,
        },
      ],
    },
  },
];
