import type { UseFormReturn } from 'react-hook-form';
import { LOANS_STATUS } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import type { LoanForm } from './schema.ts';

const ACCOUNT_TYPE = { optional: true, hint: 'For example CURRENT or OVERDRAFT' };

export function LoanFields(form: UseFormReturn<LoanForm>) {
  const field = createFields(form);
  const optional = true;
  return (
    <FieldGrid>
      {field.text('loan_account_number', 'Loan Account Number')}
      {field.text('account_title', 'Account Title')}
      {field.text('bank_name', 'Bank Name')}
      {field.currency('currency', 'Currency')}
      {field.amount('opening_balance', 'Opening Balance', { optional })}
      {field.amount('current_balance', 'Current Balance', { optional })}
      {field.amount('total_debit', 'Total Debit', { optional })}
      {field.amount('total_credit', 'Total Credit', { optional })}
      {field.day('statement_period_start', 'Statement Period Start', { optional })}
      {field.day('statement_period_end', 'Statement Period End', { optional })}
      {field.text('account_type', 'Account Type', ACCOUNT_TYPE)}
      {field.select('status', 'Status', toOptions(LOANS_STATUS, STATUS_LABELS))}
      {field.notes('notes', 'Notes')}
    </FieldGrid>
  );
}
