import { expect } from 'chai';
import { openEventStoreDb } from '../../infra/eventstoredb/event-store.ts';
import { openMongoReadStore } from '../../infra/mongodb/read-store.ts';
import type { EventStore } from '../../src/service/kernel/ports/event-store.ts';
import { deliveriesUntil, newEvent, newStream } from '../support/event-store/events.ts';
import { startEventStoreDouble, type EventStoreDouble } from '../support/eventstore-double/double.ts';
import type { Denial } from '../support/eventstore-double/gate.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { startSlowMongo } from '../support/processes/slow-mongo.ts';
import { until } from '../support/processes/waits.ts';
import { World } from '../support/processes/world.ts';

const PASSWORD = /does not accept the user name and password/;
const RIGHT = /its user has not the right; it needs to read \$all and to append/;
const APPEND = /its user has not the right to append to streams/;
const NO_TLS = /as one with TLS does where the URL has tls=false/;
const TLS = /no TLS connection is possible: self-signed certificate/;

/** The error message of an operation; empty if it succeeds. */
async function refusalOf(operation: Promise<unknown>): Promise<string> {
  const error: unknown = await operation.catch((reason: unknown) => reason);
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

/** How a server is not what its client expects. */
interface Faulty {
  readonly tls?: boolean;
  readonly denied?: Denial;
  /** The URL that the client uses. */
  readonly url?: (url: string) => string;
}

const plain = (url: string): string => url.replace('tls=true', 'tls=false');

describe('what a store server refuses', () => {
  const world = new World();
  const doubles: EventStoreDouble[] = [];
  afterEach(async () => {
    await world.clean();
    for (const double of doubles.splice(0)) await double.close();
  });

  async function startDouble(options: Faulty): Promise<EventStoreDouble> {
    const double = await startEventStoreDouble({ tls: options.tls ?? false });
    if (options.denied !== undefined) double.faults.denied = options.denied;
    doubles.push(double);
    return double;
  }

  const urlOf = ({ url }: EventStoreDouble, options: Faulty): string => options.url?.(url) ?? url;

  const cases: Readonly<Record<string, { readonly options: Faulty; readonly reason: RegExp }>> = {
    'a wrong password': { options: { denied: 'password' }, reason: PASSWORD },
    'no right to $all': { options: { denied: '$all' }, reason: RIGHT },
    'no right to append': { options: { denied: 'append' }, reason: APPEND },
    'a certificate that is not trusted': { options: { tls: true }, reason: TLS },
    'TLS that the URL switches off': { options: { tls: true, url: plain }, reason: NO_TLS },
  };

  for (const [name, { options, reason }] of Object.entries(cases)) {
    it(`${name}: each operation says so`, async () => {
      const url = urlOf(await startDouble(options), options);
      const store = openEventStoreDb({ url, timeoutMs: 5_000 });
      for (let n = 0; n < 2; n += 1) {
        const { head, newest, append, subscribe } = await refusalsOf(store);
        if (name === 'no right to append') {
          expect([head, newest, subscribe]).to.deep.equal(['', '', '']);
          expect(append).to.match(reason);
          continue;
        }
        expect(head).to.match(reason);
        expect(subscribe).to.match(reason);
        if (name === 'no right to $all') expect([newest, append]).to.deep.equal(['', '']);
        else for (const message of [newest, append]) expect(message).to.match(reason);
      }
      await store.close();
    });
  }

  it('log and health say so, and the service is ready once it is fixed', async () => {
    const double = await startDouble({ denied: 'password' });
    await withServiceHere(
      world.directory(),
      async ({ admin, log }) => {
        const waiting = await until(
          () => log.filter((line) => line.includes('waits for a store')),
          (lines) => lines.length > 0,
        );
        for (const line of waiting)
          expect(line)
            .to.match(PASSWORD)
            .and.not.match(/given up|was closed/);
        await until(
          () => admin.get('/actuator/health'),
          ({ text }) => PASSWORD.test(text),
        );
        double.faults.denied = null;
        await until(
          () => admin.get('/actuator/health/readiness'),
          ({ status }) => status === 200,
        );
      },
      { EVENTSTORE_URL: double.url, LOG_LEVEL: 'info' },
    );
  });

  it('a MongoDB whose user may not write is named, without the command that it refused', async () => {
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
