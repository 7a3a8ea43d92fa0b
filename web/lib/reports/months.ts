import { format, parseISO, subMonths } from 'date-fns';

const MONTHS = 13;

/** @param today yyyy-MM-dd @returns first days of the last months, the present one first */
export function recentMonths(today: string): string[] {
  const first = parseISO(`${today.slice(0, 7)}-01`);
  return Array.from({ length: MONTHS }, (_, back) => format(subMonths(first, back), 'yyyy-MM-dd'));
}

/** @param month yyyy-MM-dd @returns for example "March 2031" */
export const monthName = (month: string): string => format(parseISO(month), 'MMMM yyyy');
