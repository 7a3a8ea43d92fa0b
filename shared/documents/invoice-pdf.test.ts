import decodeQR from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { creditNotePdf } from './credit-note-pdf.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { Paper } from './paper.ts';
import { paymentText } from './payment-box.ts';
import {
  type PayTo,
  type PrintedCreditNote,
  type PrintedInvoice,
  printedQuantity,
  printedRate,
} from './printed-invoice.ts';
import { drawQrCode } from './qr-code.ts';
import { statementPdf } from './statement-pdf.ts';
import { withFonts } from './wide-font.ts';

const line = {
  description: 'Gate, regular hours',
  quantity: '120.5000',
  unit: 'h',
  rate: '3.5000',
  amount: '421.75',
  price_with_tax: null,
  tax_name: null,
  tax_rate: null,
  tax_amount: '0.00',
  vat_treatment: null,
};

/** With VAT of 18 %. */
const taxedLine = {
  ...line,
  tax_name: 'VAT',
  tax_rate: '0.1800',
  tax_amount: '75.92',
  vat_treatment: 'standard',
} as const;

const invoice: PrintedInvoice = {
  number: 'INV-2026-0007',
  currency: 'USD',
  issued_on: '2026-10-01',
  due_on: '2026-10-31',
  period_start: '2026-09-01',
  period_end: '2026-09-30',
  bill_to: { name: 'Embassy', address: 'Mamba Point' },
  vat_number: null,
  subtotal: '421.75',
  tax: '0.00',
  total: '421.75',
  note: 'Thank you.',
  purchase_order: null,
  pay_to: null,
  lines: [line],
};

/** The texts of a PDF, which is not compressed. */
const writtenOn = (paper: Paper): string[] =>
  [...paper.pdf.output().matchAll(/\((.*)\) Tj/g)].map(([, text = '']) => text);

/** The texts of each page. */
function pagesOf(paper: Paper): string[][] {
  const streams = paper.pdf.output().split('endstream');
  const pages = streams.slice(0, paper.pdf.getNumberOfPages());
  return pages.map((page) => [...page.matchAll(/\((.*)\) Tj/g)].map(([, text = '']) => text));
}

const textsOf = (printed: PrintedInvoice): string[] => writtenOn(invoicePdf(printed));

