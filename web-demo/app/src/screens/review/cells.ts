/** Whether a file is shown as cells, for who wants that. */
export const isNotebook = (path: string): boolean => path.toLowerCase().endsWith('.ipynb');
