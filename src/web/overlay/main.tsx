import '../shared/theme.css';
import { render } from 'preact';
import { t } from '../shared/page.ts';
import { loading } from '../texts/common.ts';

const root = document.getElementById('app');
if (root !== null) render(<p>{t(loading)}</p>, root);
