import '../shared/theme.css';
import '../live/ranks.css';
import './overlay.css';
import { render } from 'preact';
import { query } from '../shared/page.ts';
import { readOptions } from './options.ts';
import { Overlay } from './overlay.tsx';
import { withoutBase } from '../shared/base.ts';

const root = document.getElementById('app');
const [, , eventId = ''] = withoutBase(location.pathname).split('/');
const { options, faults } = readOptions(query);
// Nothing but the board may show over a video, so faults become comments in the document, for whoever sets it up.
for (const fault of faults) document.body.append(document.createComment(fault));
if (root !== null) render(<Overlay eventId={decodeURIComponent(eventId)} options={options} />, root);
