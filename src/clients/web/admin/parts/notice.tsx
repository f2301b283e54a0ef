import { Refused, Unanswered } from '../api/client.ts';
import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';

/** The message of an error, for people. */
export function messageOf(error: unknown): string {
  if (error instanceof Refused) {
    if (error.status === 403) return t(say.notAllowed, { detail: error.message });
    if (error.status === 404) return t(say.notFound);
    return error.message;
  }
  if (error instanceof Unanswered) return t(say.noAnswer);
  return error instanceof Error ? error.message : String(error);
}

/** An error, if there is one; screen readers announce it immediately. */
export function Problem({ error }: { readonly error: unknown }) {
  if (error === null || error === '') return null;
  return (
    <p role="alert" class="problem">
      {typeof error === 'string' ? error : messageOf(error)}
    </p>
  );
}
