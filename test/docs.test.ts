import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { transform } from 'esbuild';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFilesystemAssets } from '../infra/filesystem/assets.ts';
import { PROBLEMS } from '../src/service/http/problems.ts';
import { RESOURCES } from '../src/service/resources/index.ts';
import { issueKey } from './support/api/venue.ts';
import { useVenue } from './support/api/with-service.ts';
import { useDirectories } from './support/directories.ts';
import { INTERFACE_PAGE, partsOf, withParts } from './support/docs/generated-parts.ts';
import { filesIn, readPage, readPages, targetOf, type Page, type Table } from './support/docs/markdown.ts';
import { bash, itInShell } from './support/docs/shell.ts';
import { runCommand } from './support/processes/command-process.ts';
import { useWorld } from './support/processes/world.ts';

const pages = readPages();
const byPath = new Map(pages.map((page) => [page.path, page]));

/** Expects nothing to be wrong with any page. */
function expectNoFaults(find: (page: Page) => readonly string[]): void {
  const faults = pages.flatMap((page) => find(page).map((fault) => `${page.path}: ${fault}`));
  expect(faults).to.deep.equal([]);
}

/** Why a target is none, or null. */
function brokenTarget(path: string, anchor: string | null): string | null {
  if (!existsSync(path)) return `there is no ${path}`;
  if (anchor === null || byPath.get(path)?.anchors.has(anchor) !== false) return null;
  return `${path} has no heading #${anchor}`;
}

/** The text of a cell without its backticks. */
function plain(cell = ''): string {
  return cell.replaceAll('`', '');
}

/** The only table of a page that has this header. */
function tableOf(path: string, ...header: readonly string[]): Table {
  const found = readPage(path).tables.filter((table) => header.every((cell, n) => table.header[n] === cell));
  const [table] = found;
  if (table === undefined || found.length > 1) expect.fail(`${path}: ${found.length} tables ${header.join(' | ')}`);
  return table;
}

/** This file, whose examples are no references. */
const SELF = 'test/docs.test.ts';

