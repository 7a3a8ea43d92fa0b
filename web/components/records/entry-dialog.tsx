// A form in a dialog, for a new record and for a change of one; it closes once saved.
import type { FieldValues } from 'react-hook-form';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { RecordForm, type RecordFormProps } from './record-form.tsx';

type EntryDialogProps<Form extends FieldValues> = Omit<
  RecordFormProps<Form>,
  'onSaved' | 'onCancel'
> & {
  title: string;
  description?: string;
  /** Title of the toast. */
  success: string;
  onClose: () => void;
};

export function EntryDialog<Form extends FieldValues>(props: EntryDialogProps<Form>) {
  const { title, description, success, onClose, ...form } = props;
  return (
    <Dialog open onOpenChange={onClose} title={title} {...(description ? { description } : {})}>
      <RecordForm
        {...form}
        onSaved={() => {
          showSuccess(success);
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
