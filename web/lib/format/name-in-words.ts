/** @param name of a table or column @returns for example "Leave requests" or "Shift start" */
export function nameInWords(name: string): string {
  const spaced = name.replace(/_(id|at|path)$/, '').replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
