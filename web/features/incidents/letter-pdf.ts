import { jsPDF } from 'jspdf';
import { company } from '#company';
import { formatInstantDay, formatLongDateTime } from '#web/lib/format/dates.ts';
import { INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import type { Letter } from './letter-api.ts';

/** Millimetres, on A4 portrait. */
const LEFT = 25;
const RIGHT = 185;
const TOP = 20;
const BOTTOM = 275;
const LINE = 5.2;
const NAVY = '#0c1a30';
const GREY = '#4d5a6e';
const BRASS = '#b78c35';

/** Writes downwards, on as many pages as it takes. */
class Paper {
  readonly pdf = new jsPDF({ format: 'a4' });
  #y = TOP;

  letterhead(): void {
    const { pdf } = this;
    pdf.setTextColor(NAVY).setFont('times', 'bold').setFontSize(20).text(company.name, LEFT, 24);
    pdf.setTextColor(GREY).setFont('helvetica', 'normal').setFontSize(9);
    pdf.text(`${company.addressLabel}  |  ${company.hotline}  |  ${company.email}`, LEFT, 30);
    pdf.setDrawColor(BRASS).setLineWidth(0.8).line(LEFT, 34, RIGHT, 34);
    this.#y = 46;
  }

  space(millimetres: number): void {
    this.#y += millimetres;
  }

  /** Starts a new page unless so much room is left. */
  keep(millimetres: number): void {
    if (this.#y + millimetres <= BOTTOM) return;
    this.pdf.addPage();
    this.#y = TOP;
  }

  text(text: string, { bold = false, size = 10.5, colour = NAVY, left = LEFT } = {}): void {
    this.pdf.setFont('helvetica', bold ? 'bold' : 'normal').setFontSize(size);
    this.pdf.setTextColor(colour);
    const lines: string[] = this.pdf.splitTextToSize(text, RIGHT - left);
    for (const line of lines) {
      this.keep(LINE);
      this.pdf.text(line, left, this.#y);
      this.#y += LINE;
    }
  }

  fact(name: string, value: string): void {
    this.keep(LINE);
    this.pdf.setFont('helvetica', 'normal').setFontSize(10).setTextColor(GREY);
    this.pdf.text(name, LEFT, this.#y);
    this.text(value, { size: 10, left: LEFT + 35 });
  }

  heading(text: string): void {
    this.space(4);
    this.keep(3 * LINE);
    this.text(text, { bold: true, size: 11.5 });
    this.space(1);
  }

  line(width: number): void {
    this.pdf
      .setDrawColor(GREY)
      .setLineWidth(0.3)
      .line(LEFT, this.#y, LEFT + width, this.#y);
    this.space(LINE);
  }

  /** On every page, once all are written. */
  footer(text: string): void {
    const pages = this.pdf.getNumberOfPages();
    for (let page = 1; page <= pages; page += 1) {
      this.pdf.setPage(page).setFont('helvetica', 'normal').setFontSize(8).setTextColor(GREY);
      this.pdf.text(text, LEFT, 288);
      this.pdf.text(`Page ${page} of ${pages}`, RIGHT, 288, { align: 'right' });
    }
  }
}

export function letterPdf(letter: Letter): Blob {
  const { facts } = letter;
  const number = letter.incident_id.slice(0, 8).toUpperCase();
  const paper = new Paper();
  paper.pdf.setProperties({ title: `Incident Report ${number}`, author: company.name });
  paper.letterhead();
  paper.text(letter.addressee, { bold: true });
  if (letter.address) paper.text(letter.address);
  paper.space(6);
  paper.text(formatInstantDay(letter.created_at));
  paper.space(6);
  paper.text(`Incident Report: ${letter.subject}`, { bold: true, size: 14 });
  paper.space(3);
  paper.fact('Reference', `${number}, version ${letter.version}`);
  paper.fact('Site', [facts.site, facts.site_address].filter(Boolean).join(', '));
  paper.fact('Category', INCIDENT_CATEGORY_LABELS[facts.category]);
  paper.fact('Severity', STATUS_LABELS[facts.severity]);
  paper.fact('Status', STATUS_LABELS[facts.status]);
  paper.fact('Reported', formatLongDateTime(facts.reported_at));
  if (facts.reported_by) paper.fact('Reported by', facts.reported_by);
  paper.heading('Summary');
  paper.text(letter.summary);
  if (letter.actions) {
    paper.heading('Actions taken');
    paper.text(letter.actions);
  }
  paper.space(10);
  // The signature block stays together.
  paper.keep(36);
  paper.text('Yours faithfully,');
  paper.space(16);
  paper.line(70);
  paper.text(letter.signatory, { bold: true });
  if (letter.signatory_title) paper.text(letter.signatory_title);
  paper.text(company.name);
  paper.footer(`Incident Report ${number}, version ${letter.version}. Confidential.`);
  return paper.pdf.output('blob');
}
