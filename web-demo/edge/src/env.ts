import type { Directory } from './directory.js';
import type { SandboxObject } from './sandbox.js';

/** What the worker is bound to. */
export interface Env {
  SANDBOXES: DurableObjectNamespace<SandboxObject>;
  DIRECTORY: DurableObjectNamespace<Directory>;
  /** The operator's token. A secret. */
  OPERATOR_TOKEN: string;
  /** A token for GitHub. A secret. Without one, what is public can be read. */
  GITHUB_TOKEN?: string;
  /** Default: https://api.github.com. */
  GITHUB_API_URL?: string;
  /** Seconds for which a request to GitHub may be silent, 1 to 600. Default: 30. */
  GITHUB_TIMEOUT?: string;
  /** The text of `gitgate.toml`, for all sandboxes. */
  CONFIG?: string;
  /** The text of a policy file, for all sandboxes. */
  RULES?: string;
  /** The hosts by which the worker is reached, with spaces between them. Default: those that the platform routes. */
  ALLOW_HOSTS?: string;
  /** Where pages are from that may ask besides the worker's own, with spaces between them. */
  ALLOW_ORIGINS?: string;
  /** The page, if it is served from here. */
  ASSETS?: Fetcher;
}
