import tseslint from 'typescript-eslint';

/** ESLint's own rules for mistakes that the compiler does not see. */
const MISTAKES = {
  eqeqeq: 'error',
  'no-async-promise-executor': 'error',
  'no-cond-assign': 'error',
  'no-console': 'error', // the logger, or process.stdout in the CLI
  'no-constant-binary-expression': 'error',
  'no-dupe-else-if': 'error',
  'no-empty': 'error',
  'no-eval': 'error',
  'no-irregular-whitespace': 'error',
  'no-misleading-character-class': 'error',
  'no-self-assign': 'error',
  'no-self-compare': 'error',
  'no-sparse-arrays': 'error',
  'no-template-curly-in-string': 'error',
  'no-unmodified-loop-condition': 'error',
  'no-unsafe-finally': 'error',
  'no-unsafe-optional-chaining': 'error',
  'no-useless-catch': 'error',
  'no-useless-escape': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
  'require-yield': 'error',
};

/** For functions and for reading; a file that reads better as a whole may be long. Line width is the formatter's. */
const BUDGETS = {
  'max-lines': ['error', 400],
  complexity: ['error', 12],
  'max-depth': ['error', 3],
  'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
  'max-params': ['error', 3],
};

const TYPES = {
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/consistent-type-exports': 'error',
  '@typescript-eslint/explicit-module-boundary-types': 'off',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': true }],
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  // `while (true)` reads data until it ends.
  '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'only-allowed-literals' }],
  // An `async` method without `await` is how an adapter keeps a port's promise: what it throws is a rejection.
  '@typescript-eslint/require-await': 'off',
};

const TESTS = {
  // A describe callback is as long as its tests.
  'max-lines-per-function': 'off',
  // chai: `expect(x).to.be.true`
  '@typescript-eslint/no-unused-expressions': 'off',
  // Type tests say what must not compile.
  '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
};

export default tseslint.config(
  { ignores: ['dist/', 'data/', 'node_modules/'] },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: { ...MISTAKES, ...BUDGETS, ...TYPES },
  },
  { files: ['**/*.js'], rules: { ...MISTAKES, ...BUDGETS } },
  { files: ['test/**/*.ts'], rules: TESTS },
);
