import { Button } from '../../shared/button.tsx';
import { objectOf, textOf, type Json } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';
import { Copied } from './copy.tsx';
import { Dialog } from './dialog.tsx';

/** The token in an answer that made a key, or null. */
export function tokenIn(answer: Json | undefined): string | null {
  const { token, apiKey } = objectOf(answer);
  return textOf(token) || textOf(objectOf(apiKey)['token']) || null;
}

/** Shows a token, only this once: it is not stored anywhere. */
export function TokenDialog({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  return (
    <Dialog title={t(say.newKey)} onClose={onClose} keepsOpen>
      <p>{t(say.tokenOnce)}</p>
      <Copied text={token} label={t(say.token)} />
      <div class="actions">
        <Button kind="primary" onClick={onClose}>
          {t(say.done)}
        </Button>
      </div>
    </Dialog>
  );
}