describe('the PDF of an invoice', () => {
  it('has the addressee, the dates, each line and the total', () => {
    expect(textsOf(invoice)).toEqual(
      expect.arrayContaining([
        'Invoice INV-2026-0007',
        'Embassy',
        'Mamba Point',
        'Oct 31, 2026',
        'Sep 1, 2026 to Sep 30, 2026',
        'Gate, regular hours',
        '120.5 h',
        '$3.50',
        '$421.75',
        'Thank you.',
      ]),
    );
  });

  it('shows a subtotal only if a line has a tax', () => {
    expect(textsOf(invoice)).not.toContain('Subtotal');
    expect(textsOf({ ...invoice, lines: [taxedLine] })).toContain('Subtotal');
  });

  it('shows the tax by rate, and what has none', () => {
    const exempt = { ...line, tax_name: 'VAT', tax_rate: 0, vat_treatment: 'exempt' } as const;
    const texts = textsOf({
      ...invoice,
      vat_number: '500123456',
      bill_to: { ...invoice.bill_to, tin: '100200300', vat_certificate: 'DIP 42' },
      subtotal: '1687.00',
      tax: '151.84',
      total: '1838.84',
      lines: [line, exempt, taxedLine, taxedLine],
    });
    expect(texts).toEqual(
      expect.arrayContaining(['500123456', '100200300', 'DIP 42', '$1,687.00', '$1,838.84']),
    );
    const sums = texts.slice(texts.indexOf('Subtotal'), texts.indexOf('Total'));
    expect(sums.filter((text) => !text.startsWith('$'))).toEqual([
      'Subtotal',
      'VAT 18% on $843.50',
      'Exempt from VAT: $421.75',
      'Without tax: $421.75',
    ]);
    expect(sums).toContain('$151.84');
  });

  it('has the price that was agreed on where it contains the tax', () => {
    const included = {
      ...taxedLine,
      amount: '357.42',
      tax_amount: '64.33',
      price_with_tax: '421.75',
    };
    const texts = textsOf({
      ...invoice,
      subtotal: '357.42',
      tax: '64.33',
      lines: [included],
    });
    expect(texts).toEqual(
      expect.arrayContaining([
        'VAT 18% on $357.42',
        '$64.33',
        'The rates and amounts above contain the tax.',
      ]),
    );
    expect(texts.filter((text) => text === '$421.75')).toHaveLength(2);
  });

  it('wraps a long description and never cuts a figure', () => {
    const description = 'Mesurado Savings & Loan, Randall Street, Main Gate: hours on Sundays';
    const amount = '123456789012345.25';
    const long = {
      ...invoice,
      currency: 'LRD',
      total: amount,
      lines: [{ ...line, description, amount }],
    };
    const texts = textsOf(long);
    expect(texts.filter((text) => text === 'L$123,456,789,012,345.25')).toHaveLength(2);
    expect(texts.join(' ')).toContain(description);
  });

  it('prints characters that its font lacks as similar ones, and omits emoji', () => {
    const texts = textsOf({ ...invoice, note: 'Gbɛwɔ Kŋɔ → “≤ 2 h” 🚨 – thanks 中' });
    expect(texts).toContainEqual(expect.stringMatching(/^Gbewo Kno -> .<= 2 h. {2}. thanks \?$/));
  });

  it('continues on further pages, each with the headings of its lines', () => {
    const long = { ...invoice, lines: Array.from({ length: 80 }, () => line) };
    const paper = invoicePdf(long);
    expect(paper.pdf.getNumberOfPages()).toBe(3);
    const headings = ['Description', 'Quantity', 'Rate', 'Amount'];
    expect(writtenOn(paper).filter((text) => headings.includes(text))).toEqual([
      ...headings,
      ...headings,
      ...headings,
    ]);
  });

  it('keeps the sums together, and does not repeat the headings above them alone', () => {
    const taxed = { ...invoice, note: null };
    for (let count = 25; count < 40; count += 1) {
      const lines = Array.from({ length: count }, () => taxedLine);
      const [, ...further] = pagesOf(invoicePdf({ ...taxed, lines }));
      const sums = further.map((texts) => texts.filter((text) => text.includes('otal')));
      expect(sums.flat()).toEqual(sums.flat().length === 0 ? [] : ['Subtotal', 'Total']);
      for (const texts of further) {
        expect(texts.includes('Description')).toBe(texts.includes(line.description));
      }
    }
  });

  it('prints amounts of millions of Liberian dollars at full size', () => {
    const amount = '-12345678.25';
    const printed = { ...invoice, currency: 'LRD', lines: [{ ...line, rate: amount, amount }] };
    const content = invoicePdf(printed).pdf.output();
    const sizes = [...content.matchAll(/\/F\d+ (\S+) Tf[^/]*?\(-L\$12,345,678\.25\) Tj/g)];
    expect(sizes.map(([, size]) => size)).toEqual(['9', '9']);
  });
});

it('a statement repeats its headings on further pages', () => {
  const entry = {
    day: '2026-10-01',
    name: 'Invoice',
    text: 'INV-2026-0007',
    charge: '421.75',
    payment: 0,
    balance: '421.75',
  };
  const paper = statementPdf({
    client: { name: 'Embassy', address: 'Mamba Point' },
    currency: 'LRD',
    pay_to: null,
    from: '2026-01-01',
    to: '2026-12-31',
    entries: Array.from({ length: 60 }, () => entry),
  });
  expect(paper.pdf.getNumberOfPages()).toBe(2);
  expect(writtenOn(paper).filter((text) => text === 'Entry')).toHaveLength(2);
});

