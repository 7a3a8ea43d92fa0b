// Prints measured figures as Markdown tables.

export const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
export const milliseconds = (ms) => `${ms.toFixed(2)} ms`;
export const megabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

/** @param {number[]} values at least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** @param {number[]} values @param {number} share for example 0.95 @returns {number | undefined} the value that this share is at most */
export const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1];

/** @param {string[]} head @param {string[][]} rows */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  console.log([line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'));
}
