import { Paper, type PaperCell } from '#shared/documents/paper.ts';
import { formatMoney } from '#shared/money.ts';
import { formatDay, formatMonths } from '#web/lib/format/dates.ts';
import type { OpenedReturn } from './api.ts';
import { BOX_LABELS, boxesOf } from './schema.ts';

const boxCells = (name: string, net: string, vat: string): PaperCell[] => [
  { text: name, width: 84 },
  { text: net, width: 38, right: true },
  { text: vat, width: 38, right: true },
];

const lineCells = (texts: [string, string, string, string, string, string]): PaperCell[] => [
  { text: texts[0], width: 22 },
  { text: texts[1], width: 32 },
  { text: texts[2], width: 34 },
  { text: texts[3], width: 24 },
  { text: texts[4], width: 25, right: true },
  { text: texts[5], width: 23, right: true },
];

/** The boxes of the return, what is due, and the lines behind each box. */
export function vatReturnPdf({ vatReturn, lines }: OpenedReturn): Paper {
  const { month, filed_on, filed_reference, paid_on, lrd_per_usd, brought_forward, due } =
    vatReturn;
  const title = `VAT return, ${formatMonths(month, month)}`;
  const paper = new Paper();
  paper.pdf.setProperties({ title });
  paper.letterhead();
  paper.text(title, { bold: true, size: 14 });
  paper.space(2);
  if (filed_on) paper.fact('Filed', `${formatDay(filed_on)}, ${filed_reference}`);
  if (paid_on) paper.fact('Paid', formatDay(paid_on));
  paper.fact('Exchange', `${formatMoney(lrd_per_usd, 'LRD')} for one US$`);
  paper.space(4);
  paper.table(boxCells('Box', 'Without VAT', 'VAT'), [
    ...boxesOf(lines).map(({ box, currency, net, vat }) => ({
      cells: boxCells(
        `${BOX_LABELS[box]}, ${currency}`,
        formatMoney(net, currency),
        formatMoney(vat, currency),
      ),
    })),
    {
      cells: boxCells('Credit brought forward', '', formatMoney(brought_forward, 'LRD')),
    },
    {
      cells: boxCells(
        Number(due) < 0 ? 'Credit carried forward' : 'Due',
        '',
        formatMoney(Math.abs(Number(due)).toFixed(2), 'LRD'),
      ),
      bold: true,
    },
  ]);
  for (const [box, label] of Object.entries(BOX_LABELS)) {
    const own = lines.filter((line) => line.box === box);
    if (own.length === 0) continue;
    paper.heading(label);
    paper.table(
      lineCells(['Day', 'Document', 'Name', 'Tax number', 'Without VAT', 'VAT']),
      own.map((line) => ({
        cells: lineCells([
          formatDay(line.day),
          line.document,
          line.party,
          line.tin ?? '-',
          formatMoney(line.net, line.currency),
          formatMoney(line.vat, line.currency),
        ]),
      })),
    );
  }
  paper.footer(`${title}. Confidential.`);
  return paper;
}
