import { hostname, userInfo } from 'node:os';
import { issueApiKey } from '../../service/access/keys.ts';
import { ROLES, ROOT_LICENSE_ID, type Role } from '../../service/domain/roles.ts';
import { IssueApiKeyBody } from '../../../commands/api-keys.ts';
import { licenseDecider } from '../../../commands/licenses.ts';
import { Aggregates } from '../../service/kernel/aggregate/aggregates.ts';
import { createCommandHandler } from '../../service/kernel/aggregate/command-handler.ts';
import { Rejection, streamOf } from '../../service/kernel/aggregate/decider.ts';
import { EXIT, flag, jsonLine, required, text, UsageError, type Invocation } from './command.ts';
import { serviceCommand, type ServiceStores } from './stores.ts';

const DEFAULT_NAME = 'Issued on the command line';

const SYNTAX = {
  name: 'keys',
  argument: 'issue',
  about: `
Issues an API key with access to the stores: the way back in when no usable key is left. Its token is written to
standard output, and shown only this once. A service may keep running: it knows the key at once.`,
  options: {
    role: { ...text('ROLE', 'R, CR, CRUD or ADMIN'), required: true },
    license: text('ID', 'id of the licence that owns the key; default: the root licence'),
    name: text('TEXT', `name of the key, 3 to 120 characters; default: ${DEFAULT_NAME}`),
    json: flag('JSON on standard output: the id of the key and its token'),
  },
  notes: `
The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL. The history records the user and host.
Exit codes: 0 done, 1 it failed or there is no such licence, 2 wrong usage.`,
} as const;

export const run = serviceCommand(SYNTAX, (given) => {
  const { license: licenseId = ROOT_LICENSE_ID, name = DEFAULT_NAME, role, json = false } = given.values;
  if (given.argument !== 'issue') throw new UsageError('say issue');
  const key = { role: roleOf(required('role', role)), licenseId, name: nameOf(name) };
  return async (opened) => {
    const token = await issue(given, opened, key);
    if (token === null) return EXIT.failed;
    given.out.write(json ? jsonLine(token) : `${token.token}\n`);
    return EXIT.done;
  };
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

interface KeyToIssue {
  readonly role: Role;
  readonly licenseId: string;
  readonly name: string;
}

/** The id and the token of a new key; null where there is no such licence. */
async function issue({ err }: Invocation, { stores, config }: ServiceStores, key: KeyToIssue) {
  const { clock, ids } = stores;
  const license = streamOf(licenseDecider.category, key.licenseId);
  if ((await new Aggregates(stores.store).firstOf(license)) === null) {
    err.write(`sim-racing-timing keys: there is no licence ${key.licenseId}\n`);
    return null;
  }
  const id = ids.next();
  const origin = {
    correlationId: `cli:${userInfo().username}@${hostname()}`,
    deadline: clock.now() + config.requestDeadlineMs,
  };
  const request = { ...key, rigId: null, registration: id };
  const handler = createCommandHandler(stores);
  const issued = await issueApiKey({ handler, clock, ids }, { request, origin, preset: { id } });
  if (issued === null || issued instanceof Rejection) throw new Error('a key with a new id was refused');
  return { id, token: issued.token };
}
