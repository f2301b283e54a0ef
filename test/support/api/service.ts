import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService as startProduct, type Service as Product } from '../../../src/service/app/service.ts';
import { loadConfig } from '../../../src/service/config/config.ts';
import { createLogger } from '../../../src/service/observability/log.ts';
import { Client } from './client.ts';
import { answerCheckOf, type OpenApi } from './openapi.ts';
import { expectNoCanary } from '../canaries.ts';
import { makeStores } from '../processes/store-environment.ts';

/** Token of the root ADMIN key. */
const ADMIN_TOKEN = 'root-token-of-the-api-tests-0123456789';

type Environment = Readonly<Record<string, string>>;

/** A running service with a data directory of its own. */
export interface Service {
  readonly url: string;
  readonly document: OpenApi;
  /** Calls with the root ADMIN key; `client.as(token)` with another. */
  readonly client: Client;
  /** Everything logged so far. */
  readonly log: readonly string[];
  /** The token that the first start announced, when none was configured. */
  readonly announced: readonly string[];
  readonly dataDir: string;
  /** Its settings, for commands on its stores. */
  readonly environment: Environment;
  /** Files in which a text is found, among all that the service keeps. */
  filesWith(text: string): Promise<readonly string[]>;
  /** Closes and starts again on the same data; the client of before is of no use any more. */
  restart(environment?: Environment): Promise<Service>;
  /** Starts a second service on the same data. */
  another(environment?: Environment): Promise<Service>;
  /** Closes the service; the one that made the data directory removes it. */
  close(): Promise<void>;
}

/** By the settings of a service: its document, which takes about as long to make as all else at a start. */
const documents = new Map<string, OpenApi>();

function documentOf(app: Product, { DATA_DIR: _, ...settings }: Environment): OpenApi {
  const key = JSON.stringify(settings);
  // The service's own, made by the generator.
  const document = documents.get(key) ?? (app.document as OpenApi);
  documents.set(key, document);
  return document;
}

/** Starts a service on empty stores (see `makeStores`) and a free port. */
export async function startService(environment: Environment = {}): Promise<Service> {
  const directory = await mkdtemp(join(tmpdir(), 'timing-api-'));
  const stores = await makeStores();
  const settings = { BOOTSTRAP_ADMIN_TOKEN: ADMIN_TOKEN, ...stores.environment, ...environment, DATA_DIR: directory };
  return open(settings, async () => {
    await stores.release();
    await rm(directory, { recursive: true });
  });
}

async function open(environment: Environment, release: () => Promise<void>): Promise<Service> {
  const log: string[] = [];
  const announced: string[] = [];
  const app = await startProduct({
    config: loadConfig({ PORT: '0', LOG_LEVEL: 'debug', ...environment }),
    log: createLogger({ level: 'debug', destination: { write: (line) => log.push(line) } }),
    announce: (token) => announced.push(token),
  });
  const document = documentOf(app, environment);
  const again = (more: Environment = {}) => ({ ...environment, ...more });
  const dataDir = environment.DATA_DIR ?? '';
  return {
    url: app.url,
    document,
    client: new Client(app.url, answerCheckOf(document), environment.BOOTSTRAP_ADMIN_TOKEN || null),
    log,
    announced,
    dataDir,
    environment,
    filesWith: (text) => filesWith(dataDir, text),
    async restart(more) {
      await app.close();
      expectNoCanary(log.join(''), 'the log');
      return open(again(more), release);
    },
    another: (more) => open(again(more), () => Promise.resolve()),
    async close() {
      await app.close();
      await release();
      expectNoCanary(log.join(''), 'the log');
    },
  };
}

async function filesWith(directory: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await readFile(path)).includes(text)) found.push(path);
  }
  return found;
}
