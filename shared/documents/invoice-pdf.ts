// An invoice as the client gets it, drawn alike by the browser and by the server that mails it.
import { billing, type CompanyBilling } from '#company';
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

export type Sum = [label: string, amount: number | string];

/** Between the lines and the sums, millimetres. */
const SUMS_GAP = 2;

/** The sums stay together, and with the last line: a total never stands alone on a page. */
export function writeLines(
  paper: Paper,
  { lines, sums, currency }: { lines: PrintedLine[]; sums: readonly Sum[]; currency: string },
): void {
  paper.table(
    cells(['Description', 'Quantity', 'Rate', 'Amount']),
    lines.map(({ description, quantity, unit, rate, amount }) => {
      const counted = [printedQuantity(quantity), unit].filter(Boolean).join(' ');
      const money = formatMoney(amount, currency);
      return { cells: cells([description, counted, printedRate(rate, currency), money]) };
    }),
    SUMS_GAP + sums.length * ROW_HEIGHT,
  );
  paper.space(SUMS_GAP);
  for (const [label, amount] of sums) {
    paper.row(cells(['', '', label, formatMoney(amount, currency)]), { bold: true });
  }
}

/** How the company is paid, as far as company.config.ts says it. */
function writePayment(paper: Paper, currency: string): void {
  const { taxNumber, bankAccounts, terms }: CompanyBilling = billing;
  const account = bankAccounts?.[currency];
  if (!taxNumber && !account && !terms) return;
  paper.space(6);
  if (account) paper.fact('Pay to', account);
  if (taxNumber) paper.fact('Tax number', taxNumber);
  if (terms) paper.fact('Terms', terms);
}

export function invoicePdf(invoice: PrintedInvoice): Paper {
  const { currency, bill_to } = invoice;
  const title = `Invoice ${invoice.number}`;
  const paper = Paper.letterTo(bill_to, title);
  paper.fact('Date', printedDay(invoice.issued_on));
  paper.fact('Due', printedDay(invoice.due_on));
  paper.fact('Period', `${printedDay(invoice.period_start)} to ${printedDay(invoice.period_end)}`);
  paper.space(4);
  const sums: Sum[] = [['Total', invoice.total]];
  if (Number(invoice.tax) !== 0) {
    sums.unshift(['Subtotal', invoice.subtotal], ['Tax', invoice.tax]);
  }
  writeLines(paper, { lines: invoice.lines, sums, currency });
  writePayment(paper, currency);
  if (invoice.note) {
    paper.space(6);
    paper.text(invoice.note);
  }
  paper.footer(title);
  return paper;
}
