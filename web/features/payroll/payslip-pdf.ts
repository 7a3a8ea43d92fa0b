import { jsPDF } from 'jspdf';
import { company } from '#company';
import { centsOf, formatDollars } from '#shared/money.ts';
import { formatDay, formatPeriod } from '#web/lib/format/dates.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { explanationOf } from './rules.ts';
import type { Payslip } from './schema.ts';

/** Millimetres, on A5 portrait. */
const LEFT = 14;
const RIGHT = 134;
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
  pdf.setTextColor(NAVY).text(value, LEFT + 30, y, { maxWidth: RIGHT - LEFT - 30 });
}

function drawAmount(pdf: jsPDF, name: string, amount: string, y: number, isTotal = false) {
  pdf.setFont('helvetica', isTotal ? 'bold' : 'normal').setFontSize(isTotal ? 12 : 10);
  pdf.setTextColor(NAVY).text(name, LEFT, y).text(amount, RIGHT, y, { align: 'right' });
  pdf
    .setDrawColor('#dcd8cd')
    .setLineWidth(0.2)
    .line(LEFT, y + 2.5, RIGHT, y + 2.5);
}

function drawPayslip(pdf: jsPDF, row: Payslip) {
  drawLetterhead(pdf);
  pdf.setFont('times', 'bold').setFontSize(14).setTextColor(NAVY).text('Payslip', LEFT, 40);
  const paid = row.payment_date ? `, ${formatDay(row.payment_date)}` : '';
  drawPair(pdf, 'Name', row.staff.full_name, 49);
  drawPair(pdf, 'Role', ROLE_LABELS[row.staff.role], 55);
  drawPair(pdf, 'Period', formatPeriod(row.period_start, row.period_end), 61);
  drawPair(pdf, 'Payment', `${STATUS_LABELS[row.payment_status]}${paid}`, 67);
  drawAmount(pdf, 'Base Amount', formatDollars(row.base_amount), 80);
  drawAmount(pdf, 'Deductions', formatDollars(-centsOf(row.deductions)), 88);
  drawAmount(pdf, 'Bonuses', formatDollars(row.bonuses), 96);
  drawAmount(pdf, 'Net Amount', formatDollars(row.net_amount), 106, true);
  let y = 118;
  for (const { name, amount, how } of explanationOf(row) ?? []) {
    pdf.setFont('helvetica', 'bold').setFontSize(9).setTextColor(NAVY);
    pdf.text(name, LEFT, y).text(formatDollars(amount), RIGHT, y, { align: 'right' });
    pdf.setFont('helvetica', 'normal').setTextColor(GREY);
    pdf.text(how, LEFT, y + 4.5, { maxWidth: RIGHT - LEFT });
    y += 14;
  }
  if (row.notes) {
    pdf.setFont('helvetica', 'normal').setFontSize(9).setTextColor(GREY);
    pdf.text(row.notes, LEFT, y, { maxWidth: RIGHT - LEFT });
  }
}

/** Lets the browser render the progress. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/**
 * One page per payslip, with the same figures as on screen.
 * @param onProgress called with the number of finished payslips
 */
export async function payslipsPdf(rows: Payslip[], onProgress?: (done: number) => void) {
  const pdf = new jsPDF({ format: 'a5' });
  pdf.setProperties({ title: 'Payslips', author: company.name });
  for (const [index, row] of rows.entries()) {
    if (index > 0) pdf.addPage();
    drawPayslip(pdf, row);
    if (index % 20 === 19) {
      onProgress?.(index + 1);
      await nextTask();
    }
  }
  onProgress?.(rows.length);
  return pdf.output('blob');
}
