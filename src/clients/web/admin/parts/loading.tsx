import { t } from '../../shared/page.ts';
import { loading, unreachable } from '../../texts/common.ts';
import { Problem } from './notice.tsx';
import type { Loaded } from './use-loaded.ts';

/** The state of reading data, unless it is loaded. */
export function Loading({ of }: { readonly of: Pick<Loaded<unknown>, 'data' | 'refused' | 'waiting'> }) {
  if (of.refused !== null) return <Problem error={of.refused} />;
  if (of.waiting) return <p role="status">{t(unreachable)}</p>;
  return of.data === null ? <p role="status">{t(loading)}</p> : null;
}
