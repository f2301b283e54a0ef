import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file with the types of the interface. */
export const CLIENT_TYPES = 'src/clients/generated/api.ts';

const HEAD = '/** Types of the interface, for openapi-fetch. The build generates them from the OpenAPI document. */\n';

/** Sources that do not affect the interface. */
const BESIDE_INTERFACE = /^(test|src\/clients)\//;

/**
 * Generates the types of the interface, unless they are current.
 * @param options `root`: absolute path; `sources`: their versions by path; `known`: what the last call returned, or null;
 *   `write(path, text)`: replaces a file below the root
 * @returns what to pass to the next call as `known`: hashes of the sources and of the document of the interface
 */
export async function generateClient({ root, sources, known, write }) {
  const service = Object.entries(sources).filter(([path]) => !BESIDE_INTERFACE.test(path));
  const current = existsSync(join(root, CLIENT_TYPES)) ? known : null;
  const made = { sources: hashOf(service), document: current?.document };
  if (made.sources === current?.sources) return current;
  const document = await documentOfService();
  made.document = hashOf(document);
  if (made.document !== current?.document) {
    const { default: openapiTS, astToString } = await import('openapi-typescript');
    write(CLIENT_TYPES, HEAD + astToString(await openapiTS(JSON.stringify(document))));
  }
  return made;
}

function hashOf(value) {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** The document of a service with default settings and empty stores. */
async function documentOfService() {
  const { startService } = await import('../../../dist/src/service/app/service.js');
  const { loadConfig } = await import('../../../dist/src/service/config/config.js');
  const { createLogger } = await import('../../../dist/src/service/observability/log.js');
  const directory = await mkdtemp(join(tmpdir(), 'timing-interface-'));
  try {
    const config = loadConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: directory });
    const log = createLogger({ level: 'error', destination: process.stderr });
    const service = await startService({ config, log, announce: () => undefined });
    await service.close();
    return service.document;
  } finally {
    await rm(directory, { recursive: true });
  }
}
