/** @returns for example "Bank account" */
export const inSentence = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** @returns for example "Bank Account" */
export const inTitle = (name: string) => name.split(' ').map(inSentence).join(' ');
