import type { Directory } from './directory.js';
import type { SandboxObject } from './sandbox.js';

/** The worker's bindings. */
export interface Env {
  SANDBOXES: DurableObjectNamespace<SandboxObject>;
  DIRECTORY: DurableObjectNamespace<Directory>;
  /** The operator's token. A secret. */
  OPERATOR_TOKEN: string;
  /** A token for GitHub. A secret. Without one, only public data is readable. */
  GITHUB_TOKEN?: string;
  /** Default: https://api.github.com. */
  GITHUB_API_URL?: string;
  /** How long GitHub may be silent, in seconds, 1 to 600. Default: 30. */
  GITHUB_TIMEOUT?: string;
  /**
   * Who signs in at git servers, as git-credential-store keeps it: lines `https://user:password@host`. A secret.
   * Without one, only public repositories are readable.
   */
  GIT_CREDENTIALS?: string;
  /** The text of `gitgate.toml`, for all sandboxes. */
  CONFIG?: string;
  /** The text of a policy file, for all sandboxes. */
  RULES?: string;
  /** The worker's hosts, separated by spaces. Default: those that the platform routes. */
  ALLOW_HOSTS?: string;
  /** The origins of further pages that may call the worker, separated by spaces. */
  ALLOW_ORIGINS?: string;
  /** The page, if this worker serves it. */
  ASSETS?: Fetcher;
}
