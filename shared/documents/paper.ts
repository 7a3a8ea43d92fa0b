// A PDF of the company, A4 portrait: letterhead, text, tables, page numbers. Loaded when a PDF is made.
import { jsPDF } from 'jspdf';
import { company } from '#company';
import { needsWideFont, printable } from './printable.ts';
import { wideFont } from './wide-font.ts';

/** Millimetres, on A4 portrait. */
export const LEFT = 25;
const RIGHT = 185;
const TOP = 20;
const BOTTOM = 275;
const LINE = 5.2;
const ROW_LINE = 4;
export const ROW_HEIGHT = 6;
/** Points. */
const ROW_SIZE = 9;
const NAVY = '#0c1a30';
const GREY = '#4d5a6e';
const BRASS = '#b78c35';

const WIDE_FONT = 'DejaVu';

export type TextStyle = { bold?: boolean; size?: number; colour?: string; left?: number };
export type PaperCell = { text: string; width: number; right?: boolean };
export type PaperRow = { cells: readonly PaperCell[]; bold?: boolean };

/** Writes downwards, on as many pages as it takes. */
export class Paper {
  readonly pdf = new jsPDF({ format: 'a4' });
  /** Whether letters were replaced that the embedded font has: see withFonts. */
  lacksFont = false;
  #hasWideFont = false;
  #y = TOP;

  /** A letter to a client, begun with its address and title. @param name of the document, where the title is not enough */
  static letterTo(
    to: { name: string; address?: string | null },
    title: string,
    name: string = title,
  ): Paper {
    const paper = new Paper();
    paper.pdf.setProperties({ title: name, author: company.name });
    paper.letterhead();
    paper.text(to.name, { bold: true });
    if (to.address) paper.text(to.address);
    paper.space(6);
    paper.text(title, { bold: true, size: 14 });
    paper.space(3);
    return paper;
  }

  letterhead(): void {
    const { pdf } = this;
    pdf.setTextColor(NAVY).setFont('times', 'bold').setFontSize(20).text(company.name, LEFT, 24);
    pdf.setTextColor(GREY).setFont('helvetica', 'normal').setFontSize(9);
    pdf.text(`${company.addressLabel}  |  ${company.hotline}  |  ${company.email}`, LEFT, 30);
    pdf.setDrawColor(BRASS).setLineWidth(0.8).line(LEFT, 34, RIGHT, 34);
    this.#y = 46;
  }

