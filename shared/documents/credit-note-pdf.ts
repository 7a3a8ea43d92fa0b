// A credit note as the client gets it, drawn alike by the browser and by the server that mails it.
import { company } from '#company';
import { formatMoney } from '#shared/money.ts';
import { writeLines, writeSum } from './invoice-pdf.ts';
import { Paper } from './paper.ts';
import { type PrintedCreditNote, printedDay } from './printed-invoice.ts';

export function creditNotePdf(note: PrintedCreditNote): Paper {
  const { currency, bill_to } = note;
  const title = `Credit note ${note.number}`;
  const paper = new Paper();
  paper.pdf.setProperties({ title, author: company.name });
  paper.letterhead();
  paper.text(bill_to.name, { bold: true });
  if (bill_to.address) paper.text(bill_to.address);
  paper.space(6);
  paper.text(title, { bold: true, size: 14 });
  paper.space(3);
  paper.fact('Date', printedDay(note.issued_on));
  paper.fact('Credits invoice', note.invoice_number);
  paper.fact('Reason', note.reason);
  paper.space(4);
  writeLines(paper, note.lines, currency);
  paper.space(2);
  if (Number(note.tax) !== 0) writeSum(paper, 'Tax', formatMoney(note.tax, currency));
  writeSum(paper, 'Credited', formatMoney(note.amount, currency));
  paper.footer(title);
  return paper;
}
