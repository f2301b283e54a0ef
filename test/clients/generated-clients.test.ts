import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { useVenue } from '../support/api/with-service.ts';
import { readPage } from '../support/docs/markdown.ts';

const { OAPI_CODEGEN = '', OPENAPI_GENERATOR = '', OPENAPI_PYTHON_CLIENT = '' } = process.env;

/** A generator; `bash` generates the client from `api.json`, compiles it with the program, and runs it. */
interface Generator {
  readonly name: string;
  /** The program on the page. */
  readonly program: string;
  /** Where the generator is; empty: it is not here. */
  readonly tool: string;
  readonly bash: string;
}

const GO = 'go vet . && go build -o program . && ./program';
const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    program: 'main.ts',
    tool: 'node_modules/.bin/openapi-typescript',
    bash:
      'openapi-typescript api.json -o api.ts >&2 && tsc --ignoreConfig --strict --noEmit --skipLibCheck --types node ' +
      '--target es2023 --module nodenext --allowImportingTsExtensions main.ts && node --import tsx main.ts',
  },
  {
    name: 'openapi-python-client',
    program: 'main.py',
    tool: OPENAPI_PYTHON_CLIENT,
    bash:
      'PATH=$TOOL/bin:$PATH && openapi-python-client generate --path api.json --meta none --output-path timing ' +
      '--fail-on-warning >&2 && python -m compileall -q timing && python main.py',
  },
  {
    name: 'oapi-codegen',
    program: 'oapi-codegen.go',
    tool: OAPI_CODEGEN,
    bash: `mkdir timing && "$TOOL" -generate types,client -package timing api.json > timing/timing.go && ${GO}`,
  },
  {
    name: 'OpenAPI Generator (Go)',
    program: 'openapi-generator.go',
    tool: OPENAPI_GENERATOR,
    bash:
      'java -jar "$TOOL" generate -g go -i api.json -o timing ' +
      '--additional-properties=packageName=timing,withGoMod=false --global-property ' +
      `models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false >&2 && ${GO}`,
  },
];

describe('Clients that are generated', function () {
  // A Go client is tens of thousands of lines.
  this.timeout(600_000);
  const api = useVenue();
  const page = readPage('docs/clients.md');
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timing-clients-'));
  });
  after(() => rm(folder, { recursive: true }));

  for (const { name, program, tool, bash } of GENERATORS) {
    const here = tool === '' ? it.skip : it;
    here(
      `compile, and make the calls of docs/clients.md: ${name}${tool === '' ? ' (not installed)' : ''}`,
      async () => {
        const { eventId, rigId, carId, trackLayoutId, licenseId, manager } = api.venue;
        const cwd = join(folder, program);
        await mkdir(cwd);
        const block = page.blocks.find((each) => each.name === `clients ${program}`);
        await writeFile(join(cwd, program), block?.text ?? '');
        await writeFile(join(cwd, 'api.json'), JSON.stringify(api.service.document));
        await writeFile(join(cwd, 'package.json'), '{ "type": "module" }');
        await symlink(resolve('node_modules'), join(cwd, 'node_modules'));
        for (const file of ['go.mod', 'go.sum']) await cp(join('test/clients', file), join(cwd, file));
        const ids = { LICENSE: licenseId, EVENT: eventId, RIG: rigId, CAR: carId, LAYOUT: trackLayoutId, RUN: program };
        const where = { TIMING_URL: api.service.url, TIMING_KEY: manager.token ?? '', TOOL: tool };
        const env = {
          ...process.env,
          ...ids,
          ...where,
          PATH: `${resolve('node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
        };
        const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', bash], { cwd, env });
        const [first, ...others] = stdout.split('\n').map((line) => line.trim().toLowerCase());
        expect(first).to.match(/^up \S/);
        expect(others).to.deep.equal(['true 137450 true', 'created', 'rejected 422', 'false 138000 99576', '']);
      },
    );
  }
});
