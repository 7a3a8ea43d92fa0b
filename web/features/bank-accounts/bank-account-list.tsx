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
import { bankAccounts, exportBankAccounts, importSampleBankAccount } from './api.ts';
import { BankAccountFields } from './bank-account-form.tsx';
import type { BankAccount } from './schema.ts';

type BankAccountCardProps = { account: BankAccount; onEdit: () => void; onDelete: () => void };

function BankAccountCard({ account, ...actions }: BankAccountCardProps) {
  const { current_balance, statement_period_start, statement_period_end } = account;
  const period = formatPeriod(statement_period_start, statement_period_end);
  return (
    <RecordCard
      title={account.account_title}
      subtitle={account.bank_name}
      badge={<Badge tone={STATUS_TONES[account.status]}>{STATUS_LABELS[account.status]}</Badge>}
      notes={account.notes}
      label={`bank account ${account.account_title}`}
      {...actions}
    >
      <Facts>
        <Fact name="Account Number">
          <AccountNumber number={account.account_number} />
        </Fact>
        {period && <Fact name="Statement Period">{period}</Fact>}
        {account.address && <Fact name="Address">{account.address}</Fact>}
        <Fact name="Current Balance" amount strong>
          {current_balance === null
            ? '-'
            : `${account.currency} ${formatAmount(current_balance)} ${account.balance_type}`}
        </Fact>
      </Facts>
    </RecordCard>
  );
}

type BankAccountListProps = { search: GrowingSearch; onChange: ChangeSearch<GrowingSearch> };

export function BankAccountList({ search, onChange }: BankAccountListProps) {
  const [deleting, setDeleting] = useState<BankAccount>();
  return (
    <ListScreen
      title="Bank Accounts"
      noun="bank accounts"
      search={search}
      onChange={onChange}
      query={bankAccounts.useFirst(search.shown ?? CARDS_STEP)}
      exportRecords={exportBankAccounts}
      buttons={
        <ImportButton
          label="Import Sample"
          importRecords={importSampleBankAccount}
          success={() => 'Bank account imported successfully'}
        />
      }
      addLabel="Add Bank Account"
      empty="No bank accounts yet. Add the first one above."
      moreLabel="Show older bank accounts"
      card={(account) => (
        <BankAccountCard
          account={account}
          onEdit={() => onChange({ open: account.id })}
          onDelete={() => setDeleting(account)}
        />
      )}
      dialog={(opened) => (
        <RecordDialog {...opened} records={bankAccounts} invalid="Validation Error">
          {(form) => <BankAccountFields {...form} />}
        </RecordDialog>
      )}
    >
      {deleting && (
        <DeleteRecordDialog
          records={bankAccounts}
          id={deleting.id}
          consequence={`${deleting.account_title} at ${deleting.bank_name} leaves the list, and its amounts leave the bank and cashflow totals.`}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </ListScreen>
  );
}
