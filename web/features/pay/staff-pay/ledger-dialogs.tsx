import { STAFF_LEDGER_KIND, STAFF_LEDGER_PAID_FROM } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { amountEntry } from '#web/lib/form-fields/amount-field.ts';
import { LEDGER_KIND_LABELS, PAID_FROM_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { type LedgerIssue, useAddIssue, useChangeSchedule, useSettle } from './api.ts';
import {
  type IssueForm,
  issueSchema,
  newIssue,
  newSettlement,
  scheduleSchema,
  settleSchema,
} from './schema.ts';

const PLACE_OPTIONS = toOptions(STAFF_LEDGER_PAID_FROM, PAID_FROM_LABELS);
const PER_PERIOD_HINT = 'What each pay run takes at most.';

type IssueDialogProps = {
  staffId: string;
  name: string;
  /** The currency of the person's pay: repayments are taken from pay in the same currency. */
  currency: IssueForm['currency'];
  onClose: () => void;
};

export function IssueDialog({ staffId, name, currency, onClose }: IssueDialogProps) {
  const { mutateAsync } = useAddIssue();
  return (
    <EntryDialog
      title="Give Advance or Loan"
      description={`What ${name} has received and repays from pay. The entry is kept for good: a mistake is written off.`}
      schema={issueSchema}
      defaultValues={newIssue(currency)}
      submitLabel="Give"
      success="Entered in the ledger"
      failure="Not entered"
      save={(form) => mutateAsync({ staffId, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.select('kind', 'Kind', toOptions(STAFF_LEDGER_KIND, LEDGER_KIND_LABELS))}
            {field.currency('currency', 'Currency')}
            {field.amount('amount', 'Amount')}
            {field.day('day', 'Given On')}
            {form.watch('kind') !== 'uniform' &&
              field.select('paid_from', 'Paid From', PLACE_OPTIONS)}
            {field.amount('repay_per_period', 'Repaid Each Pay Period', { hint: PER_PERIOD_HINT })}
            {field.day('repay_from', 'Repaid From', {
              hint: 'The first pay run that ends on this day or later.',
            })}
            {field.notes('note', 'Note', { rows: 2 })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

type OfIssueProps = { staffId: string; issue: LedgerIssue; onClose: () => void };

export function ScheduleDialog({ issue, onClose }: OfIssueProps) {
  const { mutateAsync } = useChangeSchedule();
  return (
    <EntryDialog
      title="Reschedule"
      description={`${formatMoney(issue.balance, issue.currency)} of ${formatMoney(issue.amount, issue.currency)} are still owed.`}
      schema={scheduleSchema}
      defaultValues={{
        repay_per_period: amountEntry(issue.repay_per_period),
        repay_from: issue.repay_from,
        note: issue.note ?? '',
      }}
      submitLabel="Save Changes"
      success="Rescheduled"
      failure="Not rescheduled"
      save={(form) => mutateAsync({ id: issue.id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.amount('repay_per_period', 'Repaid Each Pay Period', { hint: PER_PERIOD_HINT })}
            {field.day('repay_from', 'Repaid From')}
            {field.notes('note', 'Note', { rows: 2 })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

const SETTLEMENTS = {
  write_off: {
    title: 'Write Off',
    description: (owed: string) =>
      `${owed} are still owed. What is written off is never taken from pay, and this can’t be undone.`,
    success: 'Written off',
    failure: 'Not written off',
  },
  repayment: {
    title: 'Repay',
    description: (owed: string) =>
      `${owed} are still owed. For what was repaid outside a pay run, for example in cash. This can’t be undone.`,
    success: 'Repayment recorded',
    failure: 'Repayment not recorded',
  },
};

type SettleDialogProps = OfIssueProps & { entry: keyof typeof SETTLEMENTS };

export function SettleDialog({ staffId, issue, entry, onClose }: SettleDialogProps) {
  const { mutateAsync } = useSettle();
  const { title, description, success, failure } = SETTLEMENTS[entry];
  return (
    <EntryDialog
      title={title}
      description={description(formatMoney(issue.balance, issue.currency))}
      schema={settleSchema(issue.balance)}
      defaultValues={newSettlement(issue.balance)}
      submitLabel={title}
      {...(entry === 'write_off' && { submitVariant: 'danger' as const })}
      {...{ success, failure, onClose }}
      save={(form) => mutateAsync({ staffId, issue, entry, form })}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.amount('amount', 'Amount')}
            {field.day('day', 'On')}
            {entry === 'repayment' && field.select('paid_from', 'Paid Into', PLACE_OPTIONS)}
            {field.notes('note', 'Note', { rows: 2, optional: false })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}
