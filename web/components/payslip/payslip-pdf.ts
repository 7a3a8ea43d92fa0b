import { jsPDF } from 'jspdf';
import { company } from '#company';
import { printable } from '#shared/documents/printable.ts';
import { formatMoney, parseCents } from '#shared/money.ts';
import {
  describePayment,
  explainDeductions,
  formatQuantity,
  listLines,
  listNumbers,
  listYear,
  type Payslip,
  type Slip,
} from '#web/lib/data/payslips.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';

/** Millimetres, on A5 portrait. */
const LEFT = 14;
const RIGHT = 134;
const TOP = 20;
const BOTTOM = 196;
const NAVY = '#0c1a30';
const GREY = '#4d5a6e';
const BRASS = '#b78c35';

function drawLetterhead(pdf: jsPDF) {
  pdf.setTextColor(NAVY).setFont('times', 'bold').setFontSize(16).text(company.name, LEFT, 20);
  pdf.setTextColor(GREY).setFont('helvetica', 'normal').setFontSize(8);
  pdf.text(`${company.addressLabel}  |  ${company.hotline}  |  ${company.email}`, LEFT, 25.5);
  pdf.setDrawColor(BRASS).setLineWidth(0.7).line(LEFT, 29, RIGHT, 29);
}

function drawPair(pdf: jsPDF, name: string, value: string, y: number) {
  pdf.setFont('helvetica', 'normal').setFontSize(9).setTextColor(GREY).text(name, LEFT, y);
  pdf.setTextColor(NAVY).text(printable(value), LEFT + 30, y, { maxWidth: RIGHT - LEFT - 30 });
}

function drawRule(pdf: jsPDF, y: number) {
  pdf.setDrawColor('#dcd8cd').setLineWidth(0.2).line(LEFT, y, RIGHT, y);
}

function drawAmount(pdf: jsPDF, name: string, amount: string, y: number, isTotal = false) {
  pdf.setFont('helvetica', isTotal ? 'bold' : 'normal').setFontSize(isTotal ? 12 : 10);
  pdf.setTextColor(NAVY).text(name, LEFT, y).text(amount, RIGHT, y, { align: 'right' });
  drawRule(pdf, y + 2.5);
}

/** The amounts of a record that no pay run wrote. @returns where the notes begin */
function drawRecord(pdf: jsPDF, row: Payslip): number {
  const money = (amount: number | bigint) => formatMoney(amount, row.currency);
  drawAmount(pdf, 'Base Amount', money(row.base_amount), 80);
  drawAmount(pdf, 'Deductions', money(-parseCents(row.deductions)), 88);
  drawAmount(pdf, 'Bonuses', money(row.bonuses), 96);
  drawAmount(pdf, 'Net Amount', money(row.net_amount), 106, true);
  let y = 118;
  for (const { name, amount, how } of explainDeductions(row) ?? []) {
    pdf.setFont('helvetica', 'bold').setFontSize(9).setTextColor(NAVY);
    pdf.text(printable(name), LEFT, y).text(money(amount), RIGHT, y, { align: 'right' });
    pdf.setFont('helvetica', 'normal').setTextColor(GREY);
    pdf.text(printable(how), LEFT, y + 4.5, { maxWidth: RIGHT - LEFT });
    y += 14;
  }
  return y;
}

/** Each line of a pay run's payslip with its sentence, on as many pages as they take. @returns where the notes begin */
function drawSlip(pdf: jsPDF, slip: Slip): number {
  const money = (amount: number) => formatMoney(amount, slip.currency);
  let y = 78;
  const keep = (height: number) => {
    if (y + height <= BOTTOM) return;
    pdf.addPage();
    y = TOP;
  };
  for (const line of listLines(slip)) {
    pdf.setFont('helvetica', 'bold').setFontSize(9);
    const label: string[] = pdf.splitTextToSize(printable(line.label), RIGHT - LEFT - 30);
    pdf.setFont('helvetica', 'normal').setFontSize(8);
    const details = [formatQuantity(line), line.explanation]
      .filter((text) => text !== '')
      .join('. ');
    const sentences: string[] = pdf.splitTextToSize(printable(details), RIGHT - LEFT);
    const height = label.length * 4 + sentences.length * 3.6 + 3;
    keep(height);
    pdf.setTextColor(GREY).text(sentences, LEFT, y + label.length * 4);
    pdf.setFont('helvetica', 'bold').setFontSize(9).setTextColor(NAVY);
    pdf.text(label, LEFT, y).text(money(line.amount), RIGHT, y, { align: 'right' });
    y += height;
    drawRule(pdf, y - 4.4);
  }
  keep(32);
  drawAmount(pdf, 'Gross', money(slip.gross), y + 3);
  drawAmount(pdf, 'Deductions', money(-slip.deductions), y + 11);
  drawAmount(pdf, 'Net', money(slip.net), y + 20, true);
  y += 29;
  const { employer, year } = listYear(slip);
  const sums = [
    ...(employer ? [['NASSCORP by the employer, on top', employer] as const] : []),
    ...year.map(([name, amount]) => [`This year so far: ${name}`, amount] as const),
  ];
  keep(sums.length * 4.5);
  pdf.setFont('helvetica', 'normal').setFontSize(8).setTextColor(GREY);
  for (const [name, amount] of sums) {
    pdf.text(name, LEFT, y).text(money(amount), RIGHT, y, { align: 'right' });
    y += 4.5;
  }
  return y + 2;
}

function drawPayslip(pdf: jsPDF, row: Payslip) {
  drawLetterhead(pdf);
  pdf.setFont('times', 'bold').setFontSize(14).setTextColor(NAVY).text('Payslip', LEFT, 40);
  drawPair(pdf, 'Name', row.staff.full_name, 49);
  const numbers = listNumbers(row.staff).map(([name, number]) => `${name} ${number}`);
  drawPair(pdf, 'Role', [ROLE_LABELS[row.staff.role], ...numbers].join('  |  '), 55);
  drawPair(pdf, 'Period', formatPeriod(row.period_start, row.period_end), 61);
  drawPair(pdf, 'Payment', describePayment(row), 67);
  const y = row.payslips ? drawSlip(pdf, row.payslips) : drawRecord(pdf, row);
  if (row.notes) {
    pdf.setFont('helvetica', 'normal').setFontSize(9).setTextColor(GREY);
    pdf.text(printable(row.notes), LEFT, y, { maxWidth: RIGHT - LEFT });
  }
}

/** Milliseconds of drawing between two chances for the browser to answer presses. */
const BATCH = 30;

/** Lets the browser render the progress. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

type Options = {
  /** Called with the number of finished payslips. */
  onProgress?: (done: number) => void;
  signal?: AbortSignal;
};

/**
 * Each payslip begins a page, with the same figures as on screen.
 * @throws when stopped by the signal
 */
export async function payslipsPdf(rows: Payslip[], { onProgress, signal }: Options = {}) {
  const pdf = new jsPDF({ format: 'a5' });
  pdf.setProperties({ title: 'Payslips', author: company.name });
  let started = performance.now();
  for (const [index, row] of rows.entries()) {
    if (index > 0) pdf.addPage();
    drawPayslip(pdf, row);
    if (performance.now() - started < BATCH) continue;
    onProgress?.(index + 1);
    await nextTask();
    signal?.throwIfAborted();
    started = performance.now();
  }
  onProgress?.(rows.length);
  return pdf.output('blob');
}
