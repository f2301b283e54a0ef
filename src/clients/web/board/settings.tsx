import { useEffect, useState } from 'preact/hooks';
import { Button, Select, ThemeSwitch } from '../shared/controls.tsx';
import { t } from '../shared/page.ts';
import say from '../texts/board.json' with { type: 'json' };
import type { GapTo } from './choices.ts';
import type { BoardPage } from './use-board.ts';

/** Delays to choose from, in s; the address accepts others. */
const DELAYS: readonly number[] = [0, 5, 10, 30, 60, 120, 300];

export function Settings({ choices: { gapTo: gap, delay }, choose }: BoardPage) {
  const delays = DELAYS.includes(delay) ? DELAYS : [...DELAYS, delay];
  return (
    <section class="settings" aria-label={t(say.settings)}>
      <label>
        {t(say.gapTo)}{' '}
        <Select<GapTo>
          value={gap}
          options={[
            ['leader', t(say.toLeader)],
            ['next', t(say.toNext)],
          ]}
          onChange={(chosen) => choose({ gapTo: chosen })}
        />
      </label>
      <label>
        {t(say.delay)}{' '}
        <Select
          value={delay}
          options={delays.map((seconds) => [seconds, seconds === 0 ? t(say.noDelay) : t(say.secondsOf, { seconds })])}
          onChange={(seconds) => choose({ delay: seconds })}
        />
      </label>
      <ThemeSwitch />
      <FullScreen />
    </section>
  );
}

function FullScreen() {
  const [full, show] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const update = (): void => show(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', update);
    return () => document.removeEventListener('fullscreenchange', update);
  }, []);
  if (!document.fullscreenEnabled) return null;
  // If the browser refuses, the button keeps showing the actual state.
  const change = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
    // A button with the focus would keep the controls visible; Tab goes on from here all the same.
    currentTarget.blur();
    const changed = full ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    changed.catch(() => show(document.fullscreenElement !== null));
  };
  return <Button onClick={change}>{t(full ? say.leaveFullScreen : say.fullScreen)}</Button>;
}
