import { Button } from '../../shared/button.tsx';
import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';

/** The button that closes a dialog without a change. */
export function Cancel({ onCancel }: { readonly onCancel: () => void }) {
  return <Button onClick={onCancel}>{t(say.cancel)}</Button>;
}
