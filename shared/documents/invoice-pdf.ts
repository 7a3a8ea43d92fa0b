// An invoice as the client gets it, drawn alike by the browser and by the server that mails it.
import { billing, type CompanyBilling } from '#company';
import { formatMoney } from '#shared/money.ts';
import { Paper, type PaperCell, ROW_HEIGHT } from './paper.ts';
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

/** Who is registered for VAT under which number, and why it isn't charged. */
export function writeTaxNumbers(
  paper: Paper,
  { bill_to, vat_number }: Pick<PrintedInvoice, 'bill_to' | 'vat_number'>,
): void {
  if (vat_number) paper.fact('Our VAT number', vat_number);
  if (bill_to.tin) paper.fact('Your tax number', bill_to.tin);
  if (vat_number && bill_to.vat_certificate)
    paper.fact('Exemption certificate', bill_to.vat_certificate);
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
  writeTaxNumbers(paper, invoice);
  paper.space(4);
  const taxes = taxTotals(invoice.lines, currency);
  const sums: Sum[] = [
    ...(taxes.length === 0 ? [] : [['Subtotal', invoice.subtotal] satisfies Sum]),
    ...taxes.map(({ label, amount }): Sum => [label, amount]),
    ['Total', invoice.total],
  ];
  writeLines(paper, { lines: invoice.lines, sums, currency });
  writePayment(paper, currency);
  if (invoice.note) {
    paper.space(6);
    paper.text(invoice.note);
  }
  paper.footer(title);
  return paper;
}
