import { useEffect, useState } from 'preact/hooks';

/** Whether rows are shown by pages: on every screen with room, on none, or (null) on walls. */
export type PagesChoice = 'on' | 'off' | null;

/** Screens that have room for pages at all. */
const roomy = matchMedia('(min-width: 64rem) and (min-height: 35rem)');
/** Screens across the room. */
const wide = matchMedia('(min-width: 100rem)');
/** A browser in kiosk mode. */
const kiosk = matchMedia('(display-mode: fullscreen)');
const calm = matchMedia('(prefers-reduced-motion: reduce)');

function isWall(choice: PagesChoice): boolean {
  if (!roomy.matches || choice === 'off') return false;
  if (choice === 'on') return true;
  const isFull = kiosk.matches || document.fullscreenElement !== null;
  return (wide.matches || isFull) && !calm.matches;
}

/** Whether the board is shown by pages, as high as the screen. */
export function useWall(choice: PagesChoice): boolean {
  const [shown, show] = useState(() => isWall(choice));
  useEffect(() => {
    const update = (): void => show(isWall(choice));
    update();
    const over = new AbortController();
    const { signal } = over;
    for (const query of [roomy, wide, kiosk, calm]) query.addEventListener('change', update, { signal });
    document.addEventListener('fullscreenchange', update, { signal });
    return () => over.abort();
  }, [choice]);
  return shown;
}
