import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import { CERTIFICATE } from '../support/certificate.ts';
import { startEventStoreDouble, type EventStoreDouble } from '../support/eventstore-double/double.ts';

const event = (type: string) => jsonEvent({ type, id: randomUUID(), data: {} });

/** The error that a promise ends with. */
async function failure(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error('It did not fail.');
}

describe('bad luck with the double of EventStoreDB', () => {
  let double: EventStoreDouble;
  let client: EventStoreDBClient;

  beforeEach(async () => {
    double = await startEventStoreDouble({ commitTimeoutMs: 100 });
    client = EventStoreDBClient.connectionString(double.url);
    await client.appendToStream('s-1', event('First'));
  });

  afterEach(async () => {
    await double.faults.heal();
    await client.dispose();
    await double.close();
  });

  const append = () => client.appendToStream('s-1', event('Next'));

  async function types(): Promise<string[]> {
    const found: string[] = [];
    for await (const { event: read } of client.readStream('s-1')) if (read) found.push(read.type);
    return found;
  }

  async function allTypes(): Promise<string[]> {
    const found: string[] = [];
    for await (const { event: read } of client.readAll()) if (read) found.push(read.type);
    return found;
  }

  async function newClient(): Promise<void> {
    await client.dispose();
    client = EventStoreDBClient.connectionString(double.url);
  }

  it('a killed server refuses, and comes back at its port with its data', async () => {
    const { port } = double;
    double.faults.kill();
    await double.counters.until(({ connections }) => connections === 0);
    expect(await failure(append())).to.have.property('code', 14);
    await double.faults.restart();
    await newClient();
    expect(double.port).to.equal(port);
    expect(await types()).to.deep.equal(['First']);
    await append();
  });

  it('direct connections are reset like others, and never frozen', async () => {
    const direct = await startEventStoreDouble({ direct: true });
    const other = EventStoreDBClient.connectionString(direct.url);
    await other.appendToStream('s-1', event('First'));
    expect(() => direct.faults.freeze()).to.throw('SIGSTOP');
    direct.faults.kill();
    await direct.counters.until(({ connections }) => connections === 0);
    expect(await failure(other.appendToStream('s-1', event('Next')))).to.have.property('code', 14);
    await other.dispose();
    await direct.close();
  });

  it('a server that stops listening keeps its connections', async () => {
    double.faults.refuse();
    await append();
    // A second client would share the first one's connection: channels of one process do.
    expect(await failure(once(connect(double.port, '127.0.0.1'), 'connect'))).to.have.property('code', 'ECONNREFUSED');
    await double.faults.accept();
    const socket = connect(double.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    await append();
  });

  it('a reset ends reads and subscriptions with an error', async () => {
    const subscription = client.subscribeToAll({ fromPosition: 'end' });
    const ended = failure(
      (async () => {
        for await (const _ of subscription) expect.fail('an event');
      })(),
    );
    await double.counters.until(({ subscriptions }) => subscriptions === 1);
    double.faults.reset();
    expect(await ended).to.include({ type: 'unavailable', code: 14 });
    await double.counters.until(({ subscriptions }) => subscriptions === 0);
    expect(await types()).to.deep.equal(['First']);
  });

  it('delays each answer', async () => {
    double.faults.delay(60);
    const began = performance.now();
    await append();
    expect(performance.now() - began).to.be.greaterThan(55);
  });

  it('a silent server answers nothing until it speaks', async () => {
    double.faults.silence();
    let answered = false;
    const appended = append().then(() => {
      answered = true;
    });
    await double.counters.until(({ appends }) => appends === 2);
    expect(answered).to.be.false;
    double.faults.speak();
    await appended;
  });

  it('a frozen server takes connections and reads nothing until it thaws', async () => {
    double.faults.freeze();
    const appended = append();
    const socket = connect(double.port, '127.0.0.1');
    await double.counters.until(({ connections }) => connections === 2);
    expect(double.counters.counts.appends).to.equal(1);
    double.faults.thaw();
    await appended;
    socket.destroy();
    expect(await types()).to.deep.equal(['First', 'Next']);
  });

  it('an append that arrives after its deadline is not stored', async () => {
    expect(await failure(client.appendToStream('s-1', event('Late'), { deadline: -1 }))).to.have.property(
      'type',
      'deadline-exceeded',
    );
    expect(await types()).to.deep.equal(['First']);
  });

  it('an append whose answer is lost was stored, and may be repeated', async () => {
    const second = event('Second');
    double.faults.loseAnswers(1);
    const options = { expectedRevision: 0n };
    expect(await failure(client.appendToStream('s-1', second, options))).to.have.property('code', 14);
    await newClient();
    expect(await types()).to.deep.equal(['First', 'Second']);
    expect(await client.appendToStream('s-1', second, options)).to.include({ success: true, nextExpectedRevision: 1n });
    expect(await types()).to.deep.equal(['First', 'Second']);
  });

  it('a server that is starting is not ready', async () => {
    double.faults.notReady();
    expect(await failure(append())).to.have.property('type', 'unknown');
    expect(await failure(types())).to.have.property('type', 'unavailable');
    double.faults.notReady('unknown');
    expect(await failure(types())).to.have.property('type', 'unknown');
    double.faults.ready();
    await append();
  });

  it('a wrong password is refused everything, whatever the server is asked', async () => {
    double.faults.deny('password');
    // An open call goes on.
    await newClient();
    for (const call of [append, types, allTypes]) expect(await failure(call())).to.include({ code: 16 });
    double.faults.deny(null);
    await newClient();
    await append();
  });

  it('a user without the right to $all appends, and may neither read nor follow it', async () => {
    double.faults.deny('$all');
    await append();
    expect(await types()).to.deep.equal(['First', 'Next']);
    expect(await failure(allTypes())).to.include({ type: 'access-denied', code: 7 });
    const followed = (async () => {
      for await (const _ of client.subscribeToAll()) expect.fail('an event');
    })();
    expect(await failure(followed)).to.include({ type: 'access-denied', code: 7 });
  });

  it('a user without the right to append reads, and is refused by either call', async () => {
    double.faults.deny('append');
    expect(await failure(append())).to.include({ type: 'access-denied' });
    const credentials = { username: 'u', password: 'p' };
    const byUnary = client.appendToStream('s-1', event('Next'), { credentials });
    expect(await failure(byUnary)).to.include({ type: 'access-denied', code: 7 });
    expect(await allTypes())
      .to.include('First')
      .and.not.to.include('Next');
  });

  it('a certificate is trusted by those who are told of it', async () => {
    const encrypted = await startEventStoreDouble({ tls: true });
    const directory = mkdtempSync(join(tmpdir(), 'timing-double-'));
    const file = join(directory, 'certificate.pem');
    writeFileSync(file, CERTIFICATE);
    const [stranger, friend] = [encrypted.url, `${encrypted.url}&tlsCAFile=${file}`].map((url) =>
      EventStoreDBClient.connectionString(url),
    );
    if (stranger === undefined || friend === undefined) throw new Error('no clients');
    const error = await failure(stranger.appendToStream('s-1', event('First')));
    expect(error).to.include({ code: 14 });
    expect(error.message).to.include('self-signed certificate');
    await friend.appendToStream('s-1', event('First'));
    await Promise.all([stranger.dispose(), friend.dispose()]);
    await encrypted.close();
    rmSync(directory, { recursive: true });
  });

  it('an event that is not valid is answered twice: refused at once, timed out later', async () => {
    // With the client the second answer would end the process.
    const bare = new StreamsClient(`127.0.0.1:${double.port}`, credentials.createInsecure());
    const call = bare.batchAppend();
    const message = new streams.BatchAppendReq.ProposedMessage().setId(new shared.UUID().setString('no uuid'));
    message.getMetadataMap().set('type', 'Bad').set('content-type', 'application/json');
    const name = new shared.StreamIdentifier().setStreamName(Buffer.from('s-1'));
    const request = new streams.BatchAppendReq()
      .setCorrelationId(new shared.UUID().setString(randomUUID()))
      .setOptions(new streams.BatchAppendReq.Options().setStreamIdentifier(name).setStreamPosition('0'))
      .setProposedMessagesList([message])
      .setIsFinal(true);
    const answers: (string | undefined)[] = [];
    const twice = new Promise<void>((resolve) => {
      call.on('data', (answer: BatchAppendResp) => {
        answers.push(answer.getError()?.getMessage());
        if (answers.length === 2) resolve();
      });
    });
    call.write(request);
    await twice;
    expect(answers).to.deep.equal(['BadRequest', 'Timeout']);
    const ended = once(call, 'status');
    call.end();
    await ended;
    bare.close();
  });
});
