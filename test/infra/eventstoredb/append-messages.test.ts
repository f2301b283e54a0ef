import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import {
  decodeAppendResponse,
  encodeAppend,
  type BatchAppendRequest,
} from '../../../infra/eventstoredb/append-messages.ts';
import { StoreUnavailable } from '../../../src/service/kernel/ports/errors.ts';

const { BatchAppendReq, BatchAppendResp } = streams;

const PROPOSAL = {
  id: '0193f6a2-0000-7000-8000-00000000002a',
  type: 'LapRecorded',
  data: Buffer.from('{"n":"ü"}'),
  metadata: Buffer.from('{"version":1}'),
};

/** What the generated classes read in an append. */
function read(id: number, request: BatchAppendRequest) {
  const message = BatchAppendReq.deserializeBinary(encodeAppend(id, request));
  const options = message.getOptions();
  return {
    id: message.getCorrelationId()?.getString(),
    isFinal: message.getIsFinal(),
    stream: Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    expected:
      options?.hasNoStream() === true ? 'no_stream' : options?.hasAny() === true ? 'any' : options?.getStreamPosition(),
    hasDeadline: options?.hasDeadline(),
    proposals: message
      .getProposedMessagesList()
      .map((proposal) => ({
        id: proposal.getId()?.getString(),
        properties: Object.fromEntries(proposal.getMetadataMap().toObject(false)),
        data: Buffer.from(proposal.getData_asU8()),
        metadata: Buffer.from(proposal.getCustomMetadata_asU8()),
      })),
  };
}

type Response = InstanceType<typeof BatchAppendResp>;

function decode(response: Response) {
  return decodeAppendResponse(Buffer.from(response.serializeBinary()));
}

function success(revision: string, commit: string): Response {
  const position = new shared.AllStreamPosition().setCommitPosition(commit).setPreparePosition(commit);
  return new BatchAppendResp().setSuccess(
    new BatchAppendResp.Success().setCurrentRevision(revision).setPosition(position),
  );
}

describe('appends to EventStoreDB, encoded and decoded', () => {
  it('are what the generated classes read', () => {
    const properties = { type: 'LapRecorded', 'content-type': 'application/json' };
    const { id, data, metadata } = PROPOSAL;
    const sent = { id, data, metadata, properties };
    const large = { ...PROPOSAL, data: Buffer.alloc(1_000_000, '1') };
    expect(read(255, { stream: 'lap-ü', proposals: [PROPOSAL, large], expected: 'no_stream' })).to.deep.equal({
      id: '00000000-0000-0000-0000-0000000000ff',
      isFinal: true,
      stream: 'lap-ü',
      expected: 'no_stream',
      hasDeadline: false,
      proposals: [sent, { ...sent, data: large.data }],
    });
  });

  it('say each revision, as varints of one byte and more', () => {
    const revisions = [0, 1, 127, 128, 16_383, 16_384, 2 ** 32, Number.MAX_SAFE_INTEGER];
    for (const expected of revisions) {
      expect(read(1, { stream: 's', proposals: [PROPOSAL], expected }).expected).to.equal(String(expected));
    }
    expect(read(1, { stream: 's', proposals: [PROPOSAL], expected: 'any' }).expected).to.equal('any');
  });

  it('are told apart by their number, as text or in halves, and succeed at a revision and position', () => {
    const text = new shared.UUID().setString('00000000-0000-0000-0000-0000000001f4');
    const halves = new shared.UUID.Structured().setMostSignificantBits('0').setLeastSignificantBits('500');
    for (const uuid of [text, new shared.UUID().setStructured(halves)]) {
      const { id, result } = decode(success('3', '9007199254740991').setCorrelationId(uuid));
      expect(id).to.equal(500);
      expect(result()).to.deep.equal({ revision: 3, position: Number.MAX_SAFE_INTEGER });
    }
  });

  it('are refused for what certainly was not appended, and unknown otherwise', () => {
    const failure = (type: string) => {
      const details = status.Status.deserializeBinary(
        Buffer.concat([Buffer.from([0x1a, type.length + 2, 0x0a, type.length]), Buffer.from(type)]),
      );
      return decode(new BatchAppendResp().setError(details)).result;
    };
    expect(failure('type.googleapis.com/event_store.client.WrongExpectedVersion')()).to.equal('wrong revision');
    expect(failure('type.googleapis.com/event_store.client.StreamDeleted')()).to.deep.equal({
      failed: 'the stream was deleted',
    });
    expect(failure('type.googleapis.com/event_store.client.Timeout')).to.throw(Error, 'the server answered');
    expect(decode(success('3', '9007199254740992')).result).to.throw(StoreUnavailable, 'beyond the safe integers');
    const nowhere = new BatchAppendResp().setSuccess(new BatchAppendResp.Success().setCurrentRevision('3'));
    expect(decode(nowhere).result).to.throw(Error, 'did not say where');
  });
});
