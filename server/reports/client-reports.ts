// Mails the monthly reports of clients, with the PDF, on the first days of the next month.

import type { Context } from 'supabase-in-node/context';
import type { Message } from 'supabase-in-node/mail-layout';
import {
  type ClientMonth,
  clientMonthSchema,
  printedCoverage,
  printedMonth,
  sumOf,
} from '#shared/documents/client-month.ts';
import { clientMails, pdfFile } from '../client-mails.ts';

function messageOf(month: ClientMonth): Message {
  const incidents = sumOf(month.severities, 'incidents');
  const calls = sumOf(month.calls, 'calls');
  const covered = printedCoverage(sumOf(month.sites, 'required'), sumOf(month.sites, 'uncovered'));
  return {
    subject: `Monthly report for ${printedMonth(month.from)}`,
    heading: `Monthly report, ${printedMonth(month.from)}`,
    paragraphs: [
      `Dear ${month.client},`,
      'Please find attached our report on coverage and incidents at your sites.',
      `Covered: ${covered}. Incidents: ${incidents}.${calls > 0 ? ` Calls for service: ${calls}.` : ''}`,
    ],
    closing: 'Reply to this mail if anything is unclear.',
  };
}

export const clientReports = (context: Context) =>
  clientMails<{ email: string; facts: unknown }>(context, {
    table: 'private.client_report_mails',
    key: 'id',
    columns: 'taken.email, private.client_month(taken.client_id, taken.month) as facts',
    join: '',
    mailOf: async ({ email, facts }) => {
      const month = clientMonthSchema.parse(facts);
      const { clientMonthPdf } = await import('#shared/documents/client-month-pdf.ts');
      const name = `monthly-report-${month.from.slice(0, 7)}.pdf`;
      const file = await pdfFile(name, () => clientMonthPdf(month));
      return { to: email, message: messageOf(month), files: [file] };
    },
  });
