// Mails the monthly reports of clients, with the PDF, on the first days of the next month.

import type { FastifyPluginAsync } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { layOut, type Message } from 'supabase-in-node/mail-layout';
import { MailQueue } from 'supabase-in-node/mail-queue';
import { hasTable } from 'supabase-in-node/with-client';
import { company } from '#company';
import {
  type ClientMonth,
  clientMonthSchema,
  printedCoverage,
  printedMonth,
  sumOf,
} from '#shared/documents/client-month.ts';
import { withFonts } from '#shared/documents/wide-font.ts';

function messageOf(month: ClientMonth): Message {
  const incidents = sumOf(month.severities, 'incidents');
  const covered = printedCoverage(sumOf(month.sites, 'required'), sumOf(month.sites, 'uncovered'));
  return {
    subject: `Monthly report for ${printedMonth(month.from)}`,
    heading: `Monthly report, ${printedMonth(month.from)}`,
    paragraphs: [
      `Dear ${month.client},`,
      'Please find attached our report on coverage and incidents at your sites.',
      `Covered: ${covered}. Incidents: ${incidents}.`,
    ],
    closing: 'Reply to this mail if anything is unclear.',
  };
}

/** Loads the PDF library with the first mail: it takes memory that most servers never need. */
async function pdfOf(month: ClientMonth): Promise<Buffer> {
  const { clientMonthPdf } = await import('#shared/documents/client-month-pdf.ts');
  const paper = await withFonts(() => clientMonthPdf(month));
  return Buffer.from(paper.pdf.output('arraybuffer'));
}

export function clientReports({ database, mailer }: Context): FastifyPluginAsync {
  return async (app) => {
    // Another project served from PROJECT_DIR has no clients.
    if (!(await hasTable(database.owner, 'private.client_report_mails'))) return;
    const mails = new MailQueue<{ email: string; facts: unknown }>(
      {
        pool: database.owner,
        table: 'private.client_report_mails',
        key: 'id',
        columns: 'taken.email, private.client_month(taken.client_id, taken.month) as facts',
        join: '',
        send: async ({ email, facts }) => {
          const month = clientMonthSchema.parse(facts);
          return mailer.send({
            ...layOut(email, messageOf(month), company),
            replyTo: { name: company.name, address: company.email },
            attachments: [
              {
                filename: `monthly-report-${month.from.slice(0, 7)}.pdf`,
                content: await pdfOf(month),
                contentType: 'application/pdf',
              },
            ],
          });
        },
      },
      app.log,
    );
    app.addHook('onReady', async () => mails.start());
    app.addHook('onClose', () => mails.stop());
  };
}
