// The balances by currency, refreshed whenever anyone changes an account.
import { useQuery } from '@tanstack/react-query';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { bankAccountsKey } from '../../../../lib/data/keys.ts';
import { balancesByCurrency } from '../balances.ts';
import { everyBankAccount } from './every-bank-account.ts';

export function useBalances() {
  useLiveTable('bank_accounts', bankAccountsKey);
  return useQuery({
    queryKey: [...bankAccountsKey, 'balances'],
    queryFn: everyBankAccount,
    select: balancesByCurrency,
  });
}
