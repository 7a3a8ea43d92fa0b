// An invoice as the client gets it, drawn alike by the browser and by the server that mails it.
import { company } from '#company';
import { formatMoney } from '#shared/money.ts';
import { Paper, type PaperCell, ROW_HEIGHT } from './paper.ts';
import { writePaymentBox } from './payment-box.ts';
import {
  type PrintedInvoice,
  type PrintedLine,
  printedAmount,
  printedDay,
  printedQuantity,
  printedRate,
  taxTotals,
} from './printed-invoice.ts';

const cells = (texts: [string, string, string, string]): PaperCell[] => [
  { text: texts[0], width: 80 },
  { text: texts[1], width: 22, right: true },
  { text: texts[2], width: 28, right: true },
  { text: texts[3], width: 30, right: true },
];

/** The label of a sum may be a sentence. */
const sumCells = (label: string, amount: string): PaperCell[] => [
  { text: '', width: 40 },
  { text: label, width: 90, right: true },
  { text: amount, width: 30, right: true },
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
    lines.map((line) => {
      const { description, quantity, unit, rate } = line;
      const counted = [printedQuantity(quantity), unit].filter(Boolean).join(' ');
      const money = formatMoney(printedAmount(line), currency);
      return { cells: cells([description, counted, printedRate(rate, currency), money]) };
    }),
    SUMS_GAP + sums.length * ROW_HEIGHT,
  );
  paper.space(SUMS_GAP);
  for (const [label, amount] of sums) {
    paper.row(sumCells(label, formatMoney(amount, currency)), { bold: true });
  }
  if (lines.some(({ price_with_tax }) => price_with_tax !== null)) {
    paper.space(2);
    paper.text('The rates and amounts above contain the tax.', { size: 9 });
  }
}

/** Who is registered under which numbers, and why VAT isn't charged. */
export function writeTaxNumbers(
  paper: Paper,
  { bill_to, vat_number }: Pick<PrintedInvoice, 'bill_to' | 'vat_number'>,
  tin?: string | null,
): void {
  if (tin) paper.fact('Our tax number', tin);
  if (vat_number && vat_number !== tin) paper.fact('Our VAT number', vat_number);
  if (bill_to.tin) paper.fact('Your tax number', bill_to.tin);
  if (vat_number && bill_to.vat_certificate)
    paper.fact('Exemption certificate', bill_to.vat_certificate);
}

export function invoicePdf(invoice: PrintedInvoice): Paper {
  const { number, currency, bill_to, due_on, pay_to } = invoice;
  const title = `Invoice ${number}`;
  const paper = Paper.letterTo(bill_to, title);
  paper.fact('Date', printedDay(invoice.issued_on));
  paper.fact('Due', printedDay(due_on));
  paper.fact('Period', `${printedDay(invoice.period_start)} to ${printedDay(invoice.period_end)}`);
  if (invoice.purchase_order) paper.fact('Your order', invoice.purchase_order);
  if (pay_to?.address) paper.fact('From', `${company.name}, ${pay_to.address}`);
  writeTaxNumbers(paper, invoice, pay_to?.tin);
  paper.space(4);
  const taxes = taxTotals(invoice.lines, currency);
  const sums: Sum[] = [
    ...(taxes.length === 0 ? [] : [['Subtotal', invoice.subtotal] satisfies Sum]),
    ...taxes.map(({ label, amount }): Sum => [label, amount]),
    ['Total', invoice.total],
  ];
  writeLines(paper, { lines: invoice.lines, sums, currency });
  writePaymentBox(paper, pay_to, { reference: number, currency, amount: invoice.total, due_on });
  if (invoice.note) {
    paper.space(6);
    paper.text(invoice.note);
  }
  paper.footer(title);
  return paper;
}
