import { describe, expect, it } from 'vitest';
import { creditOf, leftOfLine, partsOf } from './credit-parts.ts';
import type { CreditForm, CreditNote, InvoiceLine } from './schema.ts';

const ID = '00000000-0000-4000-8000-000000000001';

const lineWith = (changed: Partial<InvoiceLine>): InvoiceLine => ({
  id: ID,
  invoice_id: ID,
  position: 1,
  contract_post_id: null,
  site_id: null,
  post_id: null,
  kind: 'regular',
  description: 'Gate',
  quantity: 120.5,
  unit: 'h',
  rate: 3.3333,
  amount: 401.66,
  tax_name: null,
  tax_rate: null,
  vat_treatment: null,
  price_with_tax: null,
  tax_amount: 0,
  minutes: null,
  month: null,
  settles_line_id: null,
  explanation: '',
  credited_at: null,
  created_at: '2026-11-01T00:00:00Z',
  days: null,
  correction_id: null,
  sites: null,
  posts: null,
  ...changed,
});

const noteOf = (part: Partial<CreditNote['credit_note_lines'][number]>): CreditNote => ({
  id: ID,
  invoice_id: ID,
  client_id: ID,
  year: 2026,
  sequence: 1,
  number: 'CN-2026-0001',
  reason: 'Less',
  currency: 'USD',
  amount: 0,
  tax: 0,
  issued_on: '2026-11-02',
  issued_by: null,
  created_at: '2026-11-02T00:00:00Z',
  credit_note_lines: [
    {
      amount: 0,
      tax_amount: 0,
      quantity: null,
      unit: null,
      rate: null,
      price_with_tax: null,
      invoice_lines: lineWith({}),
      ...part,
    },
  ],
});

const form = (how: CreditForm['how'][string], entry = ''): CreditForm => ({
  lines: [ID],
  how: { [ID]: how },
  entries: { [ID]: entry },
  reason: 'Less',
});

describe('the sum of a credit note', () => {
  it('is a quantity at the rate of its line, and the rest to the cent', () => {
    const line = lineWith({});
    expect(creditOf(line, leftOfLine(line, []), form('quantity', '20'))).toBe(6667n);
    const note = noteOf({ amount: 66.67, quantity: 20, unit: 'h', rate: 3.3333 });
    const left = leftOfLine(line, [note]);
    expect(creditOf(line, left, form('quantity', '100.5'))).toBe(33_499n);
    expect(creditOf(line, left, form('whole'))).toBe(33_499n);
    expect(creditOf(line, left, form('quantity', '101'))).toBeUndefined();
  });

  it('has the tax of its part, and never more than is left of it', () => {
    const line = lineWith({ amount: 100, tax_rate: 0.18, tax_amount: 18 });
    const left = leftOfLine(line, []);
    expect(creditOf(line, left, form('amount', '33.33'))).toBe(3933n);
    expect(creditOf(line, left, form('amount', '100'))).toBe(11_800n);
    expect(creditOf(line, left, form('amount', '100.01'))).toBeUndefined();
    expect(creditOf(line, left, form('amount', ''))).toBeUndefined();
  });

  it('is the amount itself where prices contain the tax', () => {
    const line = lineWith({ amount: 100, tax_rate: 0.18, tax_amount: 18, price_with_tax: 118 });
    expect(creditOf(line, leftOfLine(line, []), form('amount', '59'))).toBe(5900n);
  });
});

it('sends what was entered of each line', () => {
  expect(partsOf(form('quantity', ' 8 '))).toEqual([{ line_id: ID, quantity: '8' }]);
  expect(partsOf(form('amount', '1,200'))).toEqual([{ line_id: ID, amount: '1200.00' }]);
  expect(partsOf(form('whole', '7'))).toEqual([{ line_id: ID }]);
});