it('a credit note names its invoice, the reason, and the lines that it takes back', () => {
  const note: PrintedCreditNote = {
    number: 'CN-2026-0003',
    currency: 'LRD',
    issued_on: '2026-10-09',
    invoice_number: invoice.number,
    reason: 'The gate was closed',
    bill_to: invoice.bill_to,
    vat_number: null,
    amount: '421.75',
    tax: 0,
    lines: [line],
  };
  const texts = writtenOn(creditNotePdf(note));
  expect(texts).toEqual(
    expect.arrayContaining([
      'Credit note CN-2026-0003',
      'Oct 9, 2026',
      'INV-2026-0007',
      'The gate was closed',
      'Gate, regular hours',
      'L$421.75',
    ]),
  );
  expect(writtenOn(creditNotePdf({ ...note, lines: [taxedLine] }))).toContain(
    'VAT 18% on L$421.75',
  );
});

describe('letters beyond Windows-1252', () => {
  const named = (name: string) => ({ ...invoice, bill_to: { name, address: 'Łódź, Kpɛllɛ' } });

  it.each([
    'Konsulat RP w Łodzi, ul. Żeromskiego',
    'سفارة المملكة المغربية',
    'Посольство',
    'Πρεσβεία',
  ])('%s is printed as it is written', async (name) => {
    const paper = await withFonts(() => invoicePdf(named(name)));
    expect(paper.lacksFont).toBe(false);
    const content = paper.pdf.output();
    expect(writtenOn(paper).join()).not.toContain('?');
    // Which letters the embedded fonts are read back as.
    const unicode = [...content.matchAll(/<[0-9a-f]{4}><([0-9a-f]{4})>/gi)].map(([, code = '']) =>
      String.fromCodePoint(Number.parseInt(code, 16)).normalize('NFKC'),
    );
    for (const letter of `${name}Łódźɛ`.replaceAll(/[\s.,]/g, '')) {
      expect(unicode.join('')).toContain(letter);
    }
  });

  it('loads no font for a PDF without them, and embeds only the letters that it has', async () => {
    const plain = await withFonts(() => invoicePdf(invoice));
    expect(plain.pdf.output()).not.toContain('DejaVu');
    const wide = await withFonts(() => invoicePdf(named('Łódź')));
    expect(wide.pdf.output().length - plain.pdf.output().length).toBeLessThan(60_000);
  });
});

describe('a total', () => {
  it.each([
    ['without tax', line],
    ['with tax', taxedLine],
  ])('never stands alone on a page, %s', (_, each) => {
    for (let count = 1; count <= 60; count += 1) {
      const lines = Array.from({ length: count }, () => each);
      const pages = pagesOf(invoicePdf({ ...invoice, lines }));
      const last = pages.findLast((texts) => texts.includes('Total'));
      expect(last, String(count)).toContain(line.description);
    }
  });

  it('of a statement follows an entry', () => {
    const entry = {
      day: '2026-10-01',
      name: 'Invoice',
      text: '',
      charge: 1,
      payment: 0,
      balance: 1,
    };
    for (let count = 25; count <= 60; count += 1) {
      const entries = Array.from({ length: count }, () => entry);
      const client = { name: 'Embassy', address: 'Mamba Point' };
      const paper = statementPdf({
        client,
        currency: 'USD',
        pay_to: null,
        from: '2026-01-01',
        to: '2026-12-31',
        entries,
      });
      const [, second] = pagesOf(paper);
      const shown = second?.filter((text) => text === 'Invoice').length;
      expect(shown ?? 2, String(count)).toBeGreaterThan(1);
    }
  });
});

