import { grouped } from '#shared/count.ts';

/** @param minutes not negative @returns hours with one decimal, for example "1,234.5 h" */
export function formatHours(minutes: number): string {
  const [whole = '', tenth] = (minutes / 60).toFixed(1).split('.');
  return `${grouped(whole)}.${tenth} h`;
}
