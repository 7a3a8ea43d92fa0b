import { formatCount } from '#shared/count.ts';
import { Paper, type PaperCell } from '#shared/documents/paper.ts';
import { formatAmount, formatMoney } from '#shared/money.ts';
import { dueFigures } from '#web/components/tax-return/tax-return.ts';
import { formatDay, formatMonths } from '#web/lib/format/dates.ts';
import type { OpenedReturn } from './api.ts';
import {
  AMOUNT_COLUMNS,
  describeRate,
  listNotes,
  NUMBER_COLUMNS,
  RETURN_TITLES,
} from './schema.ts';
import type { ReturnKind } from './search.ts';

/** Millimetres of the amounts together. */
const AMOUNTS = 84;

const rowOf = (name: string, number: string, currency: string, amounts: string[]): PaperCell[] => [
  { text: name, width: 40 },
  { text: number, width: 24 },
  { text: currency, width: 12 },
  ...amounts.map((text) => ({ text, width: AMOUNTS / amounts.length, right: true })),
];

function writeSteps(paper: Paper, { payReturn }: OpenedReturn): void {
  if (!payReturn) return;
  const { employer_number, lrd_per_usd, filed_on, filed_reference, paid_on } = payReturn;
  paper.fact('Employer', employer_number ?? 'Number missing');
  paper.fact('Exchange', `${formatMoney(lrd_per_usd, 'LRD')} for one US$`);
  for (const [name, figure] of dueFigures(payReturn)) paper.fact(name, figure);
  if (filed_on) paper.fact('Filed', `${formatDay(filed_on)}, ${filed_reference}`);
  if (paid_on) paper.fact('Paid', formatDay(paid_on));
}

/** With the same figures, sources and notes as on screen. */
export function returnPdf(kind: ReturnKind, opened: OpenedReturn): Paper {
  const { schedule } = opened;
  const { month, due_on, rates, rows, totals } = schedule;
  const columns = AMOUNT_COLUMNS[kind];
  const number = NUMBER_COLUMNS[kind];
  const title = `${RETURN_TITLES[kind]}, ${formatMonths(month, month)}`;
  const paper = new Paper();
  paper.pdf.setProperties({ title });
  paper.letterhead();
  paper.text(title, { bold: true, size: 14 });
  paper.space(2);
  paper.fact('Due on', formatDay(due_on));
  writeSteps(paper, opened);
  for (const total of totals) {
    const sums = columns.map(({ name, of }) => `${name} ${formatMoney(of(total), total.currency)}`);
    paper.fact(
      `Total ${total.currency}`,
      `${formatCount(total.people)} people. ${sums.join(', ')}`,
    );
  }
  paper.heading('Rates and their sources');
  for (const rate of rates) {
    paper.text(`${describeRate(rate)}. From ${formatDay(rate.effective_from)}: ${rate.source}`, {
      size: 9,
    });
  }
  paper.heading('Notes');
  for (const note of listNotes(kind, schedule)) paper.text(note, { size: 9 });
  paper.space(5);
  const heading = rowOf(
    'Name',
    number.name,
    '',
    columns.map(({ name }) => name),
  );
  paper.table(
    heading,
    rows.map((row) => ({
      cells: rowOf(
        row.tax_resident ? row.full_name : `${row.full_name} (not resident)`,
        number.of(row) ?? 'Missing',
        row.currency,
        columns.map(({ of }) => formatAmount(of(row))),
      ),
    })),
  );
  paper.footer(`${title}. Confidential.`);
  return paper;
}
