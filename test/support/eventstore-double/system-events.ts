import { randomUUID } from 'node:crypto';
import type { Log } from './log.ts';

/** Stream, type and data of what a fresh server writes for itself. */
const SYSTEM_EVENTS: readonly (readonly [string, string, object])[] = [
  ['$$$scavenges', '$metadata', { $maxCount: 1_000 }],
  ['$$$user-admin', '$metadata', { $acl: { $r: '$admins' } }],
  ['$user-admin', '$UserCreated', { loginName: 'admin', fullName: 'Event Store Administrator' }],
  ['$users', '$User', { loginName: 'admin' }],
  ['$$$stats-127.0.0.1', '$metadata', { $maxAge: 86_400 }],
];

/** Makes the log begin as a real one does: what reads `$all` unfiltered meets events that are not its own. */
export function writeSystemEvents(log: Log): void {
  for (const [stream, type, data] of SYSTEM_EVENTS) {
    const proposal = {
      id: randomUUID(),
      type,
      contentType: 'application/json',
      data: Buffer.from(JSON.stringify(data)),
      metadata: new Uint8Array(),
    };
    log.append(stream, [proposal], 'any');
  }
}
