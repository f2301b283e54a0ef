import { expect } from 'chai';
import {
  deadLetters,
  deadLetterOf,
  DEAD_LETTER_RETRIED,
  retryStreamOf,
  type ParkedEvent,
} from '../../../src/kernel/projection/dead-letters.ts';
import { DocumentTooLarge, StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import type { RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import { Parking } from '../../../src/kernel/projection/parking.ts';
import { handlersByType, type Handler, createUnitOfWork } from '../../../src/kernel/projection/unit-of-work.ts';
import { MAX_DOCUMENT_BYTES, type Document, type ReadModels } from '../../../src/kernel/ports/read-store.ts';
import { failureOf } from '../../support/failure.ts';
import { memoryReadModels } from '../../support/read-store/memory-read-store.ts';
import { recorded, type HistoryEvent } from '../../support/kernel/projecting.ts';
import { leagueProjections } from '../../support/simulation/league.ts';

const team = (type: string, data: HistoryEvent['data'] = { name: 'T' }, id = 't'): HistoryEvent => ({
  stream: `team-${id}`,
  type,
  data,
});
const joined: HistoryEvent = { stream: 'player-p', type: 'PlayerJoined', data: { teamId: 't', name: 'P' } };
const retry = (letter: string): HistoryEvent => ({
  stream: retryStreamOf('g'),
  type: DEAD_LETTER_RETRIED,
  data: { letter },
});

/** A league over models, which cannot project the events at some positions; some types are replaceable. */
async function league(
  models: ReadModels,
  poison: ReadonlySet<number> = new Set(),
  replaceable: readonly string[] = [],
) {
  const ailing = ({ projection, run }: Handler): Handler => ({
    projection,
    run: (event, ...reading) => {
      if (poison.has(event.recorded.position)) throw new Error('cannot project that');
      return run(event, ...reading);
    },
  });
  const known = [...handlersByType(leagueProjections)];
  const handlers = new Map(known.map(([type, handled]) => [type, handled.map(ailing)]));
  const unit = createUnitOfWork(models);
  const parked: ParkedEvent[] = [];
  const omitted: string[] = [];
  const parking = new Parking({
    handlers,
    unit,
    deadLetterStore: models,
    onParked: (one) => parked.push(one),
    replaceable: new Set(replaceable),
    onOmitted: ({ collection }) => omitted.push(collection ?? ''),
  });
  await parking.load(await models.checkpoint());
  const project = async (events: readonly RecordedEvent[]): Promise<void> => {
    await parking.project(events, events.at(-1)?.position ?? 0);
  };
  return { project, parked, omitted };
}

const letter = (models: ReadModels, id: string): Promise<Document | null> => models.get(deadLetters.collection, id);

function only<T>(list: readonly T[], at = 0): T {
  const found = list[at];
  if (found === undefined) throw new Error(`nothing at ${at}`);
  return found;
}

describe('parking', () => {
  it('parks the stream of a poison event, in order, while all others continue', async () => {
    const models = memoryReadModels();
    const { project, parked } = await league(models, new Set([2]));
    await project(
      recorded([
        team('TeamFounded'),
        team('TeamRenamed', { name: 'U' }),
        team('TeamRenamed', { name: 'V' }),
        team('TeamFounded', { name: 'O' }, 'o'),
      ]),
    );
    expect(await models.get('teams', 't')).to.include({ name: 'T', _revision: 0 });
    expect(await models.get('teams', 'o')).to.include({ name: 'O' });
    expect(await letter(models, 'team-t:1')).to.include({
      stream: 'team-t',
      revision: 1,
      type: 'TeamRenamed',
      version: 1,
      position: 2,
      waiting: true,
      unknown: false,
      error: 'cannot project that',
    });
    expect(await letter(models, 'team-t:2')).to.include({ error: 'an earlier event of its stream is parked' });
    expect(parked.map(({ event, blocked: behind }) => [event.position, behind])).to.deep.equal([
      [2, false],
      [3, true],
    ]);
  });

  it('parks events that look up, or change, a document whose stream is parked from its first event', async () => {
    const models = memoryReadModels();
    const { project } = await league(models, new Set([1]));
    const moved: HistoryEvent = { stream: 'player-q', type: 'PlayerMovedToTeam', data: { from: 't', to: 'o' } };
    await project(recorded([team('TeamFounded'), joined, moved]));
    for (const id of ['player-p:0', 'player-q:0']) {
      expect(await letter(models, id)).to.include({ error: 'team-t, which it needs, is parked' });
    }
  });

  it('projects a replaceable event as far as it can, and never parks it', async () => {
    const models = memoryReadModels();
    const { project, parked, omitted } = await league(models, new Set([1]), ['PlayerMovedToTeam']);
    const other = team('TeamFounded', { name: 'O' }, 'o');
    const movedOut: HistoryEvent = { stream: 'move-p', type: 'PlayerMovedToTeam', data: { from: 't', to: 'o' } };
    const free: HistoryEvent = { stream: 'player-p', type: 'PlayerJoined', data: { teamId: 'o', name: 'P' } };
    await project(recorded([team('TeamFounded'), other, free, movedOut, movedOut]));
    expect(parked.map(({ event }) => event.position)).to.deep.equal([1]);
    expect(omitted).to.deep.equal(['teams', 'teams']);
    const unknown = recorded([team('TeamFounded'), other, free, movedOut, movedOut, movedOut]).slice(-1);
    await project(unknown.map((event) => ({ ...event, metadata: { ...event.metadata, version: 2 } })));
    expect(parked).to.have.length(1);
    expect(omitted.slice(2)).to.deep.equal(['teams', 'players']);
  });

  it('forgets a replaceable event that an earlier release has parked, with the next one', async () => {
    const models = memoryReadModels();
    const movedOut: HistoryEvent = { stream: 'move-p', type: 'PlayerMovedToTeam', data: { from: 't', to: 'o' } };
    const history = recorded([movedOut, movedOut, movedOut]);
    const earlier = await league(models, new Set([1]));
    await earlier.project(history.slice(0, 2));
    for (const id of ['move-p:0', 'move-p:1']) expect(await letter(models, id)).to.include({ waiting: true });
    const { project, parked } = await league(models, new Set(), ['PlayerMovedToTeam']);
    await project(history.slice(2));
    for (const id of ['move-p:0', 'move-p:1']) expect(await letter(models, id)).to.include({ waiting: false });
    expect(parked).to.deep.equal([]);
  });

  it('retries at the position of the retry, once, and only the first of a stream', async () => {
    const models = memoryReadModels();
    const history = recorded([
      team('TeamFounded'),
      team('TeamRenamed', { name: 'U' }),
      retry('team-t:1'),
      retry('team-t:0'),
      retry('team-t:1'),
    ]);
    await (await league(models, new Set([1]))).project(history.slice(0, 2));
    const mended = await league(models);
    await mended.project(history.slice(2, 3));
    expect(await letter(models, 'team-t:1')).to.include({ waiting: true });
    await mended.project(history.slice(3));
    const projected = { name: 'U', _revision: 1, _position: 5 };
    expect(await models.get('teams', 't')).to.include(projected);
    for (const id of ['team-t:0', 'team-t:1']) expect(await letter(models, id)).to.include({ waiting: false });
    await mended.project(history);
    expect(await models.get('teams', 't')).to.include(projected);
  });

  it('writes its decisions before it projects later events, since another release may continue', async () => {
    const models = memoryReadModels();
    const away = new StoreUnavailable('away');
    const apply: ReadModels['apply'] = async (changes, checkpoint) =>
      checkpoint === 2 ? Promise.reject(away) : models.apply(changes, checkpoint);
    const { project } = await league({ ...models, apply }, new Set([1]));
    const failed = project(recorded([team('TeamFounded'), team('TeamFounded', {}, 'o')]));
    expect(await failureOf(failed)).to.equal(away);
    expect(await letter(models, 'team-t:0')).to.include({ waiting: true });
    expect(await models.checkpoint()).to.equal(1);
    expect(await models.get('teams', 'o')).to.equal(null);
  });
});

describe('parking after failures', () => {
  const history = recorded([team('TeamFounded'), joined, retry('team-t:0')]);
  const poison = deadLetterOf(only(history), new Error('cannot project that'));

  it('reads dead letters as of its checkpoint: one retried after it, before a crash, is still waiting', async () => {
    const models = memoryReadModels();
    const document = { ...poison, waiting: false, _position: 3 };
    await models.apply([{ kind: 'insert', collection: deadLetters.collection, document }], 1);
    const { project } = await league(models);
    await project(history.slice(1));
    expect(await models.get('teams', 't')).to.include({ name: 'T' });
    expect(await letter(models, 'player-p:0')).to.include({ waiting: true });
  });

  it('restarts when another projector has advanced the checkpoint, as look-ups would see later documents', async () => {
    const models = memoryReadModels();
    const { project } = await league(models, new Set([1]));
    await project(history.slice(0, 1));
    await models.apply([], 3);
    expect(await failureOf(project(history.slice(1))))
      .to.be.instanceOf(StoreUnavailable)
      .with.property('message', 'another projector has advanced the checkpoint');
    expect(await letter(models, 'player-p:0')).to.equal(null);
  });

  it('retries a dead letter that another projector has written', async () => {
    const models = memoryReadModels();
    await models.apply([], 2);
    const { project } = await league(models);
    await models.apply([{ kind: 'insert', collection: deadLetters.collection, document: poison }], 2);
    await project(history.slice(2));
    expect(await letter(models, 'team-t:0')).to.include({ waiting: false });
    expect(await models.get('teams', 't')).to.include({ name: 'T', _position: 3 });
  });

  it('does not apply again what a newer release has already projected', async () => {
    const models = memoryReadModels();
    const renamed = recorded([
      team('TeamFounded'),
      team('TeamRenamed', { name: 'U' }),
      team('TeamRenamed', { name: 'V' }),
      retry('team-t:1'),
    ]);
    await (await league(models)).project(renamed.slice(0, 3));
    const document = deadLetterOf(only(renamed, 1), new Error('cannot project that'));
    await models.apply([{ kind: 'insert', collection: deadLetters.collection, document }], 3);
    await (await league(models)).project(renamed.slice(3));
    expect(await letter(models, 'team-t:1')).to.include({ waiting: false });
    expect(await models.get('teams', 't')).to.include({ name: 'V', _position: 3 });
  });

  it('parks events that make a document too large, and those that follow in their stream', async () => {
    const stored = memoryReadModels();
    const huge = 'x'.repeat(MAX_DOCUMENT_BYTES);
    const models: ReadModels = {
      ...stored,
      apply: async (changes, checkpoint) => {
        const isHuge = changes.some((change) => change.collection === 'teams' && JSON.stringify(change).includes(huge));
        if (isHuge) throw new DocumentTooLarge('teams');
        await stored.apply(changes, checkpoint);
      },
    };
    const { project, parked } = await league(models);
    await project(
      recorded([
        team('TeamFounded'),
        team('TeamFounded', { name: 'O' }, 'o'),
        team('TeamRenamed', { name: huge }),
        team('TeamRenamed', { name: 'V' }),
        team('TeamRenamed', { name: 'P' }, 'o'),
      ]),
    );
    expect(parked.map(({ event: { position }, blocked }) => [position, blocked])).to.deep.equal([
      [3, false],
      [4, true],
    ]);
    expect(await models.get('teams', 't')).to.include({ name: 'T' });
    expect(await models.get('teams', 'o')).to.include({ name: 'P' });
    expect(await models.checkpoint()).to.equal(5);
  });
});
