import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { nameApart, tellApart } from '../../shared/apart.ts';
import { showTime, t } from '../../shared/page.ts';
import desk from '../../texts/desk.json' with { type: 'json' };
import { Problem } from '../parts/answers.tsx';
import { useSession } from '../session.ts';
import type { QueueEntry } from './floor.ts';
import { changeQueue, moved, movedTo, takenOut, type QueueChange } from './queue-changes.ts';

interface QueuePanelProps {
  readonly eventId: string;
  readonly queue: readonly QueueEntry[];
  /** Id of whoever is chosen to take a seat; empty: nobody. Left out: nobody can be chosen here. */
  readonly chosen?: string;
  readonly onChoose?: (entry: QueueEntry) => void;
}

/** The buttons of an entry, of which one keeps the focus when the entry has moved. */
type Move = 'up' | 'down';

/** Who waits, in order; people are moved by buttons or by dragging, and taken out. */
export function QueuePanel({ eventId, queue, chosen, onChoose }: QueuePanelProps) {
  const { client } = useSession();
  const [failure, setFailure] = useState<unknown>(null);
  const [said, say] = useState('');
  const latest = useRef(Promise.resolve());
  const list = useRef<HTMLOListElement>(null);
  const focused = useRef('');
  const apart = tellApart(
    queue.map(({ participantId, participantName }) => ({ id: participantId, name: participantName })),
  );
  const nameOf = ({ participantId, participantName }: QueueEntry): string =>
    nameApart({ id: participantId, name: participantName }, apart);
  // A browser takes the focus from an element that moves.
  useLayoutEffect(() => {
    if (focused.current === '' || document.activeElement !== document.body) return;
    const button = list.current?.querySelector<HTMLElement>(`[data-move="${focused.current}"]`);
    (button ?? list.current)?.focus();
  }, [queue]);
  /** Each change begins after the one before: a button may be pressed faster than the service answers. */
  const change = (changed: QueueChange, messageOf: (participantIds: readonly string[]) => string): void => {
    setFailure(null);
    latest.current = latest.current
      .then(() => changeQueue(client, eventId, changed))
      .then(({ participantIds }) => say(messageOf(participantIds)))
      .catch(setFailure);
  };
  const move = (entry: QueueEntry, changed: QueueChange): void =>
    change(changed, (ids) => t(desk.movedTo, { name: nameOf(entry), place: ids.indexOf(entry.participantId) + 1 }));
  return (
    <section class="queue" aria-labelledby="queue-title">
      <h2 id="queue-title">
        {t(desk.queue)} <span class="quiet numbers">{queue.length}</span>
      </h2>
      <Problem error={failure} />
      <p role="status" class="hidden-but-read">
        {said}
      </p>
      {queue.length === 0 && <p class="empty">{t(desk.nobodyWaits)}</p>}
      <ol ref={list} tabIndex={-1} aria-label={t(desk.queue)}>
        {queue.map((entry) => (
          <Entry
            key={entry.participantId}
            entry={entry}
            name={nameOf(entry)}
            place={queue.indexOf(entry) + 1}
            isChosen={onChoose === undefined ? null : entry.participantId === chosen}
            onChoose={() => onChoose?.(entry)}
            onMove={(direction) => {
              focused.current = `${direction} ${entry.participantId}`;
              move(entry, moved(entry.participantId, direction === 'up' ? -1 : 1));
            }}
            onDropped={(droppedId) => {
              const dropped = queue.find(({ participantId }) => participantId === droppedId);
              if (dropped !== undefined) move(dropped, movedTo(droppedId, entry.participantId));
            }}
            onTakeOut={() => {
              focused.current = 'none';
              change(takenOut(entry.participantId), () => t(desk.isTakenOut, { name: nameOf(entry) }));
            }}
          />
        ))}
      </ol>
    </section>
  );
}

interface EntryProps {
  readonly entry: QueueEntry;
  readonly name: string;
  /** From 1 on. */
  readonly place: number;
  /** Null: nobody can be chosen here. */
  readonly isChosen: boolean | null;
  readonly onChoose: () => void;
  readonly onMove: (direction: Move) => void;
  readonly onDropped: (participantId: string) => void;
  readonly onTakeOut: () => void;
}

/** The kind of what is dragged: only people of this queue can be dropped on it. */
const DRAGGED = 'application/x-queue-entry';

function Entry({ entry, name, place, isChosen, onChoose, onMove, onDropped, onTakeOut }: EntryProps) {
  const [isOver, setOver] = useState(false);
  const { participantId, since } = entry;
  const mayDrop = (event: DragEvent): boolean => event.dataTransfer?.types.includes(DRAGGED) === true;
  const button = (label: string, sign: string, onClick: () => void, move = '') => (
    <button type="button" class="button" aria-label={label} title={label} data-move={move} onClick={onClick}>
      {sign}
    </button>
  );
  return (
    <li
      class={isOver ? 'over' : ''}
      draggable
      onDragStart={(event) => event.dataTransfer?.setData(DRAGGED, participantId)}
      onDragOver={(event) => {
        if (!mayDrop(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDropped(event.dataTransfer?.getData(DRAGGED) ?? '');
      }}
    >
      <span class="place numbers">{place}</span>
      {isChosen === null ? (
        <bdi class="name">{name}</bdi>
      ) : (
        <button type="button" class="name choose" aria-pressed={isChosen} onClick={onChoose}>
          <bdi>{name}</bdi>
        </button>
      )}
      <time class="quiet numbers" dateTime={since}>
        {showTime(since)}
      </time>
      <span class="moves">
        {button(t(desk.moveUp, { name }), '↑', () => onMove('up'), `up ${participantId}`)}
        {button(t(desk.moveDown, { name }), '↓', () => onMove('down'), `down ${participantId}`)}
        {button(t(desk.takeOut, { name }), '×', onTakeOut)}
      </span>
    </li>
  );
}
