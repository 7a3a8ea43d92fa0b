import { describe, expect, it } from 'vitest';
import { balancesByCurrency, signedCents } from './rules.ts';
import { toForm, toRow } from './schema.ts';

const times = { created_at: '2026-11-21T00:00:00Z', updated_at: '2026-11-21T00:00:00Z' };

function account(currency: string, balance_type: 'Dr' | 'Cr', current_balance: number | null) {
  const row = toRow({ ...toForm(), account_number: '1', account_title: 'A', bank_name: 'B' });
  return { ...row, ...times, id: '', created_by: null, currency, balance_type, current_balance };
}

describe('the overview', () => {
  it('adds Cr, subtracts Dr, and keeps currencies apart', () => {
    const balances = balancesByCurrency([
      account('USD', 'Cr', 0.1),
      account('LRD', 'Dr', 500),
      account('USD', 'Cr', 0.2),
      account('USD', 'Dr', 1),
      account('LRD', 'Cr', null),
    ]);
    expect(balances.map(({ currency, total }) => [currency, total])).toEqual([
      ['LRD', -50000n],
      ['USD', -70n],
    ]);
    expect(balances.map(({ accounts }) => accounts.length)).toEqual([2, 3]);
  });

  it('counts an account without a balance as 0', () => {
    expect(signedCents(account('USD', 'Dr', null))).toBe(0n);
  });
});
