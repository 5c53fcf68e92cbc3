// What the host and the tools say to agents, and to whoever has a command line, in words of the page.

interface Said {
  message: string;
  hint: string;
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);

/** Whether a push failed because the sandbox came from nowhere that it could go to. */
export const isWithoutTarget = (message: string): boolean => message.startsWith('target is required');

/** `api` is the address of GitHub's API, where that is not GitHub's own. */
export function words({ message, hint }: Said, api?: string): Said {
  const [, branch] = /^couldn't find remote ref (.+)$/s.exec(message) ?? [];
  if (branch !== undefined) {
    return { message: `the repository has no branch '${branch}'`, hint: 'look how it is spelled there' };
  }
  if (message.endsWith("the repository's HEAD is detached")) {
    return { message: 'the repository does not say which branch to begin with', hint: 'name the branch' };
  }
  if (isWithoutTarget(message)) {
    return { message: 'this sandbox has no place to push to', hint: 'its commits can leave as a bundle' };
  }
  if (message.startsWith('the base of GitHub ')) {
    return {
      message: message.replace('the base of GitHub', 'the API address'),
      hint: 'give one such as https://api.github.com or https://HOST/api/v3',
    };
  }
  if (message === 'GitHub does not answer' && api) {
    return { message: `${hostOf(api)} does not answer`, hint: 'check the API address and your network' };
  }
  return { message, hint };
}
