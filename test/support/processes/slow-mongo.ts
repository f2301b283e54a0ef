import type { Socket } from 'node:net';
import { BSON } from 'mongodb';
import { startListener } from './servers.ts';

/** A server with MongoDB's protocol that stores nothing and takes a given time per written document. */
export interface SlowMongo {
  readonly port: number;
  /** Time per document of a write, in ms. */
  msPerDocument: number;
  /** Sizes of the write commands in order. */
  readonly batches: number[];
  /** Maximum of simultaneous write commands. */
  mostAtOnce: number;
  /** If set, the error of every command but the greeting. */
  refusal: { readonly code: number; readonly codeName: string; readonly errmsg: string } | null;
  readonly stop: () => Promise<void>;
}

const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2_004;
const OP_MSG = 2_013;
/** Offset of the first document of an OP_MSG, after header, flags and kind of section. */
const BODY_AT = HEADER_BYTES + 5;
/** The same for an OP_QUERY to `admin.$cmd`: header, flags, name, skip and count. */
const QUERY_AT = HEADER_BYTES + 4 + 'admin.$cmd\0'.length + 8;

/** The bytes before the document of an OP_MSG: flags and kind of section. */
const FLAGS = Buffer.alloc(5);

const GREETING = {
  ok: 1,
  isWritablePrimary: true,
  ismaster: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 21,
};

export async function startSlowMongo(): Promise<SlowMongo> {
  let underWay = 0;

  async function answer(command: Record<string, unknown>, documents: number): Promise<object> {
    if ('hello' in command || 'ismaster' in command || 'isMaster' in command) return GREETING;
    if (slow.refusal !== null) return { ok: 0, ...slow.refusal };
    if ('find' in command) return { ok: 1, cursor: { id: BSON.Long.ZERO, ns: 'test.x', firstBatch: [] } };
    if ('listIndexes' in command) return { ok: 1, cursor: { id: BSON.Long.ZERO, ns: 'test.x', firstBatch: [] } };
    if (documents === 0) return { ok: 1 };
    slow.batches.push(documents);
    slow.mostAtOnce = Math.max(slow.mostAtOnce, (underWay += 1));
    await new Promise((resolve) => setTimeout(resolve, documents * slow.msPerDocument));
    underWay -= 1;
    return { ok: 1, n: documents, nModified: documents };
  }

  async function receive(socket: Socket, message: Buffer): Promise<void> {
    const isQuery = message.readInt32LE(12) === OP_QUERY;
    const at = isQuery ? QUERY_AT : BODY_AT;
    const command = BSON.deserialize(message.subarray(at, at + message.readInt32LE(at)));
    const reply = BSON.serialize(await answer(command, isQuery ? 0 : documentsIn(message)));
    if (!socket.destroyed)
      socket.write(isQuery ? queryReply(message, reply) : framed(message, OP_MSG, Buffer.concat([FLAGS, reply])));
  }

  const { port, stop } = await startListener((socket) => {
    let rest = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
        const length = rest.readInt32LE(0);
        void receive(socket, rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    });
  });
  const slow: SlowMongo = { port, msPerDocument: 0, batches: [], mostAtOnce: 0, refusal: null, stop };
  return slow;
}

/** Number of documents of a write, in the second section of an OP_MSG. */
function documentsIn(message: Buffer): number {
  let at = BODY_AT + message.readInt32LE(BODY_AT);
  if (at >= message.length) return 0;
  const end = at + 1 + message.readInt32LE(at + 1);
  at = message.indexOf(0, at + 5) + 1;
  let count = 0;
  for (; at < end; at += message.readInt32LE(at)) count += 1;
  return count;
}

/** Adds the header to a message. */
function framed(request: Buffer, opcode: number, body: Uint8Array): Buffer {
  const message = Buffer.concat([Buffer.alloc(HEADER_BYTES), body]);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(request.readInt32LE(4), 8);
  message.writeInt32LE(opcode, 12);
  return message;
}

/** The reply to a driver's greeting, which starts with flags, cursor, start and number. */
function queryReply(request: Buffer, document: Uint8Array): Buffer {
  const between = Buffer.alloc(20);
  between.writeInt32LE(1, 16);
  return framed(request, OP_REPLY, Buffer.concat([between, document]));
}
