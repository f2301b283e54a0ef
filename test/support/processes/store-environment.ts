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
  const parts: StoreEnvironment[] = [];
  if (servers.has('eventstore')) parts.push(await eventStore());
  if (servers.has('mongodb')) parts.push(await database());
  if (servers.has('s3')) parts.push(bucket());
  return {
    environment: Object.fromEntries(
      [PATIENT, ...parts.map(({ environment }) => environment)].flatMap((settings) => Object.entries(settings)),
    ),
    async release() {
      for (const part of parts) await part.release();
    },
  };
}

async function eventStore(): Promise<StoreEnvironment> {
  const double = await startEventStoreDouble();
  return { environment: { EVENTSTORE_URL: double.url }, release: () => double.close() };
}

async function database(): Promise<StoreEnvironment> {
  const { url, stop } = await startMongo();
  return { environment: { MONGODB_URL: url }, release: stop };
}

function bucket(): StoreEnvironment {
  const { S3_BUCKET = '', S3_ENDPOINT = '', S3_REGION = '' } = process.env;
  return { environment: { S3_BUCKET, S3_ENDPOINT, S3_REGION }, release: () => Promise.resolve() };
}
