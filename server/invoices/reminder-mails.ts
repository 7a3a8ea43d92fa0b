// Mails clients what is overdue, with their statement.

import type { Context } from 'supabase-in-node/context';
import { titleOfEntry } from '#shared/documents/statement-entries.ts';
import { clientMails, pdfFile } from '../client-mails.ts';
import { type Reminder, reminderMessage } from './reminder-message.ts';

/** Without a reminder: what was overdue is paid or contested by now. */
type Row = { id: string; reminder: Reminder | null };

async function statementOf(reminder: Reminder) {
  const { statementPdf } = await import('#shared/documents/statement-pdf.ts');
  const entries = reminder.entries.map((entry) => ({ ...entry, name: titleOfEntry(entry) }));
  return pdfFile(`statement-${reminder.currency.toLowerCase()}.pdf`, () =>
    statementPdf({ ...reminder, entries }),
  );
}

export const reminderMails = (context: Context) =>
  clientMails<Row>(context, {
    table: 'private.payment_reminder_queue',
    key: 'reminder_id',
    columns: 'r.id, private.reminder_mail(r.id) as reminder',
    join: 'join public.payment_reminders r on r.id = taken.reminder_id',
    mailOf: async ({ id, reminder }) =>
      reminder
        ? {
            to: reminder.email,
            message: reminderMessage(reminder),
            files: [await statementOf(reminder)],
            record: { table: 'public.payment_reminders', id },
          }
        : undefined,
  });
