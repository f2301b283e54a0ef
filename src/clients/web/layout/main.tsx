import '../shared/theme.css';
import '../live/ranks.css';
import '../board/board.css';
import { render } from 'preact';
import { idInPath } from '../live/parameters.ts';
import { withoutBase } from '../shared/base.ts';
import say from '../texts/layout.json' with { type: 'json' };
import { Layout, NoLayout } from './layout.tsx';

// It looks like the board of an event.
document.documentElement.classList.add('board');

const root = document.getElementById('app');
const [, , layoutId = ''] = withoutBase(location.pathname).split('/');
const id = idInPath(layoutId);
if (root !== null) render(id === null ? <NoLayout text={say.noId} /> : <Layout layoutId={id} />, root);
