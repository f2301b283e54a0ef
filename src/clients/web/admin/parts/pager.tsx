import { Button } from '../../shared/controls.tsx';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };

interface PagerProps {
  readonly total: number;
  /** Number of pages; 0: there is nothing. */
  readonly pages: number;
  /** Index of the page that is shown, from 0. */
  readonly number: number;
  readonly onPage: (index: number) => void;
}

/** Says which page of a list is shown, and leads to those before and after it. */
export function Pager({ total, pages, number, onPage }: PagerProps) {
  return (
    <nav class="pager" aria-label={t(say.pages)}>
      <p role="status">{t(say.count, { total, page: number + 1, pages: Math.max(pages, 1) })}</p>
      {pages > 1 && (
        <>
          <Button label={t(say.previous)} disabled={number === 0} onClick={() => onPage(number - 1)} />
          <Button label={t(say.next)} disabled={number + 1 >= pages} onClick={() => onPage(number + 1)} />
        </>
      )}
    </nav>
  );
}
