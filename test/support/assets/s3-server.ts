import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { startServer } from '../processes/servers.ts';
import { isRefused } from '../processes/socket.ts';
import { until } from '../processes/waits.ts';

const BUCKET = 'timing';
const REGION = 'us-east-1';

/** The environment of a server that is there already, as for the service; null without one. */
export const givenS3 = process.env.S3_BUCKET
  ? {
      S3_BUCKET: process.env.S3_BUCKET,
      S3_ENDPOINT: process.env.S3_ENDPOINT ?? '',
      S3_REGION: process.env.S3_REGION || REGION,
    }
  : null;

/** Why there is no S3 server to start here, or null. */
export const noS3Server = process.env.VERSITYGW_BIN ? null : 'needs VERSITYGW_BIN, the path of versitygw';

/** A key pair for this run only. */
const credentials = { accessKeyId: 'timing-tests', secretAccessKey: randomBytes(16).toString('hex') };

/** A real S3 server of the test's own, with faults. */
export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/**
 * Starts the program that `VERSITYGW_BIN` names, and makes a bucket. The credentials are in the environment of the
 * process until it is stopped.
 */
export async function startS3Server() {
  const restore = withCredentials();
  const server = await startServer({
    variable: 'VERSITYGW_BIN',
    args(directory, port) {
      const data = join(directory, 'data');
      const metadata = join(directory, 'metadata');
      for (const folder of [data, metadata]) mkdirSync(folder, { recursive: true });
      const options = ['--port', `127.0.0.1:${port}`, '--quiet', '--keep-alive', '--region', REGION];
      // Metadata in files: not every system keeps extended attributes in its temporary directory.
      return [...options, 'posix', '--sidecar', metadata, data];
    },
    env: { ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
    answers: (port) => until(async () => !(await isRefused(port))),
  });
  const endpoint = `http://127.0.0.1:${server.port}`;
  const client = new S3Client({ endpoint, region: REGION, forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  return {
    ...server,
    endpoint,
    bucket: BUCKET,
    /** What a service needs to use it. */
    env: { S3_BUCKET: BUCKET, S3_ENDPOINT: endpoint, S3_REGION: REGION },
    /** The keys of uploads in parts that were neither completed nor given up. */
    unfinishedUploads: async (): Promise<readonly string[]> => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
      return Uploads.map(({ Key }) => Key ?? '');
    },
    async stop() {
      await server.stop();
      restore();
    },
  };
}

/** Puts the server's credentials where the client looks for them; gives what puts back what was there. */
function withCredentials(): () => void {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  const before = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
  process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey;
  return () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  };
}