/** Whatever may speak of a page: sources, scripts, and the files beside them. */
const SPEAKERS = filesIn([
  ...['src', 'commands', 'projections', 'queries', 'infra', 'test', '.ci'],
  ...['eslint.config.js', 'Dockerfile', 'compose.yaml', 'package.json'],
])
  .filter((path) => path !== SELF && !path.includes('history-files'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

describe('documents', () => {
  it('link to targets that exist', () => {
    expect(brokenTarget('docs/rigs.md', 'watches')).to.equal('docs/rigs.md has no heading #watches');
    expect(brokenTarget('docs/no.md', null)).to.equal('there is no docs/no.md');
    const targets = pages.flatMap((page) => page.links.map((link) => targetOf(page, link)));
    expect(targets).to.deep.include({ path: 'docs/rigs.md', anchor: 'a-new-key' }).and.include(null);
    expectNoFaults((page) =>
      page.links.flatMap((link) => {
        const target = targetOf(page, link);
        const broken = target === null ? null : brokenTarget(target.path, target.anchor);
        return broken === null ? [] : [broken];
      }),
    );
  });

  it('name files that exist', () => {
    const named = /`((?:src|commands|projections|queries|infra|test|docs)\/[\w./-]+\.\w+)`/g;
    expectNoFaults(({ text }) =>
      [...text.matchAll(named)]
        .map(([, path = '']) => path)
        // Files of a resource that somebody adds.
        .filter((path) => !/\/(?:NOUN|sponsors)\.ts$/.test(path) && !existsSync(path)),
    );
  });

  it('have the headings that the code refers to', () => {
    const cited = /(?<![\w./-])((?:docs\/[\w/-]+|README|CONTRIBUTING|CHANGELOG|SECURITY)\.md)(?:#([\w-]+))?/g;
    const faults = SPEAKERS.flatMap(({ path, text }) =>
      [...text.matchAll(cited)].flatMap(([, target = '', anchor = null]) => {
        const broken = brokenTarget(target, anchor);
        return broken === null ? [] : [`${path}: ${broken}`];
      }),
    );
    expect(faults).to.deep.equal([]);
  });

  it('are the only documents that the code refers to', () => {
    const elsewhere = /\b(DESIGN|SPEC|STYLE)\b.*/g;
    const faults = [...SPEAKERS, ...pages].flatMap(({ path, text }) =>
      [...text.matchAll(elsewhere)].map(([found]) => `${path}: ${found}`),
    );
    expect(faults).to.deep.equal([]);
  });

  it('name tests that exist', () => {
    const tests = SPEAKERS.filter(({ path }) => /^test\/(?:contracts|support\/event-store)\//.test(path));
    const lines = tests.flatMap(({ text }) => text.split('\n'));
    const isTitle = (named: string): boolean =>
      lines.some((line) => named.split(' … ').every((part) => line.includes(part)));
    expectNoFaults(({ tables }) =>
      tables
        .filter(({ header }) => header.at(-1) === 'Test')
        .flatMap(({ rows }) => rows.flatMap((row) => row.at(-1)?.split('; ') ?? []))
        .map((test) => test.replace(/^\w+: /, ''))
        .filter((test) => !test.startsWith('`') && !isTitle(test)),
    );
  });

  it('name scripts that exist', () => {
    // npm's own file: it has scripts.
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: object };
    expectNoFaults(({ text }) =>
      [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name).filter((name) => !(name in scripts)),
    );
  });

  it('hold decisions of one form, numbered without gaps, all of them listed', () => {
    const decisions = pages.filter(({ path }) => /^docs\/decisions\/\d/.test(path));
    const listed = readPage('docs/decisions/README.md').links.map((link) => `docs/decisions/${link}`);
    expect(decisions.map(({ path }) => path)).to.include.members(['docs/decisions/0004-claims.md']);
    for (const [index, { path, text }] of decisions.entries()) {
      const number = String(index + 1).padStart(4, '0');
      expect(path).to.match(new RegExp(`/${number}-[a-z0-9-]+\\.md$`));
      expect(text, path).to.match(new RegExp(`^# ${number}\\. `));
      const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
      expect(sections, path).to.deep.equal(['Context', 'Decision', 'Consequences']);
      expect(listed, 'docs/decisions/README.md').to.include(path);
    }
  });
});

describe('generated parts of a page', () => {
  const page = 'a\n<!-- generated: X -->\nold\n<!-- end -->\nb\n';

  it('are replaced, and nothing around them', () => {
    const written = 'a\n<!-- generated: X -->\n\n$& new\n\n<!-- end -->\nb\n';
    const parts = new Map([['X', '$& new\n']]);
    expect(withParts(page, parts)).to.equal(written);
    expect(withParts(written, parts)).to.equal(written);
  });
});

describe('blocks in documents', () => {
  it('are of a language that is tested, or of no language', () => {
    const known = ['json', 'sh', 'ts', 'text', 'python', 'go'];
    expectNoFaults(({ blocks }) =>
      blocks.flatMap(({ language, line }) => (known.includes(language) ? [] : [`${line}: ${language || 'none'}`])),
    );
  });

  it('of TypeScript can be parsed', async () => {
    for (const { path, blocks } of pages) {
      for (const { text, line } of blocks.filter(({ language }) => language === 'ts'))
        await transform(text, { loader: 'ts', sourcefile: `${path}, block at line ${line}` });
    }
  });

  itInShell('of shell can be parsed', async () => {
    for (const { path, blocks } of pages) {
      for (const { text, line } of blocks.filter(({ language }) => language === 'sh')) {
        const { stderr } = await bash('bash -n -c "$BLOCK" || true', { env: { BLOCK: text } });
        expect(stderr, `${path}:${line}`).to.equal('');
      }
    }
  });
});

describe('documents and reverse proxies', () => {
  it('agree on their configurations, which test/proxies tries', () => {
    const operations = readFileSync('docs/operations.md', 'utf8');
    for (const name of ['nginx.conf', 'haproxy.cfg', 'Caddyfile', 'apache.conf']) {
      expect(operations, name).to.include(`\n\`\`\`text\n${readFileSync(`docs/proxies/${name}`, 'utf8')}\`\`\`\n`);
    }
  });
});

describe('documents and stored files', () => {
  const directory = useDirectories();

  itInShell('agree on how files are copied to a bucket', async () => {
    const cwd = directory();
    const assets = await openFilesystemAssets(join(cwd, 'data', 'assets'));
    const content = (async function* () {
      yield await Promise.resolve(Buffer.from('the bytes'));
    })();
    await assets.put({ key: 'content/h/1/2', contentType: 'image/png', size: 9, content });
    const [block] = readPage('docs/operations.md').blocks.filter(({ name }) => name === 'bucket');
    const { stdout } = await bash(`aws() { echo "$@"; cat; }\n${block?.text ?? ''}`, { cwd });
    expect(stdout).to.equal(
      's3 cp - s3://BUCKET/content/h/1/2 --content-type image/png ' +
        '--cache-control public, max-age=31536000, immutable\nthe bytes',
    );
  });
});

describe('documents and the service', () => {
  const api = useVenue();
  const world = useWorld();

  it('agree on JSON', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema(api.service.document, 'document');
    const blocks = pages.flatMap(({ path, blocks: all }) => all.map((block) => ({ path, ...block })));
    for (const { path, line, name, text } of blocks.filter(({ language }) => language === 'json')) {
      const where = `${path}:${line}`;
      const value: unknown = JSON.parse(text);
      const validate = name === '' ? undefined : ajv.getSchema(`document#/components/schemas/${name}`);
      if (name !== '' && validate === undefined) expect.fail(`${where}: there is no schema ${name}`);
      if (validate !== undefined)
        expect(validate(value), `${where}: ${ajv.errorsText(validate.errors)}`).to.equal(true);
    }
  });

  it('agree on what is generated: `npm run docs` has nothing to change', () => {
    const { text } = readPage(INTERFACE_PAGE);
    expect(text).to.equal(withParts(text, partsOf(api.service.document, RESOURCES)));
  });

  it('agree on problems', () => {
    const { rows } = tableOf('docs/interface.md', 'Status', '`type` ends in');
    const described = rows.map(([status, type]) => `${plain(status)} ${plain(type)}`);
    const known = Object.entries(PROBLEMS).map(
      ([code, { status }]) => `${status} ${code.toLowerCase().replaceAll('_', '-')}`,
    );
    expect(described).to.have.members(known);
  });

  // That each setting has its row, with its default, is for test/config/config.test.ts to say.
  it('agree on settings', () => {
    const sources = SPEAKERS.filter(({ path }) => path.startsWith('src/service/config/')).map(({ text }) => text);
    const settings = tableOf('docs/operations.md', 'variable', 'default').rows.map(([name]) => plain(name));
    const unknown = settings.filter((name) => !sources.some((source) => source.includes(name)));
    expect(unknown, 'settings that the service does not read').to.deep.equal([]);
    const limits = tableOf('docs/interface.md', 'What', 'Limit', 'Setting').rows.map(([, , name]) => plain(name));
    expect(settings).to.include.members(limits.filter((name) => name !== ''));
  });

  it('agree on metrics', async () => {
    const { text } = await api.anyone.get('/actuator/prometheus');
    const all = [...text.matchAll(/^# HELP (\w+)/gm)].map(([, name = '']) => name);
    const described = tableOf('docs/operations.md', 'Metric').rows.map(([name]) => plain(name));
    expect(described).to.have.members(all.filter((name) => !/^(nodejs|process)_/.test(name)));
  });

  it('agree on log texts', () => {
    const sources = SPEAKERS.filter(({ path }) => path.startsWith('src/')).map(({ text }) => text);
    const isLogged = (text: string): boolean =>
      text.split('…').every((part) => sources.some((source) => source.includes(part.trim())));
    const texts = tableOf('docs/operations.md', '`msg`').rows.map(([text]) => plain(text));
    expect(
      texts.filter((text) => !isLogged(text)),
      'texts that nothing logs',
    ).to.deep.equal([]);
  });

  it('agree on commands', async () => {
    const { out } = await runCommand(['--help']);
    const commands = [...out.matchAll(/^ {2}([a-z-]+) +\S/gm)].map(([, name = '']) => name);
    const described = tableOf('docs/operations.md', 'Command', 'Does').rows.map(([name]) => plain(name));
    expect(described).to.have.members(commands);
    const used = /\bsim-racing-timing ([a-z-]+)/g;
    expectNoFaults(({ text }) =>
      [...text.matchAll(used)].map(([, name = '']) => name).filter((name) => !commands.includes(name)),
    );
  });

  itInShell('agree on what a rig sends', async () => {
    const { licenseId, manager, participantId, eventId, carId, trackLayoutId } = api.venue;
    const cwd = world.directory();
    const env = {
      API: `${api.service.url}/api/v1`,
      VENUE_KEY: (await issueKey(manager, 'CRUD')).token,
      LICENSE: licenseId,
      DRIVER: participantId,
      EVENT: eventId,
      CAR: carId,
      LAYOUT: trackLayoutId,
    };
    const blocks = readPage('docs/rigs.md').blocks.filter(({ name }) => name === 'rigs');
    // The first answer is lost.
    const script = blocks.map(({ text }) => text.replace('registered=$(register)', 'LOST=$(register)\n$&')).join('');
    const again =
      'field rig.id <<<"$LOST"; echo "$RIG"; (register || true) | field type; ' +
      'cat queue.tsv; cut -c -3 aside.tsv; echo "$AHEAD"';
    const { stdout } = await bash(`${script}\n${again}`, { cwd, env });
    const comments = blocks.flatMap(({ text }) =>
      [...text.matchAll(/# ((?:[245]\d\d(?:, )?)+)/g)].map(([, said]) => said),
    );
    const statuses = comments.flatMap((said = '') => said.split(/\D+/)).filter((status) => status !== '');
    const lines = stdout.trim().split('\n');
    expect(lines.slice(0, statuses.length), stdout).to.deep.equal(statuses);
    const [registered, first, later, ...rest] = lines.slice(statuses.length, -1);
    expect(Math.abs(Number(lines.at(-1))), 'seconds that the clock is ahead').to.be.at.most(2);
    expect(registered).to.match(/^[0-9a-f-]{36}$/);
    expect(first).to.equal(registered);
    expect(later, 'a retry once the key was used').to.equal('urn:problem-type:no-new-token');
    expect(rest, 'the queue is empty, one lap is set aside').to.deep.equal(['422']);
  });
});
