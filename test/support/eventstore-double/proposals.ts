import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { AppendReq, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected } from './commit-check.ts';
import type { Proposal } from './entry.ts';

const UUID_FORM = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;

/** @throws {Error} on an id that is no UUID and on an empty type, as the server does. */
export function proposalOf(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): Proposal {
  const metadata = message.getMetadataMap();
  const type = metadata.get('type') ?? '';
  if (type === '') throw new Error("Empty eventType provided. (Parameter 'eventType')");
  return {
    id: uuidOf(message.getId()),
    type,
    contentType: metadata.get('content-type') ?? 'application/octet-stream',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

/** What an event counts against the largest append: names are UTF-16 on the server. */
export function sizeOf({ type, data, metadata }: Proposal): number {
  return data.length + metadata.length + type.length * 2;
}

/** @throws {Error} on text that is no UUID. */
export function uuidOf(uuid: UUID | undefined): string {
  const halves = uuid?.getStructured();
  if (halves !== undefined) {
    const bytes = Buffer.alloc(16);
    bytes.writeBigInt64BE(BigInt(halves.getMostSignificantBits()), 0);
    bytes.writeBigInt64BE(BigInt(halves.getLeastSignificantBits()), 8);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
  }
  const text = uuid?.getString() ?? '';
  if (!UUID_FORM.test(text)) throw new Error('Unrecognized Guid format.');
  return text.toLowerCase();
}

/** What both kinds of append options share. */
interface ExpectedOptions {
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
}

export function expectedOf(options: ExpectedOptions, revision: string): Expected {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  return options.hasStreamExists() ? 'stream_exists' : Number(revision);
}
