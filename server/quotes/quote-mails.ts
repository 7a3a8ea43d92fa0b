// Mails sent quotes to enquirers, with the PDF.

import type { Context } from 'supabase-in-node/context';
import { clientMails, pdfFile } from '../client-mails.ts';
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

async function fileOf({ quote }: QuoteMail) {
  const { quotePdf } = await import('#shared/documents/quote-pdf.ts');
  return pdfFile(`${quote.number}.pdf`, () => quotePdf(quote));
}

export const quoteMails = (context: Context) =>
  clientMails<QuoteMail>(context, {
    table: 'private.quote_mail_queue',
    key: 'mail_id',
    columns: COLUMNS,
    join: 'join public.quote_mails m on m.id = taken.mail_id join public.quotes q on q.id = m.quote_id',
    mailOf: async (mail) => ({
      to: mail.email,
      message: quoteMessage(mail),
      files: [await fileOf(mail)],
      record: { table: 'public.quote_mails', id: mail.id },
    }),
  });
