/** An unused name, derived from the wanted one. */
export function free(wanted: string, taken: string[]): string {
  let name = wanted;
  for (let count = 2; taken.includes(name); count += 1) name = `${wanted}-${count}`;
  return name;
}
