import '../shared/theme.css';
import './missing.css';
import { render } from 'preact';
import { linkTo, t } from '../shared/page.ts';
import common from '../texts/common.json' with { type: 'json' };
import say from '../texts/missing.json' with { type: 'json' };

/** Shown at addresses that have no page. */
function Missing() {
  return (
    <main>
      <h1>{t(say.heading)}</h1>
      <p>{t(say.meaning)}</p>
      <nav aria-label={t(common.service)}>
        <a href={linkTo('/')}>{t(say.eventList)}</a>
        <a href={linkTo('/admin')}>{t(say.administration)}</a>
      </nav>
    </main>
  );
}

document.title = `${t(say.heading)} – ${t(common.service)}`;
const root = document.getElementById('app');
if (root !== null) render(<Missing />, root);
