/** Replaces characters that are not safe in storage paths and URLs. Keeps the extension. */
export function storableName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '');
  return plain.slice(-100) || 'file';
}
