import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import { decodeReadResponse, type Wanted } from '../../../infra/eventstoredb/read-response.ts';
import { StoreUnavailable } from '../../../src/service/kernel/ports/errors.ts';

const { ReadResp } = streams;
const { ReadEvent } = ReadResp;

const ID = '0193f6a2-0000-7000-8000-00000000002a';
const METADATA = { version: 1, occurredAt: '2026-01-01T00:00:00.000Z', commandId: 'c', correlationId: 'r' };
const LARGEST = '18446744073709551615';

/** An event of the service as a server sends it, with what is to be different. */
interface Sent {
  readonly type?: string;
  readonly contentType?: string;
  readonly stream?: string;
  readonly revision?: string;
  readonly data?: string;
  readonly metadata?: string;
}

function recorded({ type = 'LapRecorded', contentType = 'application/json', ...sent }: Sent = {}) {
  const { stream = 'lap-1', revision = '3', data = '{"n":"ü"}', metadata = JSON.stringify(METADATA) } = sent;
  const event = new ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(ID))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
    .setStreamRevision(revision)
    .setPreparePosition('7')
    .setCommitPosition('8')
    .setData(Buffer.from(data))
    .setCustomMetadata(Buffer.from(metadata));
  event.getMetadataMap().set('created', '1').set('type', type).set('content-type', contentType);
  return event;
}

function decodeEvent(event: InstanceType<typeof ReadEvent>) {
  return decodeReadResponse(Buffer.from(new ReadResp().setEvent(event).serializeBinary()));
}

function decodeSent(sent: Sent) {
  return decodeEvent(new ReadEvent().setEvent(recorded(sent)).setCommitPosition('9'));
}

