import '../../../app/src/style/index.css';
import './panel.css';

import { effect } from '@preact/signals';
import { render } from 'preact';

import { layout } from '../../../app/src/state/prefs.js';
import { currentName } from '../../../app/src/state/route.js';
import { attempt } from '../../../app/src/state/toast.js';
import { onKey } from './keys.js';
import { follow, loadAccount } from './link.js';
import { look } from './open.js';
import { Panel } from './panel.js';
import { takePlace } from './place.js';

// A side panel is too narrow for two columns.
if (innerWidth < 700) layout.value = 'unified';
takePlace();
addEventListener('keydown', onKey);

effect(() => look(currentName.value));

const root = document.getElementById('app');
if (!root) throw new Error('the page has no place for the panel');
render(<Panel />, root);
attempt(loadAccount);
void follow();
