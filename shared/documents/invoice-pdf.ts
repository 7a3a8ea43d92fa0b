// An invoice as the client gets it, drawn alike by the browser and by the server that mails it.
import { formatMoney } from '#shared/money.ts';
import { Paper, type PaperCell } from './paper.ts';
import {
  type PrintedInvoice,
  type PrintedLine,
  printedDay,
  printedQuantity,
  printedRate,
} from './printed-invoice.ts';

const cells = (texts: [string, string, string, string]): PaperCell[] => [
  { text: texts[0], width: 82 },
  { text: texts[1], width: 24, right: true },
  { text: texts[2], width: 24, right: true },
  { text: texts[3], width: 30, right: true },
];

export function writeLines(paper: Paper, lines: PrintedLine[], currency: string): void {
  paper.row(cells(['Description', 'Quantity', 'Rate', 'Amount']), { bold: true, rule: 0.4 });
  for (const { description, quantity, unit, rate, amount } of lines) {
    const counted = [printedQuantity(quantity), unit].filter(Boolean).join(' ');
    paper.row(
      cells([description, counted, printedRate(rate, currency), formatMoney(amount, currency)]),
    );
  }
}

export const writeSum = (paper: Paper, label: string, amount: string): void =>
  paper.row(cells(['', '', label, amount]), { bold: true });

export function invoicePdf(invoice: PrintedInvoice): Paper {
  const { currency, bill_to } = invoice;
  const title = `Invoice ${invoice.number}`;
  const paper = Paper.letterTo(bill_to, title);
  paper.fact('Date', printedDay(invoice.issued_on));
  paper.fact('Due', printedDay(invoice.due_on));
  paper.fact('Period', `${printedDay(invoice.period_start)} to ${printedDay(invoice.period_end)}`);
  paper.space(4);
  writeLines(paper, invoice.lines, currency);
  paper.space(2);
  const sum = (label: string, amount: number | string) =>
    writeSum(paper, label, formatMoney(amount, currency));
  if (Number(invoice.tax) !== 0) {
    sum('Subtotal', invoice.subtotal);
    sum('Tax', invoice.tax);
  }
  sum('Total', invoice.total);
  if (invoice.note) {
    paper.space(6);
    paper.text(invoice.note);
  }
  paper.footer(title);
  return paper;
}
