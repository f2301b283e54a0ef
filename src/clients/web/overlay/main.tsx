import '../shared/theme.css';
import '../live/ranks.css';
import './overlay.css';
import { render } from 'preact';
import { idInPath } from '../live/parameters.ts';
import { withoutBase } from '../shared/base.ts';
import { query } from '../shared/page.ts';
import { readOptions } from './options.ts';
import { NoId, Overlay } from './overlay.tsx';

const root = document.getElementById('app');
const [, , eventId = ''] = withoutBase(location.pathname).split('/');
const { options, faults } = readOptions(query);
// Nothing but the board may show over a video, so faults become comments in the document, for the person who sets it up.
for (const fault of faults) document.body.append(document.createComment(fault));
const id = idInPath(eventId);
if (root !== null) render(id === null ? <NoId options={options} /> : <Overlay eventId={id} options={options} />, root);
