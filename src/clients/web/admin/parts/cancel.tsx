import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';

/** The button that leaves things as they are. */
export function Cancel({ onCancel }: { readonly onCancel: () => void }) {
  return (
    <button type="button" class="button" onClick={onCancel}>
      {t(say.cancel)}
    </button>
  );
}
