import { expect } from 'chai';
import { openMongoReadStore } from '../../infra/mongodb/read-store.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { deliveriesUntil, newEvent, newStream } from '../support/event-store/events.ts';
import type { Denial } from '../support/eventstore-double/faults.ts';
import { useDoubles } from '../support/eventstore-double/use-doubles.ts';
import { outcomeOf } from '../support/failure.ts';
import { ready } from '../support/processes/cluster.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { startSlowMongo } from '../support/processes/slow-mongo.ts';
import { until } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';

const PASSWORD = /does not accept the user name and password/;
const RIGHT = /its user has not the right; it needs to read \$all and to append/;
const APPEND = /its user has not the right to append to streams/;
const NO_TLS = /as one with TLS does where the URL has tls=false/;
const TLS = /no TLS connection is possible: self-signed certificate/;

/** The error message of an operation; empty if it succeeds. */
async function refusalOf(operation: Promise<unknown>): Promise<string> {
  const error = await outcomeOf(operation);
  return error instanceof Error ? error.message : '';
}

/** All operations of the port at once, which share what one of them finds out. */
async function refusalsOf(store: EventStore): Promise<Record<string, string>> {
  const operations = {
    head: store.head(),
    newest: store.readNewest(newStream()),
    append: store.append(newStream(), [newEvent()], 'no_stream'),
    subscribe: deliveriesUntil(store.subscribe(null, null, new AbortController().signal), () => true),
  };
  const refusals = Object.entries(operations).map(async ([name, operation]) => [name, await refusalOf(operation)]);
  return Object.fromEntries(await Promise.all(refusals)) as Record<string, string>;
}

/** How a server is not what its client expects, and what each operation says then. */
interface Faulty {
  readonly tls?: boolean;
  readonly denied?: Denial;
  /** Whether the URL that the client uses has `tls=false` all the same. */
  readonly isPlain?: boolean;
  readonly says: Readonly<Record<string, RegExp>>;
}

const everywhere = (reason: RegExp) => ({ head: reason, newest: reason, append: reason, subscribe: reason });
const DONE = everywhere(/^$/);

const CASES: Readonly<Record<string, Faulty>> = {
  'a wrong password': { denied: 'password', says: everywhere(PASSWORD) },
  'no right to $all': { denied: '$all', says: { ...DONE, head: RIGHT, subscribe: RIGHT } },
  'no right to append': { denied: 'append', says: { ...DONE, append: APPEND } },
  'a certificate that is not trusted': { tls: true, says: everywhere(TLS) },
  'TLS that the URL switches off': { tls: true, isPlain: true, says: everywhere(NO_TLS) },
};

describe('refusals of a store server', () => {
  const world = useWorld();
  const doubles = useDoubles();

  for (const [name, { tls = false, denied = null, isPlain = false, says }] of Object.entries(CASES)) {
    it(`are reported by each operation: ${name}`, async () => {
      const double = await doubles.start({ tls });
      double.faults.denied = denied;
      const url = isPlain ? double.url.replace('tls=true', 'tls=false') : double.url;
      const store = doubles.open({ url, timeoutMs: 5_000 });
      for (let n = 0; n < 2; n += 1) {
        const refusals = await refusalsOf(store);
        for (const [operation, reason] of Object.entries(says)) expect(refusals[operation], operation).to.match(reason);
      }
    });
  }

  it('are reported by log and health, and the service is ready once they end', async () => {
    const { faults, url } = await doubles.start();
    faults.denied = 'password';
    await withServiceHere(
      { DATA_DIR: world.directory(), EVENTSTORE_URL: url, LOG_LEVEL: 'info' },
      async ({ admin, log }) => {
        const waiting = await until(
          () => log.filter((line) => line.includes('waits for a store')),
          (lines) => lines.length > 0,
        );
        for (const line of waiting)
          expect(line)
            .to.match(PASSWORD)
            .and.not.match(/given up|was closed/);
        await until(async () => PASSWORD.test((await admin.get('/actuator/health')).text));
        faults.denied = null;
        await ready({ admin });
      },
    );
  });

  it('name a MongoDB whose user may not write, without the refused command', async () => {
    const server = await startSlowMongo();
    server.refusal = {
      code: 13,
      codeName: 'Unauthorized',
      errmsg: 'not authorized to execute { secret: "of a person" }',
    };
    const store = openMongoReadStore({ url: `mongodb://127.0.0.1:${server.port}/test`, timeoutMs: 2_000 });
    expect(await refusalOf(store.readRegister('r')))
      .to.match(/its user has not the right.*readWrite/)
      .and.not.include('person');
    server.refusal = { code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' };
    expect(await refusalOf(store.readRegister('r'))).to.match(PASSWORD);
    await store.close();
    await server.stop();
  });
});
