// The monthly report of a client, for the office and for the client's portal, which loads this with the first report.
import { format, parseISO, subMonths } from 'date-fns';
import { type ClientMonth, clientMonthSchema } from '#shared/documents/client-month.ts';
import { withFonts } from '#shared/documents/wide-font.ts';
import { download, toFileName } from '../files/download.ts';

/** @param answer of the function client_month */
export const readClientMonth = (answer: unknown): ClientMonth => clientMonthSchema.parse(answer);

/** The PDF library loads on demand. */
export async function downloadClientMonth(month: ClientMonth): Promise<void> {
  const { clientMonthPdf } = await import('#shared/documents/client-month-pdf.ts');
  const name = toFileName(month.client);
  const paper = await withFonts(() => clientMonthPdf(month));
  download(`monthly-report-${name}-${month.from.slice(0, 7)}.pdf`, paper.pdf.output('blob'));
}

const MONTHS = 13;

/** @param today yyyy-MM-dd @returns first days of the last months, the present one first */
export function recentMonths(today: string): string[] {
  const first = parseISO(`${today.slice(0, 7)}-01`);
  return Array.from({ length: MONTHS }, (_, back) => format(subMonths(first, back), 'yyyy-MM-dd'));
}

/** @param month yyyy-MM-dd @returns for example "March 2031" */
export const monthName = (month: string): string => format(parseISO(month), 'MMMM yyyy');
