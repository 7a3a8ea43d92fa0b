// One bank account: whose, where, and its balance.
import { formatAmount } from '#shared/money.ts';
import { Fact, Facts } from '#web/components/records/facts.tsx';
import { RecordCard } from '#web/components/records/record-card.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { AccountNumber } from '../../components/account-number.tsx';
import { STATUS_LABELS, STATUS_TONES } from '../../status.ts';
import type { BankAccount } from '../schema.ts';

type BankAccountCardProps = { account: BankAccount; onEdit: () => void; onDelete: () => void };

export function BankAccountCard({ account, ...actions }: BankAccountCardProps) {
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