describe('how to pay', () => {
  const pay_to: PayTo = {
    tin: '500104400',
    address: 'Old Road, Sinkor',
    terms: 'Within 30 days.',
    accounts: [
      { kind: 'bank', provider: 'Ecobank', title: 'Statesman', number: '6101', note: 'SWIFT ECO' },
      { kind: 'mobile_money', provider: 'MTN MoMo', title: 'Statesman', number: '0880' },
    ],
  };

  it('is on an invoice with its accounts, reference and terms, and both tax numbers', () => {
    const texts = textsOf({
      ...invoice,
      purchase_order: 'PO 4107',
      pay_to,
      bill_to: { ...invoice.bill_to, tin: '512345678' },
    });
    expect(texts).toEqual(
      expect.arrayContaining([
        'How to Pay',
        'Bank transfer: Ecobank',
        '6101, Statesman',
        'SWIFT ECO',
        'Mobile money: MTN MoMo',
        'Reference: INV-2026-0007',
        'Within 30 days.',
        'PO 4107',
        '500104400',
        '512345678',
      ]),
    );
    expect(textsOf(invoice)).not.toContain('How to Pay');
    expect(textsOf({ ...invoice, pay_to: { accounts: [] } })).not.toContain('How to Pay');
  });

  it('has a code that a phone reads', () => {
    const demand = {
      reference: 'INV-2026-0007',
      currency: 'LRD',
      amount: '1250.5',
      due_on: '2026-10-31',
    };
    const text = paymentText(demand, pay_to);
    expect(text.split('\n').slice(1)).toEqual([
      'LRD 1,250.50 by Oct 31, 2026',
      'Reference INV-2026-0007',
      'Ecobank: 6101, Statesman',
      'MTN MoMo: 0880, Statesman',
    ]);
    // What is drawn: black squares on white paper.
    const size = 600;
    const data = new Uint8Array(size * size).fill(255);
    const paper = new Paper();
    paper.pdf.rect = (x, y, width, height) => {
      for (let row = Math.round(y * 4); row < Math.round((y + height) * 4); row += 1)
        data.fill(0, row * size + Math.round(x * 4), row * size + Math.round((x + width) * 4));
      return paper.pdf;
    };
    drawQrCode(paper.pdf, text, { left: 10, top: 10, size: 120 }, 'medium');
    const rgba = new Uint8Array(data.length * 4).fill(255);
    for (const [at, grey] of data.entries()) rgba.fill(grey, at * 4, at * 4 + 3);
    expect(decodeQR({ width: size, height: size, data: rgba })).toBe(text);
  });

  it('stays on one page', () => {
    for (let count = 10; count <= 40; count += 1) {
      const lines = Array.from({ length: count }, () => line);
      const pages = pagesOf(invoicePdf({ ...invoice, lines, pay_to }));
      const page = pages.find((texts) => texts.includes('How to Pay')) ?? [];
      expect(page, String(count)).toEqual(
        expect.arrayContaining(['Bank transfer: Ecobank', 'Within 30 days.']),
      );
    }
  });

  it('is on a statement while something is owed', () => {
    const entry = { day: '2026-10-01', name: 'Invoice', text: '', charge: 1, payment: 0 };
    const statement = {
      client: { name: 'Embassy', address: 'Mamba Point' },
      currency: 'USD',
      pay_to,
      from: '2026-01-01',
      to: '2026-12-31',
    };
    const withBalance = (balance: number) =>
      writtenOn(statementPdf({ ...statement, entries: [{ ...entry, balance }] }));
    expect(withBalance(1)).toContain('6101, Statesman');
    expect(withBalance(0)).not.toContain('How to Pay');
  });
});

describe('figures', () => {
  it('have no more decimals than they need', () => {
    expect(['7.5000', '8.0000', '0.2667', 100].map(printedQuantity)).toEqual([
      '7.5',
      '8',
      '0.2667',
      '100',
    ]);
    expect(['3.5000', '0.6875', '-2.0000', 0].map((rate) => printedRate(rate, 'USD'))).toEqual([
      '$3.50',
      '$0.6875',
      '-$2.00',
      '$0.00',
    ]);
  });
});
