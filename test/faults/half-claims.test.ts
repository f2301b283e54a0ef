import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { participantDecider, type ParticipantCommand } from '../../commands/participants.ts';
import { rigDecider, type RigCommand } from '../../commands/rigs.ts';
import { signupFieldDecider, type SignupField } from '../../commands/signup-fields.ts';
import { trackDecider, type Track } from '../../commands/tracks.ts';
import { openLmdbEventStore } from '../../infra/lmdb/event-store.ts';
import type { CatalogueCommand } from '../../src/service/domain/catalogue.ts';
import { streamOf, type Decider, Rejection } from '../../src/service/kernel/aggregate/decider.ts';
import type { WritableStore } from '../../src/service/kernel/aggregate/claims.ts';
import { createCommandHandler, type CommandOutcome } from '../../src/service/kernel/aggregate/command-handler.ts';
import type { Message } from '../../src/service/kernel/event-types.ts';
import type { EventStore, RecordedEvent } from '../../src/service/kernel/ports/event-store.ts';
import { systemClock, systemIds } from '../../infra/system/system.ts';
import { gathered, temporaryStorePath } from '../support/event-store/events.ts';

/** The simulated death of a process. */
class Crash extends Error {}

/** Commands that gain a unique key, change it, and leave it alone. */
interface Kind<S, C extends Message> {
  readonly decider: Decider<S, C>;
  readonly create: (key: string) => C;
  readonly move: (key: string) => C;
  /** Changes another field. */
  readonly change: C;
}

interface Asked<C> {
  readonly id: string;
  readonly command: C;
}

/** The store of a process that dies right before it appends to `stream`, after the claim is on disk. */
function dyingBefore(store: WritableStore, stream: string): WritableStore {
  return {
    readStream: (...args) => store.readStream(...args),
    readNewest: (name) => store.readNewest(name),
    append: async (name, ...rest) => {
      if (name === stream) throw new Crash();
      return store.append(name, ...rest);
    },
  };
}

function nameOf<S>(outcome: CommandOutcome<S>): string {
  return outcome instanceof Rejection ? outcome.code : outcome.outcome;
}

