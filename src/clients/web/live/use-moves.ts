import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { BoardState } from './state.ts';

const MOVE: KeyframeAnimationOptions = { duration: 700, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)', composite: 'add' };
const FLASH_MS = 1_600;

const BEYOND = 2;

const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** Moves rows to their new places, and flashes new best laps. Places follow from indexes: all rows are equally high. */
export function useMoves(body: RefObject<HTMLTableSectionElement | null>, { boards, rows }: BoardState): void {
  const shown = useRef({ boards, rows });
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { boards, rows };
    if (body.current === null || before.rows === rows || before.boards !== boards || calm.matches) return;
    animate(body.current, before.rows, rows);
  }, [boards, rows]);
}

function animate(body: HTMLTableSectionElement, before: BoardState['rows'], now: BoardState['rows']): void {
  const known = new Map(
    before.map(({ participantId, bestLap: { lapId } }, index) => [participantId, { index, lapId }] as const),
  );
  const changed = now.flatMap(({ participantId, bestLap: { lapId } }, index) => {
    const was = known.get(participantId);
    const same = was?.index === index && was.lapId === lapId;
    return same ? [] : [{ index, from: was?.index ?? before.length, better: was?.lapId !== lapId }];
  });
  if (changed.length === 0) return;
  const { first, last, height } = inSight(body);
  const within = (index: number): number => Math.min(Math.max(index, first), last);
  for (const { index, from, better } of changed) {
    const row = body.children[index];
    const [start, end] = [within(from), within(index)];
    if (row === undefined || (end !== index && start !== from)) continue;
    if (start !== end) {
      row.animate([{ transform: `translateY(${(start - end) * height}px)` }, { transform: 'none' }], MOVE);
    }
    if (better) row.animate([{ backgroundColor: 'var(--flash)' }, {}], FLASH_MS);
  }
}

function inSight(body: HTMLTableSectionElement) {
  const { top, height: whole } = body.getBoundingClientRect();
  const height = whole / Math.max(body.children.length, 1);
  const first = Math.floor(-top / Math.max(height, 1)) - BEYOND;
  return { first, last: first + Math.ceil(innerHeight / Math.max(height, 1)) + 2 * BEYOND, height };
}
