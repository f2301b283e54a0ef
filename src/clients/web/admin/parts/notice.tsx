import { Refused, Unanswered } from '../api/client.ts';
import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';

/** What went wrong, in words for people. */
export function messageOf(error: unknown): string {
  if (error instanceof Refused) {
    if (error.status === 403) return t(say.notAllowed, { detail: error.message });
    if (error.status === 404) return t(say.notFound);
    return error.message;
  }
  if (error instanceof Unanswered) return t(say.noAnswer);
  return error instanceof Error ? error.message : String(error);
}

/** Something that went wrong, if anything did; screen readers say it at once. */
export function Problem({ error }: { readonly error: unknown }) {
  if (error === null || error === '') return null;
  return (
    <p role="alert" class="problem">
      {typeof error === 'string' ? error : messageOf(error)}
    </p>
  );
}
