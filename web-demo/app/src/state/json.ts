// Reads JSON without a known type.

import type { Json } from 'gitgate';

export type Row = { [name: string]: Json };

export const row = (value: Json | undefined): Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
export const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
export const rows = (value: Json | undefined): Row[] => list(value).map(row);
export const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
export const number = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

/** A path relative to the workspace. */
export const inside = (path: string): string => path.replace(/^\/workspace\//, '');
