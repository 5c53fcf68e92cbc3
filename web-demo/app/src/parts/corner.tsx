// What each screen has in its corner: the theme, and the keys.

import { overlay } from '../state/dialog.js';
import { nextTheme, theme } from '../state/prefs.js';
import { Button } from './bits.js';

/** Where there is room, the theme is named. */
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
