import { useState } from 'react';
import { formatAmount } from '#shared/money.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { ImportButton } from '#web/components/list/list-buttons.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { Fact, Facts, RecordCard } from '#web/components/list/record-card.tsx';
import { AccountNumber } from '#web/components/ui/account-number.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import type { ChangeSearch, GrowingSearch } from '#web/lib/data/list-search.ts';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { STATUS_LABELS, STATUS_TONES } from '#web/lib/vocabulary/statuses.ts';
import { exportLoans, importSampleLoans, loans } from './api.ts';
import { LoanFields } from './loan-form.tsx';
import type { Loan } from './schema.ts';

type LoanCardProps = { loan: Loan; onEdit: () => void; onDelete: () => void };

const amountOrDash = (amount: number | null) => (amount === null ? '-' : formatAmount(amount));

function LoanCard({ loan, ...actions }: LoanCardProps) {
  const period = formatPeriod(loan.statement_period_start, loan.statement_period_end);
  return (
    <RecordCard
      title={loan.account_title}
      subtitle={loan.bank_name}
      badge={<Badge tone={STATUS_TONES[loan.status]}>{STATUS_LABELS[loan.status]}</Badge>}
      notes={loan.notes}
      label={`loan account ${loan.account_title}`}
      {...actions}
    >
      <Facts>
        <Fact name="Account Number">
          <AccountNumber number={loan.loan_account_number} />
        </Fact>
        {loan.account_type && <Fact name="Account Type">{loan.account_type}</Fact>}
        {period && <Fact name="Statement Period">{period}</Fact>}
        <Fact name="Opening Balance" amount>
          {amountOrDash(loan.opening_balance)}
        </Fact>
        <Fact name="Total Debit" amount>
          {amountOrDash(loan.total_debit)}
        </Fact>
        <Fact name="Total Credit" amount>
          {amountOrDash(loan.total_credit)}
        </Fact>
        <Fact name="Current Balance" amount strong>
          {loan.current_balance === null
            ? '-'
            : `${loan.currency} ${formatAmount(loan.current_balance)}`}
        </Fact>
      </Facts>
    </RecordCard>
  );
}

type LoanListProps = { search: GrowingSearch; onChange: ChangeSearch<GrowingSearch> };

export function LoanList({ search, onChange }: LoanListProps) {
  const [deleting, setDeleting] = useState<Loan>();
  return (
    <ListScreen
      title="Loan Accounts"
      noun="loan accounts"
      search={search}
      onChange={onChange}
      query={loans.useFirst(search.shown ?? CARDS_STEP)}
      exportRecords={exportLoans}
      buttons={
        <ImportButton
          label="Import Samples"
          importRecords={importSampleLoans}
          success={() => 'Loan accounts imported successfully'}
        />
      }
      addLabel="Add Loan Account"
      empty="No loan accounts yet. Add the first one above."
      moreLabel="Show older loan accounts"
      card={(account) => (
        <LoanCard
          loan={account}
          onEdit={() => onChange({ open: account.id })}
          onDelete={() => setDeleting(account)}
        />
      )}
      dialog={(opened) => (
        <RecordDialog {...opened} records={loans} invalid="Validation Error">
          {(form) => <LoanFields {...form} />}
        </RecordDialog>
      )}
    >
      {deleting && (
        <DeleteRecordDialog
          records={loans}
          id={deleting.id}
          consequence={`${deleting.account_title} at ${deleting.bank_name} leaves the list, and its amounts leave the bank and cashflow totals.`}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </ListScreen>
  );
}
