import { parseCents } from '#shared/money.ts';
import type { BankAccount } from './schema.ts';

/** @returns cents: a credit balance is positive, a debit balance (overdraft) negative, no balance 0 */
export function signedCents(
  account: Pick<BankAccount, 'balance_type' | 'current_balance'>,
): bigint {
  const cents = parseCents(account.current_balance);
  return account.balance_type === 'Dr' ? -cents : cents;
}

export type CurrencyBalance = { currency: string; total: bigint; accounts: BankAccount[] };

/** @returns one entry per currency, sorted by its code; currencies are never added together */
export function balancesByCurrency(accounts: BankAccount[]): CurrencyBalance[] {
  const found = new Map<string, CurrencyBalance>();
  for (const account of accounts) {
    const { currency } = account;
    const entry = found.get(currency) ?? { currency, total: 0n, accounts: [] };
    entry.total += signedCents(account);
    entry.accounts.push(account);
    found.set(currency, entry);
  }
  return [...found.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
