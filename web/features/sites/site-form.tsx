import type { UseFormReturn } from 'react-hook-form';
import { LinkedNameField } from '#web/components/form/linked-name-field.tsx';
import { EntryDialog, OpenedRecord } from '#web/components/form/record-dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { useClientNames } from '#web/lib/data/lookups.ts';
import { sites } from './api.ts';
import { PositionFields } from './position-fields.tsx';
import { emptyForm, formOf, type Site, type SiteForm, siteSchema, TIMEZONES } from './schema.ts';

type SiteFieldsProps = {
  form: UseFormReturn<SiteForm>;
  /** Undefined for a new site. */
  siteId: string | undefined;
};

function SiteFields({ form, siteId }: SiteFieldsProps) {
  const { register, watch, setValue, formState } = form;
  const { errors } = formState;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Site Name" error={errors.name?.message}>
        {(control) => <Input {...control} {...register('name')} autoComplete="off" />}
      </Field>
      <LinkedNameField
        control={form.control}
        label="Client Name"
        name="client_name"
        isLinked={watch('client_id') !== null}
        onLink={(id) => setValue('client_id', id, { shouldDirty: true })}
        linked="Linked to the client’s record."
        suggestions="Clients"
        useChoices={useClientNames}
      />
      <Field label="Address" error={errors.address?.message} className="sm:col-span-2">
        {(control) => <Input {...control} {...register('address')} autoComplete="off" />}
      </Field>
      <Field label="Timezone" error={errors.timezone?.message} className="sm:col-span-2">
        {(control) => (
          <Select {...control} {...register('timezone')}>
            {TIMEZONES.map((timezone) => (
              <option key={timezone}>{timezone}</option>
            ))}
          </Select>
        )}
      </Field>
      <PositionFields {...form} siteId={siteId} />
    </div>
  );
}

export function NewSiteDialog({ onClose }: { onClose: () => void }) {
  const save = sites.useSave();
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

type EditSiteProps = {
  id: string;
  /** The row from the list, shown until the site is loaded. */
  listed: Site | undefined;
  onClose: () => void;
};

export function EditSiteDialog({ id, listed, onClose }: EditSiteProps) {
  const save = sites.useSave();
  const query = sites.useOne(id, listed);
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
