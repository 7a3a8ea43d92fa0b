import type { ReactNode } from 'react';
import { z } from 'zod';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { ErasureChanges, type ErasureKind, useErasureChanges } from './erasure-changes.tsx';

type EraseDialogProps = {
  title: string;
  kind: ErasureKind;
  /** Id of the account, staff record, contact or enquiry. */
  id: string;
  /** Typed to confirm. */
  name: string;
  children: ReactNode;
  erase: (typed: string) => Promise<unknown>;
  success: string;
  onClose: () => void;
};

/** Asks for the typed name before the data of a person is erased for good. */
export function EraseDialog(props: EraseDialogProps) {
  const { title, name, children, erase, success, onClose } = props;
  const query = useErasureChanges(props.kind, props.id);
  const schema = z.object({
    typed: z
      .string()
      .trim()
      .refine((text) => text.toLowerCase() === name.trim().toLowerCase(), `Type "${name}"`),
  });
  return (
    <Dialog open onOpenChange={onClose} title={title} description={`Erase the data of ${name}?`}>
      <Loaded query={query} loadingText="Counting what would change...">
        {(changes) => (
          <RecordForm
            schema={schema}
            defaultValues={{ typed: '' }}
            submitLabel="Erase for Good"
            savingLabel="Erasing..."
            submitVariant="danger"
            save={({ typed }) => erase(typed)}
            onSaved={() => {
              showSuccess(success, 'Texts in their records change in the next minutes.');
              onClose();
            }}
            onCancel={onClose}
          >
            {(form) => (
              <>
                {children}
                <ErasureChanges changes={changes} />
                <Alert tone="danger" title="This can't be undone">
                  Backups contain the data until they are replaced by newer ones.
                </Alert>
                {createFields(form).text('typed', `Type "${name}" to confirm`)}
              </>
            )}
          </RecordForm>
        )}
      </Loaded>
    </Dialog>
  );
}
