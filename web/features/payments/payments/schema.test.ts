import { expect, it } from 'vitest';
import { listFailed, type Payment, sumPayments, sumsByChannel } from './schema.ts';

let made = 0;
function payment(given: Partial<Payment>): Payment {
  made += 1;
  return {
    id: `payment ${made}`,
    payslip_id: `payslip ${made}`,
    pay_run_id: 'run',
    staff_id: 'person',
    staff: { full_name: 'Akoi Dolo', user_id: null },
    currency: 'USD',
    amount: 100.25,
    code: `CODE${made}`,
    channel: 'bank',
    account_name: 'Akoi Dolo',
    account_number: '0123456',
    bank_name: 'A bank',
    blocked: null,
    status: 'to_pay',
    payment_file_id: null,
    line: null,
    reference: null,
    failure: null,
    paid_on: null,
    returned_on: null,
    created_at: '2026-11-01T08:00:00Z',
    updated_at: '2026-11-01T08:00:00Z',
    ...given,
  };
}

it('adds up what each channel has to pay, in files and paid, and all of it with what is blocked', () => {
  const payments = [
    payment({}),
    payment({ amount: 50.1 }),
    payment({ channel: 'mtn_momo', status: 'in_file' }),
    payment({ channel: 'mtn_momo', status: 'failed', failure: 'Wrong number' }),
    payment({ channel: 'cash', status: 'paid', amount: 0.05 }),
    payment({ channel: null, blocked: 'No pay account', amount: 7 }),
  ];
  expect(sumsByChannel(payments).map(({ channel }) => channel)).toEqual([
    'bank',
    'mtn_momo',
    'cash',
  ]);
  expect(sumPayments(payments)).toEqual({
    toPay: { count: 3, cents: 15_735n },
    inFile: { count: 1, cents: 10_025n },
    paid: { count: 1, cents: 5n },
  });
});

it('lists a failed payment until it is in a file again, with its last failure', () => {
  const attempt = (given: Partial<Payment>) => payment({ payslip_id: 'payslip', ...given });
  const first = attempt({ status: 'failed', failure: 'The wallet is full' });
  const second = attempt({ status: 'failed', failure: 'Wrong number' });
  expect(listFailed([first, attempt({})])).toEqual([first]);
  expect(listFailed([first, attempt({ status: 'in_file' })])).toEqual([]);
  expect(listFailed([first, second, attempt({})])).toEqual([second]);
  expect(listFailed([first, second, attempt({ status: 'paid' })])).toEqual([]);
  const returned = attempt({ status: 'returned', failure: 'Closed', returned_on: '2026-11-20' });
  expect(listFailed([first, returned, attempt({})])).toEqual([returned]);
});
