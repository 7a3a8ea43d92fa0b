import type { UseFormReturn } from 'react-hook-form';
import { SITES_TIMEZONE } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { LinkedNameField } from '#web/components/form/linked-name-field.tsx';
import { useClientNames } from '#web/lib/data/lookups.ts';
import { BookFields } from './book-fields.tsx';
import { OperationsFields } from './operations-fields.tsx';
import { PositionFields } from './position-fields.tsx';
import type { SiteForm } from './schema.ts';

const ZONES = SITES_TIMEZONE.map((timezone) => [timezone, timezone] as const);

type SiteFieldsProps = {
  form: UseFormReturn<SiteForm>;
  /** Undefined for a new site. */
  siteId: string | undefined;
};

export function SiteFields({ form, siteId }: SiteFieldsProps) {
  const field = createFields(form);
  return (
    <FieldGrid>
      {field.text('name', 'Site Name')}
      <LinkedNameField
        control={form.control}
        label="Client Name"
        name="client_name"
        idName="client_id"
        linked="Linked to the client’s record."
        suggestions="Clients"
        useChoices={useClientNames}
      />
      {field.text('address', 'Address', { wide: true })}
      {field.select('timezone', 'Timezone', ZONES, { wide: true })}
      <PositionFields form={form} siteId={siteId} />
      <OperationsFields form={form} />
      <BookFields form={form} />
    </FieldGrid>
  );
}
