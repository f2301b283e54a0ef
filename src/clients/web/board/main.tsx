import '../shared/theme.css';
import '../live/ranks.css';
import './board.css';
import { render } from 'preact';
import { idInPath } from '../live/parameters.ts';
import { withoutBase } from '../shared/base.ts';
import live from '../texts/live.json' with { type: 'json' };
import { Board } from './board.tsx';
import { NoEvent } from './status.tsx';

const root = document.getElementById('app');
const [, , eventId = ''] = withoutBase(location.pathname).split('/');
const id = idInPath(eventId);
if (root !== null) render(id === null ? <NoEvent text={live.noId} /> : <Board eventId={id} />, root);
