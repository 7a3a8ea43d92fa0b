import { expect, it } from 'vitest';
import { type InvoiceMail, invoiceMessage } from './message.ts';

const mail: InvoiceMail = {
  id: 'mail',
  email: 'accounts@mission.example',
  open_amount: '100.00',
  invoice: {
    number: 'INV-2026-0007',
    currency: 'USD',
    issued_on: '2026-10-01',
    due_on: '2026-10-31',
    period_start: '2026-09-01',
    period_end: '2026-09-30',
    bill_to: { name: 'Mission' },
    vat_number: null,
    subtotal: '100.00',
    tax: '0.00',
    total: '100.00',
    note: null,
    purchase_order: null,
    pay_to: null,
    lines: [],
  },
  credit_notes: [],
};

const textOf = (changed: Partial<InvoiceMail>) =>
  invoiceMessage({ ...mail, ...changed }).paragraphs.join(' ');

it('asks for what is left to pay, and for nothing once all is paid or credited', () => {
  expect(textOf({})).toContain('It is due on Oct 31, 2026.');
  expect(textOf({ open_amount: '80.00' })).toContain('Still to pay: $80.00, due on Oct 31, 2026.');
  const settled = textOf({ open_amount: '0.00' });
  expect(settled).toContain('Nothing is left to pay.');
  expect(settled).not.toContain('due on');
});

it('names each credit note with its amount and reason', () => {
  const note = { ...mail.invoice, invoice_number: mail.invoice.number };
  const credit_notes = [
    { ...note, number: 'CN-2026-0003', amount: '20.00', reason: 'The gate was closed' },
  ];
  expect(textOf({ credit_notes })).toContain(
    'Credit note CN-2026-0003 for $20.00 is attached too. Reason: The gate was closed',
  );
});
