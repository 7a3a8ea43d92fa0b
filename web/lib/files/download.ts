/** @returns the text as a part of a file's name, for example "ducor-hotel" */
export const toFileName = (text: string): string =>
  text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** @param name with its extension */
export function download(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
