import '../shared/theme.css';
import './admin.css';
import { render } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { t } from '../shared/page.ts';
import { loading, service } from '../texts/common.ts';
import * as say from '../texts/admin.ts';
import { Shell } from './pages/shell.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { forgetKey, isRefusedKey, keptKey, SessionContext, signIn, type Session } from './session.ts';

/** The administration: the sign-in until there is a session, then its pages. */
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
  return kept === null ? <SignIn why={why} onSignIn={enter} /> : <p role="status">{t(loading)}</p>;
}

document.title = `${t(say.administration)} – ${t(service)}`;
const root = document.getElementById('app');
if (root !== null) render(<Admin />, root);
