// Mails sent quotes to enquirers, with the PDF.

import type { FastifyPluginAsync } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { layOut } from 'supabase-in-node/mail-layout';
import { MailQueue } from 'supabase-in-node/mail-queue';
import { company } from '#company';
import { withFonts } from '#shared/documents/wide-font.ts';
import { type QuoteMail, quoteMessage } from './message.ts';

const COLUMNS = `m.id, m.email, jsonb_build_object(
  'number', q.number, 'currency', q.currency, 'sent_on', q.sent_on, 'starts_on', q.starts_on,
  'valid_until', q.valid_until, 'payment_terms_days', q.payment_terms_days, 'client_name', q.client_name,
  'contact_name', q.contact_name, 'site_name', q.site_name, 'site_address', q.site_address, 'terms', q.terms,
  'vat_number', q.vat_number, 'subtotal', q.subtotal::text, 'total', q.total::text, 'lines', (
    select jsonb_agg(jsonb_build_object('post_name', l.post_name, 'guards', l.guards, 'hours_a_day', l.hours_a_day::text,
      'days_a_week', l.days_a_week, 'hours', l.hours::text, 'rate', l.rate::text, 'amount', l.amount::text,
      'price_with_tax', l.price_with_tax::text, 'tax_name', l.tax_name, 'tax_rate', l.tax_rate::text,
      'tax_amount', l.tax_amount::text, 'taxed_as', l.taxed_as) order by l.position)
    from public.quote_lines l where l.quote_id = q.id
  )) as quote`;

/** Loads the PDF library with the first mail: it takes memory that most servers never need. */
async function attachmentOf({ quote }: QuoteMail) {
  const { quotePdf } = await import('#shared/documents/quote-pdf.ts');
  return {
    filename: `${quote.number}.pdf`,
    content: Buffer.from((await withFonts(() => quotePdf(quote))).pdf.output('arraybuffer')),
    contentType: 'application/pdf',
  };
}

export function quoteMails({ database, mailer }: Context): FastifyPluginAsync {
  return async (app) => {
    const { rows } = await database.owner.query<{ known: boolean }>(
      `select to_regclass('private.quote_mail_queue') is not null as known`,
    );
    // Another project served from PROJECT_DIR has no quotes.
    if (!rows[0]?.known) return;
    const mails = new MailQueue<QuoteMail>(
      {
        pool: database.owner,
        table: 'private.quote_mail_queue',
        key: 'mail_id',
        columns: COLUMNS,
        join: 'join public.quote_mails m on m.id = taken.mail_id join public.quotes q on q.id = m.quote_id',
        send: async (mail) => {
          const sent = await mailer.send({
            ...layOut(mail.email, quoteMessage(mail), company),
            replyTo: { name: company.name, address: company.email },
            attachments: [await attachmentOf(mail)],
          });
          await database.owner.query(
            'update public.quote_mails set mailed_at = now() where id = $1',
            [mail.id],
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
