import type { JsonObject } from '../../../src/kernel/json.ts';
import type { Answer, Client } from './client.ts';

const CDN = '/api/v1/cdn';

/** A form as browsers send it for a file with a key (`LOGO/a.png`), with the JSON part as a typed part. */
export function uploadForm(key: string, file: Uint8Array<ArrayBuffer> | string, fileType = 'image/png'): FormData {
  const [type, ...name] = key.split('/');
  const data = new FormData();
  const request = JSON.stringify({ type, targetName: name.join('/') });
  data.set('cdnRequest', new Blob([request], { type: 'application/json' }));
  data.set('cdnFile', new Blob([file], { type: fileType }), 'a.png');
  return data;
}

/** Uploads a file under a key. */
export function upload(client: Client, key: string, file: Uint8Array<ArrayBuffer> | string): Promise<Answer> {
  return client.send('POST', CDN, { body: uploadForm(key, file) });
}

/** The row of a file. */
export async function fileRow(client: Client, key: string): Promise<JsonObject> {
  const found = (await client.list(CDN)).find((row) => row.key === key);
  if (found === undefined) throw new Error(`no file ${key}`);
  return found;
}