describe('responses of EventStoreDB, decoded', () => {
  it('holds an event of the service with the position that the server gives', () => {
    const event = {
      id: ID,
      type: 'LapRecorded',
      data: { n: 'ü' },
      metadata: METADATA,
      stream: 'lap-1',
      revision: 3,
      position: 9,
    };
    expect(decodeSent({})).to.deep.equal({ kind: 'entry', entry: { position: 9, event } });
    // In the midst of more bytes, as they come off a connection.
    const bytes = new ReadResp()
      .setEvent(new ReadEvent().setEvent(recorded()).setCommitPosition('9'))
      .serializeBinary();
    const among = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]);
    expect(decodeReadResponse(among.subarray(6, 6 + bytes.length))).to.deep.equal({
      kind: 'entry',
      entry: { position: 9, event },
    });
  });

  it('takes the position of the link or of the event where the server gives no other', () => {
    const link = recorded().setCommitPosition('5');
    expect(decodeEvent(new ReadEvent().setEvent(recorded()))).to.have.nested.property('entry.position', 8);
    expect(decodeEvent(new ReadEvent().setEvent(recorded()).setLink(link))).to.have.nested.property(
      'entry.position',
      5,
    );
    expect(decodeEvent(new ReadEvent().setLink(link))).to.deep.equal({
      kind: 'entry',
      entry: { position: 5, event: null },
    });
    expect(() => decodeEvent(new ReadEvent())).to.throw(StoreUnavailable, 'without its position');
  });

  it('reads ids in halves, as some versions send them', () => {
    const halves = new shared.UUID.Structured()
      .setMostSignificantBits(String(BigInt.asIntN(64, 0x0193f6a200007000n)))
      .setLeastSignificantBits(String(BigInt.asIntN(64, 0x800000000000002an)));
    const event = recorded().setId(new shared.UUID().setStructured(halves));
    expect(decodeEvent(new ReadEvent().setEvent(event).setCommitPosition('9'))).to.have.nested.property(
      'entry.event.id',
      ID,
    );
  });

  it('shows no event that the service cannot have written', () => {
    for (const sent of [
      { type: '$metadata' },
      { stream: '$$lap-1' },
      { contentType: 'application/octet-stream' },
      { data: '{"n":' },
      { data: '[]' },
      { data: '' },
      { metadata: '' },
      { metadata: 'null' },
      { metadata: '{"version":"1","occurredAt":"2026"}' },
      // A tombstone.
      { type: '$streamDeleted', revision: '9223372036854775807' },
    ]) {
      expect(decodeSent(sent), JSON.stringify(sent)).to.deep.equal({
        kind: 'entry',
        entry: { position: 9, event: null },
      });
    }
  });

  it('leaves out events that are not wanted, and goes past them', () => {
    const bytes = Buffer.from(
      new ReadResp().setEvent(new ReadEvent().setEvent(recorded()).setCommitPosition('9')).serializeBinary(),
    );
    const eventIf = (wanted: Wanted) => decodeReadResponse(bytes, wanted);
    const none = { kind: 'entry', entry: { position: 9, event: null } };
    expect(eventIf(({ type }) => type !== 'LapRecorded')).to.deep.equal(none);
    expect(eventIf(({ stream }) => stream !== 'lap-1')).to.deep.equal(none);
    expect(eventIf(({ type, stream }) => type === 'LapRecorded' && stream === 'lap-1')).not.to.deep.equal(none);
  });

  it('refuses positions and revisions that a number cannot tell from their neighbours', () => {
    expect(() => decodeSent({ revision: '9007199254740992' })).to.throw(StoreUnavailable, 'beyond the safe integers');
    const far = (position: string) => new ReadEvent().setEvent(recorded()).setCommitPosition(position);
    expect(decodeEvent(far('9007199254740991'))).to.have.nested.property('entry.position', Number.MAX_SAFE_INTEGER);
    for (const position of ['9007199254740992', '9007199254740993', LARGEST])
      expect(() => decodeEvent(far(position))).to.throw(StoreUnavailable, 'beyond the safe integers');
  });

  it('tells checkpoints, the end of the log as none, and what else a subscription says', () => {
    const checkpoint = (position: string) => {
      const at = new ReadResp.Checkpoint().setCommitPosition(position).setPreparePosition(position);
      return decodeReadResponse(Buffer.from(new ReadResp().setCheckpoint(at).serializeBinary()));
    };
    expect(checkpoint('1234567890')).to.deep.equal({ kind: 'checkpoint', position: 1_234_567_890 });
    expect(checkpoint(LARGEST)).to.deep.equal({ kind: 'checkpoint', position: null });
    const confirmation = new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId('x'));
    const none = new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound());
    const caughtUp = new ReadResp().setCaughtUp(new ReadResp.CaughtUp());
    const kinds = [confirmation, none, caughtUp].map(
      (response) => decodeReadResponse(Buffer.from(response.serializeBinary())).kind,
    );
    expect(kinds).to.deep.equal(['confirmation', 'no stream', 'other']);
  });

  it('passes over fields of later versions, whatever their wire type', () => {
    // Field 100 as a varint, as 8 and as 4 bytes, and with a length.
    const later = [
      [0xa0, 0x06, 0x96, 0x01],
      [0xa1, 0x06, 1, 2, 3, 4, 5, 6, 7, 8],
      [0xa5, 0x06, 1, 2, 3, 4],
      [0xa2, 0x06, 2, 1, 2],
    ];
    const known = new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation()).serializeBinary();
    for (const field of later) {
      expect(decodeReadResponse(Buffer.from([...field, ...known])).kind).to.equal('confirmation');
    }
  });

  it('refuses what is no message, and one that was cut anywhere within a field', () => {
    const whole = Buffer.from(new ReadResp().setEvent(new ReadEvent().setEvent(recorded())).serializeBinary());
    for (let length = 1; length < whole.length; length += 1) {
      expect(() => decodeReadResponse(whole.subarray(0, length)), String(length)).to.throw(Error, 'a message ends');
    }
    expect(() => decodeReadResponse(Buffer.of(0x0b))).to.throw(Error, 'wire type 3');
  });
});
