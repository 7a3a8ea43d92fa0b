import { formatCount } from '#shared/count.ts';
import { Paper, type PaperCell } from '#shared/documents/paper.ts';
import { withFonts } from '#shared/documents/wide-font.ts';
import { formatAmount, formatMoney } from '#shared/money.ts';
import { formatDay, formatMonths } from '#web/lib/format/dates.ts';
import { AMOUNT_COLUMNS, describeRate, listNotes, RETURN_TITLES, type Schedule } from './schema.ts';
import type { ReturnKind } from './search.ts';

const rowOf = (name: string, currency: string, amounts: string[]): PaperCell[] => [
  { text: name, width: 62 },
  { text: currency, width: 14 },
  ...amounts.map((text) => ({ text, width: 28, right: true })),
];

function drawReturn(kind: ReturnKind, schedule: Schedule): Paper {
  const { month, due_on, rates, rows, totals } = schedule;
  const columns = AMOUNT_COLUMNS[kind];
  const title = `${RETURN_TITLES[kind]}, ${formatMonths(month, month)}`;
  const paper = new Paper();
  paper.pdf.setProperties({ title });
  paper.letterhead();
  paper.text(title, { bold: true, size: 14 });
  paper.space(2);
  paper.fact('Due', formatDay(due_on));
  for (const total of totals) {
    const sums = columns.map(
      ({ key, name }) => `${name} ${formatMoney(total[key], total.currency)}`,
    );
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
    '',
    columns.map(({ name }) => name),
  );
  paper.table(
    heading,
    rows.map((row) => ({
      cells: rowOf(
        row.full_name,
        row.currency,
        columns.map(({ key }) => formatAmount(row[key])),
      ),
    })),
  );
  paper.footer(`${title}. Confidential.`);
  return paper;
}

/** With the same figures, sources and notes as on screen. */
export const returnPdf = async (kind: ReturnKind, schedule: Schedule): Promise<Blob> =>
  (await withFonts(() => drawReturn(kind, schedule))).pdf.output('blob');
