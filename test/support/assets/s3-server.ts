import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { freePort } from '../processes/servers.ts';
import { isRefused } from '../processes/socket.ts';
import { until } from '../processes/waits.ts';

/** A real S3 server of the test's own, in a directory of its own. */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  /** What a service needs to use it; its credentials are in the environment of the process until it is stopped. */
  readonly env: Readonly<Record<'S3_BUCKET' | 'S3_ENDPOINT' | 'S3_REGION', string>>;
  /** Lets it accept connections and say nothing, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** The keys of uploads in parts that were neither completed nor given up. */
  unfinishedUploads(): Promise<readonly string[]>;
  kill(): Promise<void>;
  /** Starts it again after `kill`: same address, same data. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

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

/** Starts the program that `VERSITYGW_BIN` names, on a free port, and makes a bucket. */
export async function startS3Server(): Promise<S3Server> {
  const home = await mkdtemp(join(tmpdir(), 'timing-s3-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  for (const folder of ['data', 'metadata']) await mkdir(join(home, folder));
  const restore = withCredentials();
  let child = await launch(home, port);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await makeBucket(endpoint);
  return {
    endpoint,
    bucket: BUCKET,
    env: { S3_BUCKET: BUCKET, S3_ENDPOINT: endpoint, S3_REGION: REGION },
    freeze: () => {
      child.kill('SIGSTOP');
    },
    thaw: () => {
      child.kill('SIGCONT');
    },
    unfinishedUploads: () => unfinished(endpoint),
    kill,
    async restart() {
      child = await launch(home, port);
    },
    async stop() {
      await kill();
      await rm(home, { recursive: true });
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

async function launch(home: string, port: number): Promise<ChildProcess> {
  const options = ['--port', `127.0.0.1:${port}`, '--quiet', '--keep-alive', '--region', REGION];
  // Metadata in files: not every system keeps extended attributes in its temporary directory.
  const backend = ['posix', '--sidecar', join(home, 'metadata'), join(home, 'data')];
  const child = spawn(process.env.VERSITYGW_BIN ?? '', [...options, ...backend], {
    stdio: 'ignore',
    env: { ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
  });
  const failed = once(child, 'error').then(([error]) => Promise.reject(new Error('no S3 server', { cause: error })));
  const exited = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the S3 server ended with ${code}`)));
  const accepts = until(
    () => isRefused(port),
    (refused) => !refused,
  );
  await Promise.race([accepts, failed, exited]);
  return child;
}

async function makeBucket(endpoint: string): Promise<void> {
  await clientOf(endpoint).send(new CreateBucketCommand({ Bucket: BUCKET }));
}

async function unfinished(endpoint: string): Promise<readonly string[]> {
  const { Uploads = [] } = await clientOf(endpoint).send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
  return Uploads.map(({ Key }) => Key ?? '');
}

function clientOf(endpoint: string): S3Client {
  return new S3Client({ endpoint, region: REGION, forcePathStyle: true, credentials });
}
