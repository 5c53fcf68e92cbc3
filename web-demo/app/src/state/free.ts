/** A name that is not taken, from what is wanted. */
export function free(wanted: string, taken: string[]): string {
  let name = wanted;
  for (let count = 2; taken.includes(name); count += 1) name = `${wanted}-${count}`;
  return name;
}
