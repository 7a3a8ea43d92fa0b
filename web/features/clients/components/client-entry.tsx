// The dialogs of a client: adding one, and changing the one that the address names.
import { EntryDialog } from '#web/components/records/entry-dialog.tsx';
import { OpenedRecord } from '#web/components/records/opened-record.tsx';
import { useClient } from '../api/get-client.ts';
import { useSaveClient } from '../api/save-client.ts';
import { type Client, clientSchema, emptyForm, formOf } from '../schema.ts';
import { ClientFields } from './client-fields.tsx';

export function NewClient({ onClose }: { onClose: () => void }) {
  const save = useSaveClient();
  return (
    <EntryDialog
      title="Add Client"
      schema={clientSchema}
      defaultValues={emptyForm}
      submitLabel="Add Client"
      save={(form) => save.mutateAsync({ id: undefined, form })}
      success="Client created successfully"
      onClose={onClose}
    >
      {(form) => <ClientFields {...form} />}
    </EntryDialog>
  );
}

type ChangedClientProps = {
  id: string;
  /** As the list shows it. */
  known: Client | undefined;
  onClose: () => void;
};

export function ChangedClient({ id, known, onClose }: ChangedClientProps) {
  const save = useSaveClient();
  const query = useClient(id, known);
  return (
    <OpenedRecord
      query={query}
      title="Edit Client"
      missing="This client no longer exists."
      onClose={onClose}
    >
      {(opened, now) => (
        <EntryDialog
          title="Edit Client"
          schema={clientSchema}
          defaultValues={formOf(opened)}
          latest={formOf(now)}
          submitLabel="Save Changes"
          save={(form) => save.mutateAsync({ id, form })}
          success="Client updated successfully"
          onClose={onClose}
        >
          {(form) => <ClientFields {...form} />}
        </EntryDialog>
      )}
    </OpenedRecord>
  );
}
