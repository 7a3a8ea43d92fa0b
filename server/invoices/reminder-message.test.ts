import { expect, it } from 'vitest';
import { type Reminder, reminderMessage } from './reminder-message.ts';

const invoice = { number: 'INV-2026-0007', due_on: '2026-10-31', open_amount: '100.00' };
const reminder: Reminder = {
  email: 'accounts@mission.example',
  currency: 'USD',
  client: { name: 'Mission', address: 'Mamba Point' },
  pay_to: { accounts: [] },
  from: '2026-08-01',
  to: '2026-11-10',
  invoices: [invoice],
  entries: [],
};

it('names the one invoice that is overdue', () => {
  const { subject, paragraphs } = reminderMessage(reminder);
  expect(subject).toContain('$100.00 overdue');
  expect(paragraphs.join(' ')).toContain(
    'Invoice INV-2026-0007 was due on Oct 31, 2026, and $100.00 are still open.',
  );
});

it('lists several, with their sum', () => {
  const other = { number: 'INV-2026-0009', due_on: '2026-11-02', open_amount: '20.50' };
  const { paragraphs } = reminderMessage({ ...reminder, invoices: [invoice, other] });
  expect(paragraphs.join(' ')).toContain('together $120.50');
  expect(paragraphs).toContain('INV-2026-0009, due on Nov 2, 2026: $20.50');
});
