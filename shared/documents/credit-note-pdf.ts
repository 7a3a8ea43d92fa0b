// A credit note as the client gets it, drawn alike by the browser and by the server that mails it.
import { type Sum, writeLines, writeTaxNumbers } from './invoice-pdf.ts';
import { Paper } from './paper.ts';
import { type PrintedCreditNote, printedDay, taxTotals } from './printed-invoice.ts';

export function creditNotePdf(note: PrintedCreditNote): Paper {
  const { currency, bill_to } = note;
  const title = `Credit note ${note.number}`;
  const paper = Paper.letterTo(bill_to, title);
  paper.fact('Date', printedDay(note.issued_on));
  paper.fact('Credits invoice', note.invoice_number);
  paper.fact('Reason', note.reason);
  writeTaxNumbers(paper, note);
  paper.space(4);
  const sums: Sum[] = [
    ...taxTotals(note.lines, currency).map(({ label, amount }): Sum => [label, amount]),
    ['Credited', note.amount],
  ];
  writeLines(paper, { lines: note.lines, sums, currency });
  paper.footer(title);
  return paper;
}
