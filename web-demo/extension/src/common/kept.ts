// What is kept for the person, and shown to them.

/** An agent that a person has allowed to use a sandbox. */
export interface Grant {
  /** The origin of its pages, or `chrome-extension://ID`. The browser says so, not the agent. */
  agent: string;
  sandbox: string;
  /** What it called itself when it was allowed. */
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

/** What outlives all parts of the extension. */
export interface Kept {
  grants: Grant[];
  waits: Waits[];
}

/** An agent that has asked, and was not allowed yet. */
export interface Asking {
  id: string;
  agent: string;
  name: string;
  /** The sandbox that it would like. */
  sandbox: string | null;
}

/** What the panel shows of all sandboxes. */
export interface State extends Kept {
  sandboxes: string[];
  asking: Asking[];
  /** Which agents are connected, and to what. */
  here: { agent: string; sandbox: string }[];
}

/** What a new sandbox begins with. */
export interface Begin {
  name: string;
  /** `owner/repo`. Without one, an empty repository. */
  github?: string;
  identity?: string;
}

export interface Account {
  isSignedIn: boolean;
  login: string | null;
  /** Whether the token outlives the browser. */
  isKept: boolean;
  /** The base of GitHub's API. */
  base: string;
  /** Of the device flow. Without one there is none. */
  clientId: string;
  device: Device | null;
}

/** A sign-in that waits for a person to type the code at GitHub. */
export interface Device {
  code: string;
  address: string;
  /** Milliseconds until it is asked about again. */
  everyMs: number;
}
