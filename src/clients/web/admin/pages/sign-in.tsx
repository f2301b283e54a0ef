import { useState } from 'preact/hooks';
import { linkTo, t } from '../../shared/page.ts';
import { TextInput, ThemeSwitch } from '../../shared/controls.tsx';
import * as say from '../../texts/admin.ts';
import { Problem, useAction } from '../parts/problem.tsx';
import { isRefusedKey } from '../session.ts';

interface SignInProps {
  /** Why a session ended; empty if there was none. */
  readonly why: string;
  readonly onSignIn: (token: string) => Promise<void>;
}

/** The sign-in with an API key. */
export function SignIn({ why, onSignIn }: SignInProps) {
  const [token, setToken] = useState('');
  const { busy, failure, run } = useAction();
  return (
    <main class="sign-in">
      <h1>{t(say.administration)}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run(() => onSignIn(token.trim()));
        }}
      >
        <Problem error={failure === null ? why : isRefusedKey(failure) ? t(say.keyUnknown) : failure} />
        <label for="token">{t(say.key)}</label>
        <TextInput
          id="token"
          class="field code"
          type="password"
          required
          aria-describedby="token-hint"
          value={token}
          onText={setToken}
        />
        <p id="token-hint" class="hint">
          {t(say.keyHint)}
        </p>
        <button type="submit" class="button primary" disabled={busy}>
          {t(say.signIn)}
        </button>
      </form>
      <p class="actions">
        <a href={linkTo('/')}>{t(say.toEvents)}</a>
        <ThemeSwitch />
      </p>
    </main>
  );
}
