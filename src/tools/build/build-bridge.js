/**
 * Makes the bridge as one file, of the sources: `node src/tools/build/build-bridge.js mjs|exe [FOLDER]`. In the folder where it
 * does so unless another is named, a service finds it and offers it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { windowsNode, windowsNodeVersion } from './windows-node.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCE = 'src/timing-bridge.ts';
const DOWNLOADS = join(ROOT, 'dist', 'downloads');
const NAMES = { mjs: 'bridge.mjs', exe: 'timing-bridge.exe' };

/** What Node looks for in an executable to find a program in it, and the name under which it is there. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const RESOURCE = 'NODE_SEA_BLOB';

/** Where a PE file says where its signature is: behind the offset of its header, in the fifth directory of PE32+. */
const HEADER_OFFSET_AT = 0x3c;
const SIGNATURE_AT = 4 + 20 + 112 + 4 * 8;

const startedAt = performance.now();
const [kind = '', folder = DOWNLOADS] = process.argv.slice(2);
if (NAMES[kind] === undefined) {
  process.stderr.write('usage: build-bridge.js mjs|exe [FOLDER]\n');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const target = join(resolve(folder), NAMES[kind]);
// Whoever downloads the old one meanwhile gets all of it.
const part = `${target}.part`;
try {
  if (kind === 'mjs') writeFileSync(part, await bundle('esm'));
  else await makeExecutable(part);
  renameSync(part, target);
} finally {
  rmSync(part, { force: true });
}
const megabytes = (statSync(target).size / 1_000_000).toFixed(1);
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
process.stderr.write(`Made ${relative(process.cwd(), target)}, ${megabytes} MB, in ${seconds} s\n`);

/** The bridge with all that it imports, and the licences of the packages among that. */
async function bundle(format) {
  const esbuild = await import('esbuild');
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: [SOURCE],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format,
    banner: format === 'esm' ? { js: '#!/usr/bin/env node' } : {},
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  await esbuild.stop();
  return outputFiles[0].text + licensesOf(Object.keys(metafile.inputs));
}

/** The licences of packages, as comments; of modules in them by their paths. */
function licensesOf(modules) {
  const packages = new Set(modules.map((path) => /^node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]));
  packages.delete(undefined);
  return [...packages]
    .map((path) => {
      const { name, version } = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
      const files = ['LICENSE', 'LICENSE.md'].map((file) => join(ROOT, path, file));
      const text = readFileSync(files.find(existsSync), 'utf8').replaceAll('*/', '* /');
      return `\n/*\n${name} ${version}\n\n${text.trim()}\n*/\n`;
    })
    .join('');
}

/** Node for Windows with the bridge in it, as "Single executable applications" of Node's documentation says. */
async function makeExecutable(path) {
  const node = windowsNode();
  const { inject } = await import('postject');
  const directory = mkdtempSync(join(tmpdir(), 'timing-bridge-'));
  try {
    writeFileSync(path, withoutSignature(readFileSync(node)));
    const blob = await makeBlob(directory);
    await inject(path, RESOURCE, blob, { sentinelFuse: FUSE });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What is put into the executable. It is made by the version of Node that reads it: its form may change. */
async function makeBlob(directory) {
  writeFileSync(join(directory, 'bridge.cjs'), await bundle('cjs'));
  const config = { main: 'bridge.cjs', output: 'bridge.blob', disableExperimentalSEAWarning: true };
  writeFileSync(join(directory, 'sea.json'), JSON.stringify(config));
  const args = ['--experimental-sea-config', 'sea.json'];
  const version = windowsNodeVersion();
  const options = { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] };
  if (process.versions.node === version) {
    execFileSync(process.execPath, args, options);
  } else {
    execFileSync('npm', ['exec', '--yes', `--package=node@${version}`, '--', 'node', ...args], options);
  }
  return readFileSync(join(directory, 'bridge.blob'));
}

/** An executable without the signature at its end, which holds no longer once something is put into it. */
function withoutSignature(bytes) {
  const header = bytes.readUInt32LE(HEADER_OFFSET_AT);
  const entry = header + SIGNATURE_AT;
  const offset = bytes.readUInt32LE(entry);
  const length = bytes.readUInt32LE(entry + 4);
  if (offset === 0) return bytes;
  if (offset + length !== bytes.length) throw new Error('The signature of node.exe is not at its end');
  bytes.fill(0, entry, entry + 8);
  return bytes.subarray(0, offset);
}
