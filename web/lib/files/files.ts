// Hands a file to the browser as a download.
// Names of files as the store takes them.
// Sizes of files in words.

/** @param name with its ending */
export function download(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** @returns the name with only characters that every store and address takes; its ending stays */
export function storableName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '');
  return plain.slice(-100) || 'file';
}

/** @param size in bytes @returns for example "312 kB" or "2.4 MB" */
export function formatBytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 999_500) return `${Math.round(size / 1000)} kB`;
  return `${(size / 1e6).toFixed(1)} MB`;
}
