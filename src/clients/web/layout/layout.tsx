import { useEffect, useMemo, useState } from 'preact/hooks';
import { Standings } from '../board/standings.tsx';
import { PANEL, Tabs } from '../board/tabs.tsx';
import { useWall, type PagesChoice } from '../board/use-wall.ts';
import { VenueMark } from '../board/venue-mark.tsx';
import { layoutName } from '../live/layout-names.ts';
import { id, oneOf, parameterReader } from '../live/parameters.ts';
import { ThemeSwitch } from '../shared/controls.tsx';
import { useNow } from '../shared/hooks.ts';
import type { Text } from '../shared/language.ts';
import { keepInAddress, linkTo, query, t } from '../shared/page.ts';
import board from '../texts/board.json' with { type: 'json' };
import common from '../texts/common.json' with { type: 'json' };
import say from '../texts/layout.json' with { type: 'json' };
import { PERIODS, type Period } from './period.ts';
import { useLayoutBoard, type LayoutBoardPage } from './use-layout-board.ts';

/** How often, in ms, what was news is looked through for what is no longer. */
const NEWS_MS = 5_000;

const NONE_WON: ReadonlyMap<string, number> = new Map();

const isPeriod = (text: string): text is Period => PERIODS.some((period) => period === text);

export function Layout({ layoutId }: { readonly layoutId: string }) {
  const read = parameterReader(query);
  const [period, setPeriod] = useState<Period>(() => read('period', oneOf(PERIODS), 'today'));
  const licenseId = useMemo(() => read('license', id, null), []);
  const carClassId = useMemo(() => read('class', id, null), []);
  const pages: PagesChoice = useMemo(() => read('pages', oneOf(['on', 'off']), null), []);
  useEffect(() => keepInAddress({ period: period === 'today' ? null : period }), [period]);
  const choices = useMemo(() => ({ layoutId, period, licenseId, carClassId }), [layoutId, period]);
  const page = useLayoutBoard(choices);
  const isWall = useWall(pages);
  const now = useNow(NEWS_MS);
  if (page.outcome === 'missing') return <NoLayout text={say.noLayout} />;
  const { state, venue } = page;
  const tabs = PERIODS.map((name) => ({ id: name, name: t(say[name]) }));
  return (
    <div class={isWall ? 'page wall' : 'page'}>
      <header class="top">
        <Title {...page} />
        <VenueMark venue={venue} />
        <ThemeSwitch />
      </header>
      <main class={state.head === null ? 'loading' : ''}>
        <nav class="choosing">
          <Tabs
            label={t(say.periods)}
            tabs={tabs}
            selected={period}
            onSelect={(chosen) => {
              if (isPeriod(chosen)) setPeriod(chosen);
            }}
          />
        </nav>
        <p class="message" role="status">
          {messageOf(page)}
        </p>
        <div class="content alone" id={PANEL} role="tabpanel" aria-label={t(say[period])}>
          <Standings
            state={state}
            gapTo="leader"
            isWall={isWall}
            now={now}
            classes={null}
            won={NONE_WON}
            onEnd={null}
          />
        </div>
      </main>
    </div>
  );
}

function Title({ layout }: LayoutBoardPage) {
  const name = layout === null ? '' : layoutName(layout.displayName, layout.trackDisplayName);
  useEffect(() => {
    if (name !== '') document.title = t(say.bestLaps, { layout: name });
  }, [name]);
  return (
    <div class="title">
      <a class="back" href={linkTo('/')} aria-label={t(board.allEvents)}>
        <span aria-hidden="true">‹</span>
      </a>
      <div>
        <h1>
          <bdi>{name === '' ? t(common.loading) : name}</bdi>
        </h1>
      </div>
    </div>
  );
}

function messageOf({ state, outcome, failed }: LayoutBoardPage): string {
  if (outcome === 'refused') return t(say.refused);
  if (failed) return t(common.unreachable);
  if (state.head === null) return t(common.loading);
  return state.rows.length === 0 ? t(say.noLaps) : '';
}

/** Says why there is no board. */
export function NoLayout({ text }: { readonly text: Text }) {
  return (
    <main class="no-event">
      <h1>{t(text)}</h1>
      <a href={linkTo('/')}>{t(board.allEvents)}</a>
    </main>
  );
}
