import { useEffect, useState } from 'preact/hooks';
import type { Paging } from './paging.ts';

/**
 * The page of rows that is shown, from 0, which turns by itself.
 * @param paging of the rows; one page: nothing turns but the layouts
 * @param onEnd called after the last page; keep its identity with `useCallback`; null: then comes the first page again
 */
export function useTurning(paging: Paging, onEnd: (() => void) | null): number {
  const [page, show] = useState(0);
  const { pages, seconds } = paging;
  const isLast = page >= pages - 1;
  const isTurning = pages > 1 || onEnd !== null;
  useEffect(() => {
    if (!isTurning) return;
    const turn = (): void => {
      show(isLast ? 0 : page + 1);
      if (isLast) onEnd?.();
    };
    const timer = setInterval(turn, seconds * 1_000);
    return () => clearInterval(timer);
  }, [page, isLast, isTurning, seconds, onEnd]);
  return Math.min(page, pages - 1);
}
