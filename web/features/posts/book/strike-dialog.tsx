import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { textField } from '#web/lib/form-fields/text-field.ts';

type StrikeDialogProps = {
  /** The line. */
  line: string;
  strike: (reason: string) => Promise<unknown>;
  onClose: () => void;
};

const schema = z.object({
  reason: textField('Reason', limits.POST_ENTRIES_STRIKE_REASON_MAX).min(1, 'Write why'),
});

/** The line stays readable, with the reason; this can't be undone. */
export function StrikeDialog({ line, strike, onClose }: StrikeDialogProps) {
  return (
    <EntryDialog
      title="Strike Through"
      description={`${line}. The line stays readable, with your reason. This can’t be undone.`}
      schema={schema}
      defaultValues={{ reason: '' }}
      submitLabel="Strike Through"
      submitVariant="danger"
      success="Struck through"
      save={({ reason }) => strike(reason)}
      onClose={onClose}
    >
      {(form) => createFields(form).text('reason', 'Reason')}
    </EntryDialog>
  );
}

const withdrawal = z.object({
  reason: textField('Reason', limits.POST_PAGES_WITHDRAW_REASON_MAX).min(1, 'Write why'),
});

type WithdrawDialogProps = { withdraw: (reason: string) => Promise<unknown>; onClose: () => void };

/** The client no longer reads the day, until it is released again. */
export function WithdrawDialog({ withdraw, onClose }: WithdrawDialogProps) {
  return (
    <EntryDialog
      title="Withdraw Page"
      description="The client no longer reads this day in the portal, in any version. You can release it again."
      schema={withdrawal}
      defaultValues={{ reason: '' }}
      submitLabel="Withdraw"
      submitVariant="danger"
      success="Withdrawn"
      save={({ reason }) => withdraw(reason)}
      onClose={onClose}
    >
      {(form) => createFields(form).text('reason', 'Reason', { hint: 'For the office alone' })}
    </EntryDialog>
  );
}
