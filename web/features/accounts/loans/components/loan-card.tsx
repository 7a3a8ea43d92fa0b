// One loan account: whose, where, and how it stands.
import { formatAmount } from '#shared/money.ts';
import { Fact, Facts } from '#web/components/records/facts.tsx';
import { RecordCard } from '#web/components/records/record-card.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { AccountNumber } from '../../components/account-number.tsx';
import { STATUS_LABELS, STATUS_TONES } from '../../status.ts';
import type { Loan } from '../schema.ts';

type LoanCardProps = { loan: Loan; onEdit: () => void; onDelete: () => void };

const amountOrDash = (amount: number | null) => (amount === null ? '-' : formatAmount(amount));

export function LoanCard({ loan, ...actions }: LoanCardProps) {
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
