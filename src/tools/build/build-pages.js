import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, posix, relative, resolve } from 'node:path';

/** The pages, each bundled from `<page>/main.tsx`, with their titles until a script sets them, and their descriptions. */
const TEXTS = {
  home: ['Sim Racing Timing', 'Events of this sim racing venue, with live timing and results.'],
  board: ['Live timing', 'Live standings of a sim racing event: best laps, gaps, sectors and last laps.'],
  results: [
    'Results',
    'Results of a sim racing event, to be printed: best laps, gaps and sectors of each track layout.',
  ],
  layout: ['Best laps', 'Best laps of a track layout over all events: today, this week, this month, this year, ever.'],
  overlay: ['Overlay', 'Live standings of a sim racing event, to lie over a video.'],
  missing: ['No such page', 'There is no page of this sim racing timing service at this address.'],
  admin: ['Administration', 'Administration of this sim racing timing service, for people with a key.'],
};

/** Pictures for other programs, which `npm run icons` draws. */
const PICTURES = ['icon-192.png', 'icon-512.png', 'maskable-512.png', 'touch-180.png', 'card.png', 'favicon.ico'];

/** The worker in which the administration reads result files; its name in the build, and its source. */
const WORKER = { name: 'import-worker', source: 'admin/imports/worker.ts' };

/** Folder of what the pages load; file names contain a hash of the content, so browsers may cache them for ever. */
const ASSETS = 'assets';

/**
 * Bundles the pages: an HTML file for each, and below `assets` one script and one style sheet, with a hash of the content
 * in their names. What an earlier build left there is deleted.
 * @param esbuild the module `esbuild`
 * @param options `root`: absolute path; `from` and `to`: folders below it; `write(path, text)`: replaces a file below it
 */
export async function bundlePages(esbuild, { root, from, to, write }) {
  // esbuild names its inputs and outputs with slashes on every system.
  const page = (name) => posix.join(from, name, 'main.tsx');
  const names = Object.keys(TEXTS);
  const common = {
    absWorkingDir: root,
    outdir: posix.join(to, ASSETS),
    entryNames: '[name]-[hash]',
    tsconfig: join(from, 'tsconfig.json'),
    bundle: true,
    minify: true,
    target: ['es2022', 'chrome103', 'firefox115', 'safari16'],
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  };
  const worker = await esbuild.build({
    ...common,
    entryPoints: { [WORKER.name]: posix.join(from, WORKER.source) },
    format: 'iife',
  });
  const { outputFiles, metafile } = await esbuild.build({
    ...common,
    entryPoints: Object.fromEntries([
      ...names.map((name) => [name, page(name)]),
      ['icon', posix.join(from, 'shared', 'icon.svg')],
      ...PICTURES.map((name) => [name.replace(/\.\w+$/, ''), posix.join(from, 'icons', name)]),
    ]),
    // The name of the worker has a hash that only its own build knows.
    define: { IMPORT_WORKER: JSON.stringify(basename(worker.outputFiles[0].path)) },
    loader: { '.svg': 'copy', '.png': 'copy', '.ico': 'copy' },
    format: 'esm',
    metafile: true,
  });
  const outputs = Object.entries(metafile.outputs);
  const outputOf = (source) => outputs.find(([, { entryPoint }]) => entryPoint === source);
  // The service puts the path at which people reach it in the place of {base}.
  const address = (path) => `{base}/${ASSETS}/${basename(path)}`;
  const copied = (name) => outputs.find(([path]) => basename(path).startsWith(`${name}-`))?.[0] ?? '';
  const template = readFileSync(join(root, from, 'page.html'), 'utf8');
  mkdirSync(join(root, to, ASSETS), { recursive: true });
  const files = [...worker.outputFiles, ...outputFiles];
  const made = new Set(files.map(({ path }) => resolve(path)));
  for (const { path, contents } of files) write(relative(root, path), contents);
  for (const name of names) {
    const [title, description] = TEXTS[name];
    const [script, { cssBundle }] = outputOf(page(name));
    const assets = {
      icon: address(copied('icon')),
      touch: address(copied('touch-180')),
      script: address(script),
      style: address(cssBundle),
    };
    const values = { name, title, description, ...assets };
    const html = template.replaceAll(/\{(\w+)\}/g, (found, key) => values[key] ?? found);
    made.add(resolve(root, to, `${name}.html`));
    write(join(to, `${name}.html`), html);
  }
  for (const entry of readdirSync(join(root, to), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !made.has(resolve(path))) rmSync(path, { force: true });
  }
}
