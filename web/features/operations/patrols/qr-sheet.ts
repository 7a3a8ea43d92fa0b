// Labels of checkpoints on A4, eight on a page, in black only.
import { jsPDF } from 'jspdf';
import { company } from '#company';
import { printable } from '#shared/documents/printable.ts';
import { drawQrCode } from '#shared/documents/qr-code.ts';
import { spacedCode } from './guard/code.ts';
import type { Checkpoint } from './schema.ts';

type Label = Pick<Checkpoint, 'name' | 'code_secret'>;

/** Millimetres. */
const PAGE = { width: 210, height: 297 };
const COLUMNS = 2;
const ROWS = 4;
const MARGIN = 10;
const LABEL = {
  width: (PAGE.width - 2 * MARGIN) / COLUMNS,
  height: (PAGE.height - 2 * MARGIN) / ROWS,
};
const CODE_SIZE = 44;
const MARK = 4;

/** Marks outside the corners, along which the sheet is cut. */
function drawCutMarks(pdf: jsPDF) {
  pdf.setDrawColor('#000000').setLineWidth(0.15);
  for (let column = 0; column <= COLUMNS; column += 1) {
    const x = MARGIN + column * LABEL.width;
    pdf.line(x, MARGIN - MARK, x, MARGIN - 1);
    pdf.line(x, PAGE.height - MARGIN + 1, x, PAGE.height - MARGIN + MARK);
  }
  for (let row = 0; row <= ROWS; row += 1) {
    const y = MARGIN + row * LABEL.height;
    pdf.line(MARGIN - MARK, y, MARGIN - 1, y);
    pdf.line(PAGE.width - MARGIN + 1, y, PAGE.width - MARGIN + MARK, y);
  }
}

function drawLabel(pdf: jsPDF, { name, code_secret }: Label, site: string, at: number) {
  const left = MARGIN + (at % COLUMNS) * LABEL.width;
  const top = MARGIN + Math.floor(at / COLUMNS) * LABEL.height;
  const middle = left + LABEL.width / 2;
  const place = { left: middle - CODE_SIZE / 2, top: top + 3, size: CODE_SIZE };
  drawQrCode(pdf, code_secret, place, 'quartile');
  const maxWidth = LABEL.width - 8;
  const line = (text: string) => String(pdf.splitTextToSize(printable(text), maxWidth)[0] ?? '');
  pdf.setTextColor('#000000').setFont('helvetica', 'bold').setFontSize(12);
  pdf.text(line(name), middle, top + 52.5, { align: 'center' });
  pdf.setFont('helvetica', 'normal').setFontSize(9);
  pdf.text(line(site), middle, top + 57, { align: 'center' });
  pdf.setFont('courier', 'bold').setFontSize(12);
  pdf.text(spacedCode(code_secret), middle, top + 62.5, { align: 'center' });
  pdf.setFont('helvetica', 'normal').setFontSize(7);
  pdf.text(`${company.name}. Found it? Call ${company.hotline}`, middle, top + 66.5, {
    align: 'center',
    maxWidth,
  });
}

export function labelsPdf(checkpoints: readonly Label[], site: string): Blob {
  const pdf = new jsPDF({ format: 'a4' });
  pdf.setProperties({ title: `Checkpoints, ${site}`, author: company.name });
  for (const [index, checkpoint] of checkpoints.entries()) {
    const at = index % (COLUMNS * ROWS);
    if (at === 0 && index > 0) pdf.addPage();
    if (at === 0) drawCutMarks(pdf);
    drawLabel(pdf, checkpoint, site, at);
  }
  return pdf.output('blob');
}
