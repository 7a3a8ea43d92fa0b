// The dialogs of a site: adding one, and changing the one that the address names.
import { EntryDialog } from '#web/components/records/entry-dialog.tsx';
import { OpenedRecord } from '#web/components/records/opened-record.tsx';
import { useSite } from '../api/get-site.ts';
import { useSaveSite } from '../api/save-site.ts';
import { emptyForm, formOf, type Site, siteSchema } from '../schema.ts';
import { SiteFields } from './site-fields.tsx';

export function NewSite({ onClose }: { onClose: () => void }) {
  const save = useSaveSite();
  return (
    <EntryDialog
      title="Add Site"
      schema={siteSchema}
      defaultValues={emptyForm}
      submitLabel="Add Site"
      save={(form) => save.mutateAsync({ id: undefined, form })}
      success="Site created successfully"
      onClose={onClose}
    >
      {(form) => <SiteFields form={form} siteId={undefined} />}
    </EntryDialog>
  );
}

type ChangedSiteProps = {
  id: string;
  /** As the list shows it. */
  known: Site | undefined;
  onClose: () => void;
};

export function ChangedSite({ id, known, onClose }: ChangedSiteProps) {
  const save = useSaveSite();
  const query = useSite(id, known);
  return (
    <OpenedRecord
      query={query}
      title="Edit Site"
      missing="This site no longer exists."
      onClose={onClose}
    >
      {(opened, now) => (
        <EntryDialog
          title="Edit Site"
          schema={siteSchema}
          defaultValues={formOf(opened)}
          latest={formOf(now)}
          submitLabel="Save Changes"
          save={(form) => save.mutateAsync({ id, form })}
          success="Site updated successfully"
          onClose={onClose}
        >
          {(form) => <SiteFields form={form} siteId={id} />}
        </EntryDialog>
      )}
    </OpenedRecord>
  );
}
