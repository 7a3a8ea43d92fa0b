// How numbers of things look. By ourselves: the first Intl.NumberFormat of a page costs a slow phone 50 ms.

/** @returns a row of digits with thousands commas */
export const grouped = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** @param count a whole number @returns for example "10,000" */
export function formatCount(count: number): string {
  const digits = grouped(String(Math.abs(count)));
  return count < 0 ? `-${digits}` : digits;
}

const UNITS = ['', 'K', 'M', 'B', 'T'];

/** @returns at most three figures and one decimal before the unit, for example "1.2K" or "950"; for the scale of a chart */
export function formatCompact(value: number): string {
  let size = Math.abs(value);
  let unit = 0;
  // 999,950 rounds to 1,000 K, which is shown as 1 M.
  while (size >= 999.95 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const text = `${grouped(String(Math.round(size * 10) / 10))}${UNITS[unit]}`;
  return value < 0 ? `-${text}` : text;
}
