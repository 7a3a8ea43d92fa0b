import { Paper, type PaperCell } from '#shared/documents/paper.ts';
import { withFonts } from '#shared/documents/wide-font.ts';
import { formatMoney } from '#shared/money.ts';
import { formatInstantDay, formatPeriod } from '#web/lib/format/dates.ts';
import type { RunPayments } from './api.ts';
import type { PaymentFile } from './schema.ts';

/** Room for a signature, millimetres. */
const HEIGHT = 12;

const cells = (line: string, name: string, amount: string, ends: [string, string]): PaperCell[] => [
  { text: line, width: 10 },
  { text: name, width: 55 },
  { text: amount, width: 28, right: true },
  { text: `   ${ends[0]}`, width: 45 },
  { text: ends[1], width: 22 },
];

const heading = cells('No.', 'Name', 'Amount', ['Signature or thumbprint', 'Date']);

type Paid = Pick<RunPayments, 'run' | 'payments'>;

function drawList(file: PaymentFile, { run, payments }: Paid): Paper {
  const lines = payments
    .filter((payment) => payment.payment_file_id === file.id)
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const paper = new Paper();
  const title = `Cash Payments, File ${file.number}`;
  paper.pdf.setProperties({ title });
  paper.letterhead();
  paper.text(title, { bold: true, size: 14 });
  paper.space(2);
  paper.fact('Pay period', formatPeriod(run.period_start, run.period_end));
  paper.fact('Made', formatInstantDay(file.created_at));
  paper.fact(
    'Payments',
    `${file.line_count}, ${formatMoney(file.control_total, file.currency)} in total`,
  );
  paper.fact('Hash (SHA-256)', file.sha256);
  paper.space(4);
  paper.text('I have received the amount beside my name, in full.');
  paper.space(3);
  paper.row(heading, { bold: true, rule: 0.4 });
  paper.space(4);
  for (const { line, staff, amount, currency } of lines) {
    if (paper.left < HEIGHT) {
      paper.keep(HEIGHT);
      paper.row(heading, { bold: true, rule: 0.4 });
      paper.space(4);
    }
    paper.row(cells(String(line), staff.full_name, formatMoney(amount, currency), ['', '']), {
      height: HEIGHT,
    });
  }
  paper.keep(40);
  paper.space(18);
  paper.line(70);
  paper.text('Paid by: name and signature');
  paper.space(14);
  paper.line(70);
  paper.text('Witness: name and signature');
  paper.footer(`${title}. Confidential.`);
  return paper;
}

/** The cash payments of a file, each signed by the person who gets the money. */
export const signatureListPdf = async (file: PaymentFile, paid: Paid): Promise<Blob> =>
  (await withFonts(() => drawList(file, paid))).pdf.output('blob');
