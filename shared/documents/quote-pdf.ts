// A quote as the client gets it, drawn alike by the browser and by the server that mails it.
import { type Sum, writeLines } from './invoice-pdf.ts';
import { Paper } from './paper.ts';
import { printedDay, taxTotals } from './printed-invoice.ts';
import { type PrintedQuote, toPrintedLine } from './printed-quote.ts';

export function quotePdf(quote: PrintedQuote): Paper {
  const { currency } = quote;
  const title = `Quote ${quote.number}`;
  const paper = Paper.letterTo({ name: quote.client_name, address: quote.contact_name }, title);
  paper.fact('Date', printedDay(quote.sent_on));
  paper.fact('Valid until', printedDay(quote.valid_until));
  paper.fact('Site', `${quote.site_name}, ${quote.site_address}`);
  paper.fact('From', printedDay(quote.starts_on));
  if (quote.vat_number) paper.fact('Our VAT number', quote.vat_number);
  paper.space(4);
  const lines = quote.lines.map(toPrintedLine);
  const taxes = taxTotals(lines, currency);
  const sums: Sum[] = [
    ...(taxes.length === 0 ? [] : [['Subtotal', quote.subtotal] satisfies Sum]),
    ...taxes.map(({ label, amount }): Sum => [label, amount]),
    ['Total of an average month', quote.total],
  ];
  writeLines(paper, { lines, sums, currency });
  paper.space(4);
  paper.text(
    'Hours are those of an average month of a year of 52 weeks. Invoices are by the hours worked.',
    { size: 9 },
  );
  paper.space(4);
  paper.fact('Payment', `Within ${quote.payment_terms_days} days of the invoice`);
  if (quote.terms) {
    paper.heading('Terms');
    paper.text(quote.terms);
  }
  paper.footer(title);
  return paper;
}