describe('a crash between claim and owner', () => {
  let path: string;
  let store: EventStore;

  beforeEach(async () => {
    path = temporaryStorePath();
    store = await openLmdbEventStore({ path });
  });
  afterEach(async () => {
    await store.close();
    rmSync(path, { recursive: true });
  });

  function carryOut<S, C extends Message>(on: WritableStore, { decider }: Kind<S, C>, { id, command }: Asked<C>) {
    const handler = createCommandHandler({ store: on, clock: systemClock, ids: systemIds });
    const origin = { correlationId: 'test', deadline: Infinity };
    return handler.handle({ decider, origin, id, commands: [command] });
  }

  /** The process dies, and another one opens the store. */
  async function crash<S, C extends Message>(kind: Kind<S, C>, request: Asked<C>): Promise<void> {
    const dying = dyingBefore(store, streamOf(kind.decider.category, request.id));
    const outcome = await carryOut(dying, kind, request).catch((error: unknown) => error);
    expect(outcome).to.be.instanceOf(Crash);
    await store.close();
    store = await openLmdbEventStore({ path });
  }

  const eventsOf = (stream: string) => gathered(store.readStream(stream));

  /** The owner's stream contains exactly the events that the newest claim announced. */
  async function expectVerbatim(category: string, owner: string, revision: number): Promise<void> {
    const all = await gathered(store.readAll(null, ['KeyClaimed']));
    const claims = all.filter(({ stream, data }) => stream.startsWith(`${category}-`) && data['owner'] === owner);
    const announced = JSON.parse(JSON.stringify(claims.at(-1)?.data['events'])) as readonly RecordedEvent[];
    const recorded = (await eventsOf(owner)).slice(revision);
    const essence = recorded.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
    expect(essence).to.deep.equal(announced);
  }

  function heals<S, C extends Message>(category: string, kind: Kind<S, C>): void {
    const id = (): string => randomUUID();
    const streamFor = (owner: string): string => streamOf(kind.decider.category, owner);

    describe(category, () => {
      it('on create: the same request again completes it', async () => {
        const request = { id: id(), command: kind.create('a') };
        await crash(kind, request);
        expect(await eventsOf(streamFor(request.id))).to.be.empty;
        expect(nameOf(await carryOut(store, kind, request))).to.equal('done');
        await expectVerbatim(category, streamFor(request.id), 0);
      });

      it('on create: the next request completes it, and is refused', async () => {
        const first = { id: id(), command: kind.create('a') };
        await crash(kind, first);
        const second = { id: id(), command: kind.create('a') };
        const outcome = await carryOut(store, kind, second);
        expect(outcome).to.include({ outcome: 'taken', owner: streamFor(first.id) });
        await expectVerbatim(category, streamFor(first.id), 0);
        expect(await eventsOf(streamFor(second.id))).to.be.empty;
      });

      it('on PATCH: the same request again completes it', async () => {
        const owner = id();
        await carryOut(store, kind, { id: owner, command: kind.create('a') });
        const before = (await eventsOf(streamFor(owner))).length;
        await crash(kind, { id: owner, command: kind.move('b') });
        expect(nameOf(await carryOut(store, kind, { id: owner, command: kind.move('b') }))).to.equal('done');
        await expectVerbatim(category, streamFor(owner), before);
      });

      it('on PATCH: the next request completes it, and the previous key is free', async () => {
        const owner = id();
        await carryOut(store, kind, { id: owner, command: kind.create('a') });
        await crash(kind, { id: owner, command: kind.move('b') });
        const wanting = await carryOut(store, kind, { id: id(), command: kind.create('b') });
        expect(wanting).to.include({ outcome: 'taken', owner: streamFor(owner) });
        expect(nameOf(await carryOut(store, kind, { id: id(), command: kind.create('a') }))).to.equal('done');
      });

      it('on PATCH: an owner with other events has lost its claim', async () => {
        const owner = id();
        await carryOut(store, kind, { id: owner, command: kind.create('a') });
        await crash(kind, { id: owner, command: kind.move('b') });
        expect(nameOf(await carryOut(store, kind, { id: owner, command: kind.change }))).to.equal('done');
        expect(nameOf(await carryOut(store, kind, { id: id(), command: kind.create('b') }))).to.equal('done');
        expect(nameOf(await carryOut(store, kind, { id: owner, command: kind.move('b') }))).to.equal('taken');
        const wanting = await carryOut(store, kind, { id: id(), command: kind.create('a') });
        expect(wanting).to.include({ outcome: 'taken', owner: streamFor(owner) });
      });
    });
  }

  const licenseId = randomUUID();
  heals('rigHardware', {
    decider: rigDecider,
    create: (hardwareId): RigCommand => ({ type: 'RegisterRig', data: { hardwareId, licenseId } }),
    move: (hardwareId): RigCommand => ({ type: 'ReplaceRigHardware', data: { hardwareId } }),
    change: { type: 'DescribeRig', data: { description: 'painted' } },
  });

  const name = { firstName: 'Ada', lastName: 'Racer' };
  const person = { ...name, email: 'ada@example.org', phoneNumber: '1', extraFieldsJson: {} };
  heals('participantLicense', {
    decider: participantDecider,
    create: (key): ParticipantCommand => ({ type: 'RegisterParticipant', data: { ...person, licenseId: key } }),
    move: (key): ParticipantCommand => ({ type: 'MoveParticipantToLicense', data: { licenseId: key } }),
    change: { type: 'ChangeParticipantContact', data: { phoneNumber: '2' } },
  });

  const place = { country: 'DEU', location: '' };
  const track = { displayName: 'Track', alternativeNames: [], logo: '', svg: false, ...place, enabled: true };
  heals('trackSlug', {
    decider: trackDecider,
    create: (slug): CatalogueCommand<Track> => ({ type: 'Add', data: { ...track, slug } }),
    move: (slug): CatalogueCommand<Track> => ({ type: 'Change', data: { slug } }),
    change: { type: 'Change', data: { location: 'Nürburg' } },
  });

  const field = {
    eventId: randomUUID(),
    label: 'Size',
    description: null,
    type: 'TEXT',
    required: false,
    sortOrder: null,
    optionsJson: null,
    defaultJson: null,
    i18nJson: null,
  } as const;
  heals('signupFieldKey', {
    decider: signupFieldDecider,
    create: (fieldKey): CatalogueCommand<SignupField> => ({ type: 'Add', data: { ...field, fieldKey } }),
    move: (fieldKey): CatalogueCommand<SignupField> => ({ type: 'Change', data: { fieldKey } }),
    change: { type: 'Change', data: { label: 'T-shirt size' } },
  });
});
