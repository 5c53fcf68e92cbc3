// The stored data that the person sees.

/** An agent that a person allowed to use a sandbox. */
export interface Grant {
  /** The origin of its pages, or `chrome-extension://ID`. The browser reports it, not the agent. */
  agent: string;
  sandbox: string;
  /** The name it gave itself at the time. */
  name: string;
  /** Milliseconds since 1970. */
  since: number;
}

/** A call that waits for a person. */
export interface Waits {
  sandbox: string;
  id: string;
  tool: string;
  /** Seconds since 1970. */
  at: number;
  /** One line, for a call that stays inside. */
  summary: string | null;
}

/** The data that outlives all parts of the extension. */
export interface Kept {
  grants: Grant[];
  waits: Waits[];
}

/** An agent that asks and is not allowed yet. */
export interface Asking {
  id: string;
  agent: string;
  name: string;
  /** The sandbox that it wants. */
  sandbox: string | null;
}

/** The panel's data about all sandboxes. */
export interface State extends Kept {
  sandboxes: string[];
  asking: Asking[];
  /** The connected agents and their sandboxes. */
  here: { agent: string; sandbox: string }[];
}

/** The initial content of a new sandbox. */
export interface Begin {
  name: string;
  /** `owner/repo`. Without one, an empty repository. */
  github?: string;
  /** The address of a repository on any other git server. */
  git?: string;
  /** The branch there that pushes go to. Default: one of its own. */
  pushTo?: string;
  identity?: string;
}

export interface Account {
  isSignedIn: boolean;
  login: string | null;
  /** Whether the token outlives the browser. */
  isKept: boolean;
  /** The base of GitHub's API. */
  base: string;
  /** For the device flow, which is unavailable without one. */
  clientId: string;
  device: Device | null;
}

/** A sign-in that waits for a person to type the code at GitHub. */
export interface Device {
  code: string;
  address: string;
  /** Milliseconds until the next poll. */
  everyMs: number;
}
