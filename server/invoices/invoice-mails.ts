// Mails issued invoices to clients, with the PDF.

import type { Context } from 'supabase-in-node/context';
import { clientMails, pdfFile } from '../client-mails.ts';
import { type InvoiceMail, invoiceMessage } from './message.ts';

const COLUMNS = `m.id, m.email, i.open_amount, jsonb_build_object(
  'number', i.number, 'currency', i.currency, 'issued_on', i.issued_on, 'due_on', i.due_on,
  'period_start', i.period_start, 'period_end', i.period_end, 'bill_to', i.bill_to, 'subtotal', i.subtotal::text,
  'tax', i.tax::text, 'total', i.total::text, 'note', i.note, 'vat_number', i.vat_number,
  'purchase_order', i.purchase_order, 'pay_to', public.payment_details(i), 'lines', (
    select jsonb_agg(jsonb_build_object('description', l.description, 'quantity', l.quantity::text, 'unit', l.unit,
      'rate', l.rate::text, 'amount', l.amount::text, 'price_with_tax', l.price_with_tax::text, 'tax_name', l.tax_name,
      'tax_rate', l.tax_rate::text, 'tax_amount', l.tax_amount::text, 'vat_treatment', l.vat_treatment) order by l.position, l.id)
    from public.invoice_lines l where l.invoice_id = i.id
  )) as invoice, (
    select coalesce(jsonb_agg(jsonb_build_object('number', n.number, 'currency', n.currency, 'issued_on', n.issued_on,
      'invoice_number', i.number, 'vat_number', i.vat_number, 'reason', n.reason, 'bill_to', i.bill_to, 'amount', n.amount::text, 'tax', n.tax::text,
      'lines', (
        select jsonb_agg(jsonb_build_object('description', l.description,
          'quantity', coalesce(c.quantity, l.quantity)::text, 'unit', coalesce(c.unit, l.unit),
          'rate', coalesce(c.rate, l.rate)::text, 'amount', c.amount::text,
          'price_with_tax', coalesce(c.price_with_tax, l.price_with_tax)::text,
          'tax_name', l.tax_name, 'tax_rate', l.tax_rate::text, 'tax_amount', c.tax_amount::text,
          'vat_treatment', l.vat_treatment) order by l.position, l.id)
        from public.credit_note_lines c join public.invoice_lines l on l.id = c.invoice_line_id
        where c.credit_note_id = n.id
      )) order by n.year, n.sequence), '[]')
    from public.credit_notes n where n.invoice_id = i.id
  ) as credit_notes`;

async function filesOf({ invoice, credit_notes }: InvoiceMail) {
  const { invoicePdf } = await import('#shared/documents/invoice-pdf.ts');
  const { creditNotePdf } = await import('#shared/documents/credit-note-pdf.ts');
  return Promise.all([
    pdfFile(`${invoice.number}.pdf`, () => invoicePdf(invoice)),
    ...credit_notes.map((note) => pdfFile(`${note.number}.pdf`, () => creditNotePdf(note))),
  ]);
}

export const invoiceMails = (context: Context) =>
  clientMails<InvoiceMail>(context, {
    table: 'private.invoice_mail_queue',
    key: 'mail_id',
    columns: COLUMNS,
    join: `join public.invoice_mails m on m.id = taken.mail_id join public.invoices i on i.id = m.invoice_id`,
    mailOf: async (mail) => ({
      to: mail.email,
      message: invoiceMessage(mail),
      files: await filesOf(mail),
      record: { table: 'public.invoice_mails', id: mail.id },
    }),
  });
