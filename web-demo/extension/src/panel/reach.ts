// Whether the extension may access a server, which the browser asks the person.

import { GitgateError } from 'gitgate/extension';

/** Only a person's click may lead here. */
export async function mayReach({ protocol, hostname }: URL): Promise<void> {
  const isGranted = await chrome.permissions.request({ origins: [`${protocol}//${hostname}/*`] });
  if (!isGranted) throw new GitgateError('refused', 'the browser may not reach that server', 'allow it when it asks');
}
