import { expect } from 'chai';
import { arrangeQueue, eventQueueDecider, MAX_QUEUE, type EventQueueCommand } from '../../commands/event-queues.ts';
import { given, happened } from '../support/kernel/given.ts';

const FRIDAY = '00000000-0000-7000-8000-0000000000c1';
const ADA = '00000000-0000-7000-8000-0000000000b1';
const BOB = '00000000-0000-7000-8000-0000000000b2';
const EVE = '00000000-0000-7000-8000-0000000000b3';

/** A moment of the evening: `20:15`. */
const at = (time: string): string => `2026-05-01T${time}:00.000Z`;

const queued = (participantId: string, time: string) =>
  happened('DriverQueued', { eventId: FRIDAY, participantId, since: at(time) });

const dequeued = (participantId: string) => happened('DriverDequeued', { eventId: FRIDAY, participantId });

const arranged = (...queue: readonly (readonly [participantId: string, time: string])[]) =>
  happened('QueueArranged', {
    eventId: FRIDAY,
    queue: queue.map(([participantId, time]) => ({ participantId, since: at(time) })),
  });

const queue = (participantId: string, time: string): EventQueueCommand => ({
  type: 'QueueDriver',
  data: { eventId: FRIDAY, participantId, now: at(time) },
});

const dequeue = (participantId: string): EventQueueCommand => ({ type: 'DequeueDriver', data: { participantId } });

const arrange = (participantIds: readonly string[], time: string): readonly EventQueueCommand[] =>
  arrangeQueue.commands({ participantIds: [...participantIds] }, { eventId: FRIDAY, now: at(time) });

const numbered = (n: number): string => `00000000-0000-7000-8000-${n.toString().padStart(12, '0')}`;

describe('waiting for a seat', () => {
  it('is at the end of the queue, once, since the first time', () => {
    given(eventQueueDecider).when(queue(ADA, '20:00')).then(queued(ADA, '20:00'));
    given(eventQueueDecider, queued(ADA, '20:00')).when(queue(BOB, '20:10')).then(queued(BOB, '20:10'));
    given(eventQueueDecider, queued(ADA, '20:00'), queued(BOB, '20:10')).when(queue(ADA, '20:20')).thenNothing();
  });

  it('ends, and may begin again, at the end', () => {
    given(eventQueueDecider, queued(ADA, '20:00')).when(dequeue(ADA)).then(dequeued(ADA));
    given(eventQueueDecider, queued(ADA, '20:00'), dequeued(ADA)).when(dequeue(ADA)).thenNothing();
    given(eventQueueDecider).when(dequeue(ADA)).thenNothing();
    given(eventQueueDecider, queued(ADA, '20:00'), queued(BOB, '20:10'), dequeued(ADA))
      .when(queue(ADA, '20:20'), ...arrange([BOB, ADA], '20:30'))
      .then(queued(ADA, '20:20'));
  });

  it('is for so many people at most', () => {
    const many = Array.from({ length: MAX_QUEUE }, (_, n) => [numbered(n), '20:00'] as const);
    given(eventQueueDecider, arranged(...many))
      .when(queue(ADA, '20:10'))
      .thenRejected('INVALID', '/participantId');
    given(eventQueueDecider, arranged(...many))
      .when(queue(numbered(7), '20:10'))
      .thenNothing();
  });
});

describe('arranging a queue', () => {
  it('keeps since when those wait who stay', () => {
    given(eventQueueDecider, queued(ADA, '20:00'), queued(BOB, '20:10'))
      .when(...arrange([EVE, BOB, ADA], '20:20'))
      .then(arranged([EVE, '20:20'], [BOB, '20:10'], [ADA, '20:00']));
    given(eventQueueDecider, arranged([ADA, '20:00'], [BOB, '20:10']), dequeued(ADA))
      .when(...arrange([BOB, ADA], '20:20'))
      .then(arranged([BOB, '20:10'], [ADA, '20:20']));
  });

  it('may empty it', () => {
    given(eventQueueDecider, queued(ADA, '20:00'))
      .when(...arrange([], '20:20'))
      .then(arranged());
  });

  it('records nothing where all wait in that order', () => {
    given(eventQueueDecider, queued(ADA, '20:00'), queued(BOB, '20:10'))
      .when(...arrange([ADA, BOB], '20:20'))
      .thenNothing();
    given(eventQueueDecider)
      .when(...arrange([], '20:20'))
      .thenNothing();
  });

  it('is refused where somebody is in it twice', () => {
    given(eventQueueDecider)
      .when(...arrange([ADA, BOB, ADA], '20:00'))
      .thenRejected('INVALID', '/participantIds/2');
  });

  it('takes so many people at most', () => {
    const ids = Array.from({ length: MAX_QUEUE + 1 }, (_, n) => numbered(n));
    const isTaken = (participantIds: readonly string[]): boolean =>
      arrangeQueue.body.safeParse({ participantIds }).success;
    expect(isTaken(ids.slice(1))).to.equal(true);
    expect(isTaken(ids)).to.equal(false);
    for (const wrong of [undefined, null, ADA, ['x'], [null]])
      expect(arrangeQueue.body.safeParse({ participantIds: wrong }).success, String(wrong)).to.equal(false);
  });
});
