import { z } from 'zod';
import { createFields } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { useReopenSheet } from './sheet-page-api.ts';

const reopenSchema = z.object({ reason: textField('Reason', 500).min(3, 'Enter a reason') });

export function ReopenDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { mutateAsync } = useReopenSheet();
  return (
    <EntryDialog
      title="Reopen Timesheet"
      description="It must be approved again before it is paid. The guard reads the reason."
      schema={reopenSchema}
      defaultValues={{ reason: '' }}
      submitLabel="Reopen"
      success="Timesheet reopened"
      failure="The timesheet was not reopened"
      save={({ reason }) => mutateAsync({ id, reason })}
      onClose={onClose}
    >
      {(form) => createFields(form).notes('reason', 'Reason', { optional: false })}
    </EntryDialog>
  );
}
