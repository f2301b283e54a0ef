import '../shared/theme.css';
import './results.css';
import { render } from 'preact';
import { idInPath } from '../live/parameters.ts';
import { withoutBase } from '../shared/base.ts';
import { t } from '../shared/page.ts';
import live from '../texts/live.json' with { type: 'json' };
import { NoResults, ResultsPage } from './results.tsx';

const root = document.getElementById('app');
const [, , eventId = ''] = withoutBase(location.pathname).split('/');
const id = idInPath(eventId);
if (root !== null) render(id === null ? <NoResults text={t(live.noId)} /> : <ResultsPage eventId={id} />, root);
