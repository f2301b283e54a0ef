import { startEventStoreDouble } from '../eventstore-double/double.ts';
import { startMongo } from './servers.ts';
import { PATIENT } from './waits.ts';

/** Settings of a service with its own stores; `release` removes the stores. */
export interface StoreEnvironment {
  readonly environment: Readonly<Record<string, string>>;
  release(): Promise<void>;
}

/** Stores on servers, from `TEST_STORES`: a comma-separated list of eventstore, mongodb and s3; others are embedded. */
const servers = new Set((process.env.TEST_STORES ?? '').split(',').filter((name) => name !== ''));

/** For the names of suites. */
export const storesInUse = servers.size === 0 ? 'embedded' : [...servers].join(' + ');

/**
 * Makes the stores of one service: an EventStoreDB double, a database of the server that MONGODB_URL names, the bucket
 * that S3_BUCKET names. A real EventStoreDB could only serve one service, as its history cannot be emptied.
 */
export async function makeStores(): Promise<StoreEnvironment> {
  const environment: Record<string, string> = { ...PATIENT };
  const releases: (() => Promise<void>)[] = [];
  if (servers.has('eventstore')) {
    const double = await startEventStoreDouble();
    environment['EVENTSTORE_URL'] = double.url;
    releases.push(() => double.close());
  }
  if (servers.has('mongodb')) {
    const { url, stop } = await startMongo();
    environment['MONGODB_URL'] = url;
    releases.push(stop);
  }
  const { S3_BUCKET = '', S3_ENDPOINT = '', S3_REGION = '' } = process.env;
  if (servers.has('s3')) Object.assign(environment, { S3_BUCKET, S3_ENDPOINT, S3_REGION });
  return {
    environment,
    async release() {
      for (const release of releases) await release();
    },
  };
}
