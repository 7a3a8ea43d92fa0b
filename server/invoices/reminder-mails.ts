// Mails clients what is overdue, with their statement.

import type { FastifyPluginAsync } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { layOut } from 'supabase-in-node/mail-layout';
import { MailQueue } from 'supabase-in-node/mail-queue';
import { company } from '#company';
import { titleOfEntry } from '#shared/documents/statement-entries.ts';
import { withFonts } from '#shared/documents/wide-font.ts';
import { type Reminder, reminderMessage } from './reminder-message.ts';

/** Without a reminder: what was overdue is paid or contested by now. */
type Row = { id: string; reminder: Reminder | null };

/** Loads the PDF library with the first mail: it takes memory that most servers never need. */
async function attachmentOf(reminder: Reminder) {
  const { statementPdf } = await import('#shared/documents/statement-pdf.ts');
  const entries = reminder.entries.map((entry) => ({ ...entry, name: titleOfEntry(entry) }));
  const paper = await withFonts(() => statementPdf({ ...reminder, entries }));
  return {
    filename: `statement-${reminder.currency.toLowerCase()}.pdf`,
    content: Buffer.from(paper.pdf.output('arraybuffer')),
    contentType: 'application/pdf',
  };
}

export function reminderMails({ database, mailer }: Context): FastifyPluginAsync {
  return async (app) => {
    const { rows } = await database.owner.query<{ known: boolean }>(
      `select to_regclass('private.payment_reminder_queue') is not null as known`,
    );
    // Another project served from PROJECT_DIR has no reminders.
    if (!rows[0]?.known) return;
    const mails = new MailQueue<Row>(
      {
        pool: database.owner,
        table: 'private.payment_reminder_queue',
        key: 'reminder_id',
        columns: 'r.id, private.reminder_mail(r.id) as reminder',
        join: 'join public.payment_reminders r on r.id = taken.reminder_id',
        send: async ({ id, reminder }) => {
          if (!reminder) return {};
          const sent = await mailer.send({
            ...layOut(reminder.email, reminderMessage(reminder), company),
            replyTo: { name: company.name, address: company.email },
            attachments: [await attachmentOf(reminder)],
          });
          await database.owner.query(
            'update public.payment_reminders set mailed_at = now() where id = $1',
            [id],
          );
          return sent;
        },
      },
      app.log,
    );
    app.addHook('onReady', async () => mails.start());
    app.addHook('onClose', () => mails.stop());
  };
}