  /** Sets the font that has the letters of the text. @returns the text as it prints them */
  #setFontFor(text: string, bold: boolean): string {
    const { pdf } = this;
    const style = bold ? 'bold' : 'normal';
    const font = wideFont();
    const isWide = needsWideFont(text);
    if (!isWide || !font) {
      this.lacksFont ||= isWide;
      pdf.setFont('helvetica', style);
      return printable(text);
    }
    if (!this.#hasWideFont) {
      for (const weight of ['normal', 'bold'] as const) {
        pdf.addFileToVFS(`${WIDE_FONT}-${weight}.ttf`, font[weight]);
        pdf.addFont(`${WIDE_FONT}-${weight}.ttf`, WIDE_FONT, weight);
      }
      this.#hasWideFont = true;
    }
    pdf.setFont(WIDE_FONT, style);
    return printable(text, true);
  }

  space(millimetres: number): void {
    this.#y += millimetres;
  }

  /** Starts a new page unless so much room is left. */
  keep(millimetres: number): void {
    if (this.left >= millimetres) return;
    this.pdf.addPage();
    this.#y = TOP;
  }

  #linesOf(text: string, { bold = false, size = 10.5, left = LEFT }: TextStyle): string[] {
    const shown = this.#setFontFor(text, bold);
    this.pdf.setFontSize(size);
    return this.pdf.splitTextToSize(shown, RIGHT - left);
  }

  /** @returns millimetres that the text takes */
  tallOf(text: string, style: TextStyle): number {
    return this.#linesOf(text, style).length * LINE;
  }

  text(text: string, style: TextStyle = {}): void {
    const { colour = NAVY, left = LEFT } = style;
    const lines = this.#linesOf(text, style);
    this.pdf.setTextColor(colour);
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

  /** The lines of each cell, and how many the longest has. */
  #wrapped(cells: readonly PaperCell[], bold: boolean) {
    const { pdf } = this;
    pdf.setFontSize(ROW_SIZE).setTextColor(NAVY);
    const columns = cells.map(({ text, width, right = false }) => {
      const shown = this.#setFontFor(text, bold);
      const lines: string[] = right ? [shown] : pdf.splitTextToSize(shown, width - 2);
      return { text, lines, width, right };
    });
    return { columns, most: Math.max(1, ...columns.map(({ lines }) => lines.length)) };
  }

  /**
   * Rows below a heading, which is repeated on each page.
   * @param foot millimetres of what must not be parted from the last row
   */
  table(heading: readonly PaperCell[], rows: readonly PaperRow[], foot = 0): void {
    const writeHeading = () => this.row(heading, { bold: true, rule: 0.4 });
    const tallOf = ({ cells, bold = false }: PaperRow) =>
      ROW_HEIGHT + (this.#wrapped(cells, bold).most - 1) * ROW_LINE;
    const [first] = rows;
    // The last two rows stay together: the last may be a total.
    const last = rows.at(-1);
    const below = (index: number) => {
      if (index < rows.length - 2) return 0;
      return foot + (index === rows.length - 2 && last ? tallOf(last) : 0);
    };
    const begin = tallOf({ cells: heading, bold: true }) + (first ? tallOf(first) : 0);
    this.keep(begin + below(0));
    writeHeading();
    for (const [index, row] of rows.entries()) {
      const tall = tallOf(row) + below(index);
      if (this.left < tall && index > 0) {
        this.keep(tall);
        writeHeading();
      }
      this.row(row.cells, { bold: row.bold ?? false });
    }
  }

  /** Widths in millimetres. Text wraps in its column; a figure on the right is never broken, and smaller where it is too wide. */
  row(cells: readonly PaperCell[], { bold = false, height = ROW_HEIGHT, rule = 0.15 } = {}): void {
    const { pdf } = this;
    const { columns, most } = this.#wrapped(cells, bold);
    const tall = height + (most - 1) * ROW_LINE;
    this.keep(tall);
    let x = LEFT;
    for (const { text, lines, width, right } of columns) {
      const [figure = ''] = lines;
      this.#setFontFor(text, bold);
      if (right) {
        const wide = pdf.getTextWidth(figure);
        pdf.setFontSize(ROW_SIZE * Math.min(1, (width - 2) / wide));
        pdf.text(figure, x + width - 1, this.#y, { align: 'right' }).setFontSize(ROW_SIZE);
      } else
        lines.forEach((line, index) => {
          pdf.text(line, x, this.#y + index * ROW_LINE);
        });
      x += width;
    }
    const foot = this.#y + 2 + (most - 1) * ROW_LINE;
    pdf.setDrawColor('#dcd8cd').setLineWidth(rule).line(LEFT, foot, RIGHT, foot);
    this.#y += tall;
  }

  /** A column for each label, its parts from the foot upwards in navy and brass; the highest is named beside the scale. */
  bars(caption: string, columns: readonly { label: string; parts: readonly number[] }[]): void {
    const { pdf } = this;
    const height = 32;
    this.keep(height + 16);
    this.text(caption, { size: 9, colour: GREY });
    const foot = this.#y + height;
    const sums = columns.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0));
    const most = Math.max(1, ...sums);
    const step = (RIGHT - LEFT) / Math.max(1, columns.length);
    const width = Math.min(step * 0.7, 12);
    pdf.setFont('helvetica', 'normal').setFontSize(7.5).setTextColor(GREY);
    columns.forEach(({ label, parts }, index) => {
      const middle = LEFT + step * (index + 0.5);
      let top = foot;
      parts.forEach((part, at) => {
        const tall = (part / most) * (height - 5);
        top -= tall;
        if (tall > 0)
          pdf.setFillColor(at === 0 ? NAVY : BRASS).rect(middle - width / 2, top, width, tall, 'F');
      });
      // Figures over columns that are wide enough for them.
      const sum = sums[index] ?? 0;
      if (step > 10) pdf.text(String(Math.round(sum)), middle, top - 1.5, { align: 'center' });
      pdf.text(label, middle, foot + 4, { align: 'center' });
    });
    if (step <= 10)
      pdf.text(`Most on one day: ${Math.round(most)}`, RIGHT, foot - height, { align: 'right' });
    pdf.setDrawColor('#dcd8cd').setLineWidth(0.3).line(LEFT, foot, RIGHT, foot);
    this.#y = foot + 10;
  }

  /** Of the next line, millimetres from the top of the page. */
  get y(): number {
    return this.#y;
  }

  /** The rest of the page in millimetres. */
  get left(): number {
    return BOTTOM - this.#y;
  }

  /** On every page, once all are written. */
  footer(text: string): void {
    const pages = this.pdf.getNumberOfPages();
    for (let page = 1; page <= pages; page += 1) {
      this.pdf.setPage(page).setFontSize(8).setTextColor(GREY);
      this.pdf.text(this.#setFontFor(text, false), LEFT, 288);
      this.pdf.setFont('helvetica', 'normal');
      this.pdf.text(`Page ${page} of ${pages}`, RIGHT, 288, { align: 'right' });
    }
  }
}
