// The corner of each screen: the theme and the keys.

import { overlay } from '../state/dialog.js';
import { nextTheme, theme } from '../state/prefs.js';
import { Button } from './bits.js';

/** If there is room, it names the theme. */
export function Corner({ hasRoom = false }: { hasRoom?: boolean }) {
  const named = hasRoom ? {} : { label: 'Light or dark' };
  return (
    <>
      <Button kind="quiet" icon="theme" title="Light or dark (t)" onClick={nextTheme} {...named}>
        {hasRoom && theme.value}
      </Button>
      <Button
        kind="quiet"
        icon="keys"
        label="Show all keys"
        title="Show all keys (?)"
        onClick={() => (overlay.value = 'keys')}
      />
    </>
  );
}
