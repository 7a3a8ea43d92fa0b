import type { UseFormReturn } from 'react-hook-form';
import { BANK_ACCOUNTS_BALANCE_TYPE, BANK_ACCOUNTS_STATUS } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import type { BankAccountForm } from './schema.ts';

const BALANCE_LABELS = { Dr: 'Dr (debit, overdraft)', Cr: 'Cr (credit)' };

export function BankAccountFields(form: UseFormReturn<BankAccountForm>) {
  const field = createFields(form);
  const optional = true;
  return (
    <FieldGrid>
      {field.text('account_number', 'Account Number')}
      {field.text('account_title', 'Account Title')}
      {field.text('bank_name', 'Bank Name')}
      {field.currency('currency', 'Currency')}
      {field.amount('current_balance', 'Current Balance', { optional })}
      {field.select(
        'balance_type',
        'Balance Type',
        toOptions(BANK_ACCOUNTS_BALANCE_TYPE, BALANCE_LABELS),
      )}
      {field.day('statement_period_start', 'Statement Period Start', { optional })}
      {field.day('statement_period_end', 'Statement Period End', { optional })}
      {field.select('status', 'Status', toOptions(BANK_ACCOUNTS_STATUS, STATUS_LABELS))}
      {field.text('address', 'Address', { optional })}
      {field.notes('notes', 'Notes')}
    </FieldGrid>
  );
}
