import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { usePostOptions, useSiteOptions } from '#web/lib/data/lookups.ts';
import { useAddVersion } from './api.ts';
import { type OrderForm, orderSchema, type PostOrder, toForm } from './schema.ts';

type FormProps = { form: UseFormReturn<OrderForm>; isNew: boolean };

function OrderFields({ form, isNew }: FormProps) {
  const { data: sites = [] } = useSiteOptions();
  const { data: posts = [] } = usePostOptions(form.watch('site_id'));
  const field = createFields(form);
  return (
    <FieldGrid>
      {isNew &&
        field.select(
          'site_id',
          'Site',
          sites.map(({ id, name, client_name }) => [id, `${name} (${client_name})`]),
          {
            empty: 'Choose a site',
            isSearched: true,
            register: { onChange: () => form.setValue('post_id', '') },
          },
        )}
      {isNew &&
        field.select('post_id', 'Post', [
          ['', 'Whole site'],
          ...posts.map(({ id, name }): [string, string] => [id, name]),
        ])}
      {field.text('title', 'Title', { placeholder: 'Main gate: visitors and vehicles' })}
      {field.day('valid_from', 'Valid From')}
      {field.notes('body', 'Orders', {
        rows: 14,
        optional: false,
        hint: 'Start a heading with # and a list item with -',
      })}
    </FieldGrid>
  );
}

type OrderFormDialogProps = {
  /** The version that the new one starts from; undefined for a first one. */
  order: PostOrder | undefined;
  siteId?: string | undefined;
  onClose: () => void;
};

export function OrderFormDialog({ order, siteId, onClose }: OrderFormDialogProps) {
  const add = useAddVersion();
  const [id] = useState(() => crypto.randomUUID());
  return (
    <EntryDialog
      title={order ? 'New Version' : 'Write Orders'}
      {...(order
        ? { description: 'Guards must confirm it again. The previous version does not change.' }
        : {})}
      success={order ? 'New version saved' : 'Post orders saved'}
      schema={orderSchema}
      defaultValues={toForm(order, siteId)}
      submitLabel={order ? 'Save New Version' : 'Save Orders'}
      save={(form) => add.mutateAsync({ id, form })}
      stickyActions
      onClose={onClose}
    >
      {(form) => <OrderFields form={form} isNew={order === undefined} />}
    </EntryDialog>
  );
}
