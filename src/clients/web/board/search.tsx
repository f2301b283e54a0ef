import { Button, TextInput } from '../shared/controls.tsx';
import { finder, searchable } from '../shared/fold.ts';
import { t } from '../shared/page.ts';
import say from '../texts/board.json' with { type: 'json' };
import type { BoardPage } from './use-board.ts';

/** Most drivers that are offered to be followed. */
const MOST_OFFERED = 3;

/** Whether a driver is searched, by the name; all are when nothing is typed. */
export function searchOf(text: string): (name: string) => boolean {
  if (text.trim() === '') return () => true;
  const finds = finder(text);
  return (name) => finds(searchable(name));
}

interface SearchProps {
  readonly board: BoardPage;
  readonly searched: string;
  readonly search: (text: string) => void;
  readonly isSearched: (name: string) => boolean;
}

/** Searches drivers, and lets people choose the one whose row stays on top. */
export function Search({ board: { state, choices, choose }, searched, search, isSearched }: SearchProps) {
  const followed = state.rows.find(({ participantId }) => participantId === choices.driver);
  const found = searched.trim() === '' ? [] : state.rows.filter(({ participantName }) => isSearched(participantName));
  const follow = (driver: string | null): void => {
    choose({ driver });
    search('');
  };
  return (
    <search class="search">
      <TextInput
        type="search"
        aria-label={t(say.findDriver)}
        placeholder={t(say.findDriver)}
        value={searched}
        onText={search}
      />
      {found.slice(0, MOST_OFFERED).map(({ participantId, participantName: name }) => (
        <Button key={participantId} label={t(say.follow, { name })} onClick={() => follow(participantId)} />
      ))}
      {searched !== '' && found.length === 0 && <p role="status">{t(say.nobodyFound)}</p>}
      {followed !== undefined && searched === '' && (
        <Button label={t(say.stopFollowing, { name: followed.participantName })} onClick={() => follow(null)} />
      )}
    </search>
  );
}
