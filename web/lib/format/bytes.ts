/** @param size bytes @returns for example "312 kB", "2.4 MB" or "51.0 GB" */
export function formatBytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 999_500) return `${Math.round(size / 1000)} kB`;
  if (size < 999.95e6) return `${(size / 1e6).toFixed(1)} MB`;
  return `${(size / 1e9).toFixed(1)} GB`;
}
