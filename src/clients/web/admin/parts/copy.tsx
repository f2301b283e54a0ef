import { useRef, useState } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';

/** A text with a copy button; where the page may not write to the clipboard, the text is selected. */
export function Copied({ text, label }: { readonly text: string; readonly label: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(t(say.copied));
    } catch {
      // No clipboard here, or no permission to use it.
      input.current?.select();
      setSaid(t(say.copyYourself));
    }
  };
  return (
    <div class="copied">
      <label>
        {label}
        <input ref={input} class="field code" readOnly value={text} autocomplete="off" />
      </label>
      <Button onClick={() => void copy()}>{t(say.copy)}</Button>
      <span role="status">{said}</span>
    </div>
  );
}
