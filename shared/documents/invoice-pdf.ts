// An invoice as the client gets it, drawn alike by the browser and by the server that mails it.
import { formatMoney } from '#shared/money.ts';
import { Paper, type PaperCell, ROW_HEIGHT } from './paper.ts';
import {
  type PrintedInvoice,
  type PrintedLine,
  printedDay,
  printedQuantity,
  printedRate,
} from './printed-invoice.ts';

const cells = (texts: [string, string, string, string]): PaperCell[] => [
  { text: texts[0], width: 80 },
  { text: texts[1], width: 22, right: true },
  { text: texts[2], width: 28, right: true },
  { text: texts[3], width: 30, right: true },
];

export function writeLines(paper: Paper, lines: PrintedLine[], currency: string): void {
  paper.table(
    cells(['Description', 'Quantity', 'Rate', 'Amount']),
    lines.map(({ description, quantity, unit, rate, amount }) => {
      const counted = [printedQuantity(quantity), unit].filter(Boolean).join(' ');
      const money = formatMoney(amount, currency);
      return { cells: cells([description, counted, printedRate(rate, currency), money]) };
    }),
  );
}

export type Sum = [label: string, amount: number | string];

/** Below the lines, all on one page. */
export function writeSums(paper: Paper, sums: readonly Sum[], currency: string): void {
  paper.space(2);
  paper.keep(sums.length * ROW_HEIGHT);
  for (const [label, amount] of sums) {
    paper.row(cells(['', '', label, formatMoney(amount, currency)]), { bold: true });
  }
}

export function invoicePdf(invoice: PrintedInvoice): Paper {
  const { currency, bill_to } = invoice;
  const title = `Invoice ${invoice.number}`;
  const paper = Paper.letterTo(bill_to, title);
  paper.fact('Date', printedDay(invoice.issued_on));
  paper.fact('Due', printedDay(invoice.due_on));
  paper.fact('Period', `${printedDay(invoice.period_start)} to ${printedDay(invoice.period_end)}`);
  paper.space(4);
  writeLines(paper, invoice.lines, currency);
  const sums: Sum[] = [['Total', invoice.total]];
  if (Number(invoice.tax) !== 0) {
    sums.unshift(['Subtotal', invoice.subtotal], ['Tax', invoice.tax]);
  }
  writeSums(paper, sums, currency);
  if (invoice.note) {
    paper.space(6);
    paper.text(invoice.note);
  }
  paper.footer(title);
  return paper;
}
