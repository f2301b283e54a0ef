import '../shared/theme.css';
import './admin.css';
import './desk/desk.css';
import './imports/imports.css';
import './overlay/overlay.css';
import './tonight/tonight.css';
import { render } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Button, TextInput, ThemeSwitch } from '../shared/controls.tsx';
import { linkTo, t } from '../shared/page.ts';
import say from '../texts/admin.json' with { type: 'json' };
import common from '../texts/common.json' with { type: 'json' };
import { Shell } from './pages/shell.tsx';
import { Frame, Problem, useAction } from './parts/answers.tsx';
import { forgetKey, isRefusedKey, keptKey, SessionContext, signIn, type Session } from './session.ts';

function Admin() {
  const [session, setSession] = useState<Session | null>(null);
  const [kept, setKept] = useState(keptKey);
  const [why, setWhy] = useState('');
  const leave = useCallback((reason: string) => {
    forgetKey();
    setSession(null);
    setKept(null);
    setWhy(reason);
  }, []);
  const enter = useCallback(
    async (token: string) => {
      const entered = await signIn(token, () => leave(t(say.keyRefused)));
      setSession(entered);
      setWhy('');
    },
    [leave],
  );
  useEffect(() => {
    if (kept === null) return;
    enter(kept).catch((error: unknown) => {
      if (!isRefusedKey(error)) leave(t(say.noAnswer));
    });
  }, [kept, enter, leave]);
  if (session !== null) {
    return (
      <SessionContext.Provider value={session}>
        <Shell onSignOut={() => leave('')} />
      </SessionContext.Provider>
    );
  }
  return kept === null ? <SignIn why={why} onSignIn={enter} /> : <EmptyShell />;
}

/** The frame of the pages while the key that the tab has kept is checked. */
function EmptyShell() {
  return (
    <div class="shell">
      <header class="top">
        <a href={linkTo('/')}>{t(common.service)}</a>
      </header>
      <div class="menu" />
      <main>
        <Frame />
      </main>
    </div>
  );
}

/** `why`: why a session ended; empty if there was none. */
function SignIn({ why, onSignIn }: { readonly why: string; readonly onSignIn: (token: string) => Promise<void> }) {
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
        <Button label={t(say.signIn)} type="submit" kind="primary" disabled={busy} />
      </form>
      <p class="actions">
        <a href={linkTo('/')}>{t(say.toEvents)}</a>
        <ThemeSwitch />
      </p>
    </main>
  );
}

document.title = `${t(say.administration)} – ${t(common.service)}`;
const root = document.getElementById('app');
if (root !== null) render(<Admin />, root);
