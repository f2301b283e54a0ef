import { hostname, userInfo } from 'node:os';
import { issueApiKey, type KeyRequest } from '../../service/access/keys.ts';
import { KeyRegistry } from '../../service/access/registry.ts';
import { ROLES, ROOT_LICENSE_ID, type Role } from '../../domain/roles.ts';
import { apiKeyDecider, IssueApiKeyBody } from '../../../commands/api-keys.ts';
import { licenseDecider } from '../../../commands/licenses.ts';
import { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import { Rejection } from '../../kernel/aggregate/rejection.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import { createCommandHandler } from '../../kernel/aggregate/command-handler.ts';
import { EXIT, flag, jsonLine, required, text, UsageError, type Given, type Invocation } from './command.ts';
import { serviceCommand, type ServiceStores } from './stores.ts';

const DEFAULT_NAME = 'Issued on the command line';

const SYNTAX = {
  name: 'keys',
  argument: 'issue|list|revoke [ID]',
  about: `
Issues, lists and revokes API keys with access to the stores: the way back in when no usable key is left, and the way to
end one that is in wrong hands. The token of a new key is written to standard output, and shown only this once. A service
may keep running: it knows of each change at once.`,
  options: {
    role: text('ROLE', 'of a new key: R, CR, CRUD or ADMIN'),
    license: text('ID', 'id of the licence that owns the key; default: the root licence; of a list: only its keys'),
    name: text('TEXT', `name of the key, 3 to 120 characters; default: ${DEFAULT_NAME}`),
    json: flag('JSON on standard output: the id of the new key and its token, or a line for each key of the list'),
  },
  notes: `
The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL. The history records the user and host.
Exit codes: 0 done, 1 it failed or there is no such licence or key, 2 wrong usage.`,
} as const;

type KeysCommand = Given<typeof SYNTAX.options>;

export const run = serviceCommand(SYNTAX, (given) => {
  const { license, name = DEFAULT_NAME, role } = given.values;
  const id = given.second;
  if (given.argument === 'list' && id === null) return (opened) => list(given, opened);
  if (given.argument === 'revoke' && id !== null) return (opened) => revoke(given, opened, id);
  if (given.argument !== 'issue' || id !== null)
    throw new UsageError('an argument is needed: issue, list, or revoke with the id of a key');
  const licenseId = license ?? ROOT_LICENSE_ID;
  const key = { role: roleOf(required('role', role)), licenseId, name: nameOf(name) };
  return (opened) => issue(given, opened, key);
});

function roleOf(text: string): Role {
  const role = IssueApiKeyBody.shape.role.safeParse(text);
  if (!role.success) throw new UsageError(`--role is one of ${ROLES.join(', ')}`);
  return role.data;
}

function nameOf(text: string): string {
  const name = IssueApiKeyBody.shape.name.safeParse(text.trim());
  if (!name.success) throw new UsageError('--name has 3 to 120 characters');
  return name.data;
}

async function issue(
  { out, err, values }: KeysCommand,
  { stores, config }: ServiceStores,
  key: Pick<KeyRequest, 'role' | 'licenseId' | 'name'>,
): Promise<number> {
  const { clock, ids } = stores;
  const license = streamOf(licenseDecider.category, key.licenseId);
  if ((await new Aggregates(stores.store).firstOf(license)) === null) {
    err.write(`sim-racing-timing keys: there is no licence ${key.licenseId}\n`);
    return EXIT.failed;
  }
  const id = ids.next();
  const origin = originOf(stores, config);
  const request = { ...key, rigId: null, registration: id };
  const handler = createCommandHandler(stores);
  const issued = await issueApiKey({ handler, clock, ids }, { request, origin, preset: { id } });
  if (issued === null || issued instanceof Rejection) throw new Error('a key with a new id was refused');
  out.write(values.json === true ? jsonLine({ id, token: issued.token }) : `${issued.token}\n`);
  return EXIT.done;
}

function originOf({ clock }: ServiceStores['stores'], { requestDeadlineMs }: ServiceStores['config']) {
  return { correlationId: `cli:${userInfo().username}@${hostname()}`, deadline: clock.now() + requestDeadlineMs };
}

/** The keys as of now, from the history: the read models may be away. */
async function currentKeys({ stores }: ServiceStores) {
  const registry = new KeyRegistry({ ...stores, onError: () => undefined });
  const stop = new AbortController();
  const running = registry.runner.run(stop.signal);
  try {
    await registry.waitUntilUpToDate();
    return registry.keysWhere(() => true);
  } finally {
    stop.abort();
    await running;
  }
}

async function list({ out, values: { license, json } }: KeysCommand, opened: ServiceStores): Promise<number> {
  for (const key of await currentKeys(opened)) {
    if (license !== undefined && key.licenseId !== license) continue;
    const { id, role, enabled, expiresAt, lastUsedAt, licenseId, keyPrefix, name } = key;
    const shown = { id, role, enabled, expiresAt, lastUsedAt, licenseId, keyPrefix, name };
    const state = enabled ? 'enabled' : 'revoked';
    const words = [id, role.padEnd(5), state, licenseId, lastUsedAt ?? 'never used', keyPrefix, name];
    out.write(json === true ? jsonLine(shown) : `${words.join('  ')}\n`);
  }
  return EXIT.done;
}

/** Revokes a key, the last of an ADMIN too: `issue` is the way back. */
async function revoke({ err, out }: Invocation, { stores, config }: ServiceStores, id: string): Promise<number> {
  const commands = [{ type: 'RevokeApiKey', data: { lastAdmin: false } }] as const;
  const origin = originOf(stores, config);
  const result = await createCommandHandler(stores).handle({ decider: apiKeyDecider, id, commands, origin });
  if (result instanceof Rejection) {
    err.write(`sim-racing-timing keys: there is no key ${id}\n`);
    return EXIT.failed;
  }
  out.write(`${id} is revoked\n`);
  return EXIT.done;
}
