import { describe, expect, it } from 'vitest';
import type { Payslip, SlipLine } from '#web/lib/data/payslips.ts';
import { payslipsPdf } from './payslip-pdf.ts';

const record: Payslip = {
  id: '1',
  staff: { full_name: 'Musu Kollie', role: 'guard' },
  period_start: '2026-10-01',
  period_end: '2026-10-31',
  base_amount: 143,
  deductions: 16.53,
  bonuses: 10,
  net_amount: 136.47,
  payment_date: null,
  returned_on: null,
  return_reason: null,
  payment_status: 'pending',
  notes: 'Bring the badge',
  calculation: null,
  currency: 'USD',
  payslips: null,
};

const line = (position: number, more: Partial<SlipLine>): SlipLine => ({
  position,
  label: 'Salary',
  quantity: null,
  unit: '',
  rate: null,
  amount: 9200,
  explanation: 'A month of the salary.',
  ...more,
});

const fromRun = (lines: SlipLine[]): Payslip => ({
  ...record,
  currency: 'LRD',
  payslips: {
    gross: 9_650.5,
    deductions: 368,
    net: 9_282.5,
    currency: 'LRD',
    payslip_lines: lines,
  },
});

/** The texts of each page, in the order in which they are drawn. */
async function pagesOf(rows: Payslip[]): Promise<string[][]> {
  const file = Buffer.from(await (await payslipsPdf(rows)).arrayBuffer()).toString('latin1');
  return file
    .split('/Contents')
    .slice(1)
    .map((page) => [...page.matchAll(/\((.*)\) Tj/g)].map(([, text = '']) => text));
}

describe('a payslip as PDF', () => {
  it('prints letters that its font lacks as similar ones', async () => {
    const [texts = []] = await pagesOf([
      { ...record, staff: { full_name: 'Kɔtɔ Ŋafua', role: 'guard' } },
    ]);
    expect(texts).toContain('Koto Nafua');
  });

  it('of a pay run shows each line with its figures and its sentence, in the currency of the run', async () => {
    const [texts = []] = await pagesOf([
      fromRun([
        line(3, { label: 'NASSCORP', amount: -368, explanation: '4 % of gross.' }),
        line(1, {}),
        line(2, {
          label: 'Overtime',
          quantity: 10,
          unit: 'h',
          rate: 45.05,
          amount: 450.5,
          explanation: 'Hours above 48 a week.',
        }),
      ]),
    ]);
    const shown = texts.join(' ');
    expect(shown).toContain('A month of the salary. Salary L$9,200.00');
    expect(shown).toContain('10 h × 45.05. Hours above 48 a week. Overtime L$450.50');
    expect(shown).toContain('4 % of gross. NASSCORP -L$368.00');
    expect(shown).toContain('Gross L$9,650.50 Deductions -L$368.00 Net L$9,282.50 Bring the badge');
    expect(shown).not.toContain('Base Amount');
    expect(shown.indexOf('Overtime')).toBeLessThan(shown.indexOf('NASSCORP'));
  });

  it('without a pay run shows base, deductions, bonuses and net', async () => {
    const [texts = []] = await pagesOf([record]);
    expect(texts.join(' ')).toContain(
      'Base Amount $143.00 Deductions -$16.53 Bonuses $10.00 Net Amount $136.47 Bring the badge',
    );
  });

  it('continues on another page when there are many lines, and the next person begins a page', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      line(index, { label: `Line ${index}`, amount: 1, explanation: 'Why. '.repeat(30).trim() }),
    );
    const pages = await pagesOf([fromRun(many), record]);
    expect(pages.length).toBeGreaterThan(3);
    const labels = pages.flat().filter((text) => text.startsWith('Line '));
    expect(labels).toEqual(many.map(({ label }) => label));
    expect(pages.at(-1)?.join(' ')).toContain('Base Amount $143.00');
    expect(pages.at(-2)?.join(' ')).toContain('Net L$9,282.50');
  });

  it('reports its progress and can be stopped', async () => {
    const rows = Array.from({ length: 600 }, () =>
      fromRun(Array.from({ length: 10 }, (_, index) => line(index, {}))),
    );
    const stopper = new AbortController();
    const progress: number[] = [];
    const file = payslipsPdf(rows, {
      signal: stopper.signal,
      onProgress: (done) => {
        progress.push(done);
        stopper.abort();
      },
    });
    await expect(file).rejects.toThrow('aborted');
    expect(progress).toHaveLength(1);
    expect(progress[0]).toBeLessThan(600);
  });
});
