import type { ToolArguments, ToolResults } from '../generated/tools.js';

export type { ToolArguments, ToolResults };

/** The name of a tool. */
export type ToolName = keyof ToolArguments;

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * The description of a tool for an agent. `schema` is the JSON schema of its arguments, `outputSchema` that
 * of its structured result.
 */
export interface ToolSpec {
  name: string;
  description: string;
  toolsets: string[];
  schema: string;
  outputSchema: string;
  /** Whether only the user may call it, unless the sandbox is configured otherwise. */
  manual: boolean;
  readOnly: boolean;
}
