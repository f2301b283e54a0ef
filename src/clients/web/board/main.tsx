import '../shared/theme.css';
import '../live/ranks.css';
import './board.css';
import { render } from 'preact';
import { Board } from './board.tsx';
import { withoutBase } from '../shared/base.ts';

const root = document.getElementById('app');
const [, , eventId = ''] = withoutBase(location.pathname).split('/');
if (root !== null) render(<Board eventId={decodeURIComponent(eventId)} />, root);
