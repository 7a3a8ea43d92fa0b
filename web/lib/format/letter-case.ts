/** @returns for example "Bank account" */
export const inSentence = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** @returns for example "Bank Account" */
export const inTitle = (name: string) => name.split(' ').map(inSentence).join(' ');

/** @param name of a table or column @returns for example "Leave requests" or "Shift start" */
export function nameInWords(name: string): string {
  const spaced = name.replace(/_(id|at|path)$/, '').replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
