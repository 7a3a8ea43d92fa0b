import type { UseFormReturn } from 'react-hook-form';
import { LinkedNameField } from '#web/components/form/linked-name-field.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { useClientNames } from '#web/lib/data/lookups.ts';
import { PositionFields } from './position-fields.tsx';
import { type SiteForm, TIMEZONES } from './schema.ts';

type SiteFieldsProps = {
  form: UseFormReturn<SiteForm>;
  /** Undefined for a new site. */
  siteId: string | undefined;
};

export function SiteFields({ form, siteId }: SiteFieldsProps) {
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
