import { hostname, userInfo } from 'node:os';
import { issueApiKey } from '../../service/access/keys.ts';
import { ROOT_LICENSE_ID } from '../../service/access/bootstrap.ts';
import { ROLES, type Role } from '../../service/domain/roles.ts';
import { IssueApiKeyBody } from '../../../commands/api-keys.ts';
import { licenseDecider } from '../../../commands/licenses.ts';
import { Aggregates } from '../../service/kernel/aggregate/aggregates.ts';
import { createCommandHandler } from '../../service/kernel/aggregate/command-handler.ts';
import { Rejection, streamOf } from '../../service/kernel/aggregate/decider.ts';
import { EXIT, required, runCommand, UsageError, type Invocation } from './arguments.ts';
import { flag, text } from './options.ts';
import { withServiceStores, type ServiceStores } from './stores.ts';

const DEFAULT_NAME = 'Issued on the command line';

const SYNTAX = {
  name: 'keys',
  argument: 'issue',
  about: `
Issues an API key with access to the stores: the way back in when no key is left that could issue one. Its token is
written to standard output, and shown only this once. A service may run meanwhile; it knows the key at once.`,
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

/** Runs `sim-racing-timing keys`; the result is the exit code. */
export function runKeys(command: Invocation): Promise<number> {
  return runCommand(command, SYNTAX, ({ role, license = ROOT_LICENSE_ID, name = DEFAULT_NAME, json = false }, verb) => {
    if (verb !== 'issue') throw new UsageError('say issue');
    const key = { role: roleOf(required('role', role)), licenseId: license, name: nameOf(name) };
    return withServiceStores(command, 'keys', (opened) => issue(command, opened, { ...key, json }));
  });
}

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
  readonly json: boolean;
}

async function issue({ out, err }: Invocation, { stores, config }: ServiceStores, { json, ...key }: KeyToIssue) {
  const { clock, ids } = stores;
  const handler = createCommandHandler(stores);
  const { category } = licenseDecider;
  if ((await new Aggregates(stores.store).firstOf(streamOf(category, key.licenseId))) === null) {
    err.write(`sim-racing-timing keys: there is no licence ${key.licenseId}\n`);
    return EXIT.failed;
  }
  const id = ids.next();
  const origin = {
    correlationId: `cli:${userInfo().username}@${hostname()}`,
    deadline: clock.now() + config.requestDeadlineMs,
  };
  const request = { ...key, rigId: null, registration: id };
  const issued = await issueApiKey({ handler, clock, ids }, { request, origin, preset: { id } });
  if (issued === null || issued instanceof Rejection) throw new Error('a key with a new id was refused');
  if (json) out.write(`${JSON.stringify({ id, token: issued.token })}\n`);
  else out.write(`${issued.token}\n`);
  return EXIT.done;
}
