/** @param size bytes @returns for example "312 kB" or "2.4 MB" */
export function formatBytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 999_500) return `${Math.round(size / 1000)} kB`;
  return `${(size / 1e6).toFixed(1)} MB`;
}
