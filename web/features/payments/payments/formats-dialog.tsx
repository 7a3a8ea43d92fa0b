// The columns of payment files and of results, for each channel.

import { ArrowUp, Plus, Settings2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { PAY_ACCOUNTS_CHANNEL, PAYMENT_FORMATS_CURRENCY } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { PAY_CHANNEL_LABELS, type PayChannel } from '#web/lib/vocabulary/kinds.ts';
import { useFormats, useSaveFormat } from './api.ts';
import {
  DATE_OPTIONS,
  DELIMITER_OPTIONS,
  FIELD_OPTIONS,
  type FormatForm,
  type FormatRow,
  formatSchema,
  RESULT_FIELDS,
  RESULT_LABELS,
  toForm,
} from './format-schema.ts';

function Columns({ form }: { form: UseFormReturn<FormatForm> }) {
  const { fields, append, remove, move } = useFieldArray({
    control: form.control,
    name: 'columns',
  });
  const field = createFields(form);
  const { error } = form.getFieldState('columns', form.formState);
  const message = error?.root?.message ?? error?.message;
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-3 font-semibold">Columns of the file</legend>
      {fields.map(({ id }, index) => (
        <div key={id} className="grid grid-cols-[1fr_1fr_auto] items-end gap-2">
          {field.select(`columns.${index}.field`, `Column ${index + 1}`, FIELD_OPTIONS)}
          {field.text(`columns.${index}.header`, 'Heading')}
          <div className="flex">
            <IconButton
              label={`Move column ${index + 1} up`}
              title="Move up"
              Icon={ArrowUp}
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            />
            <IconButton
              variant="danger-ghost"
              label={`Remove column ${index + 1}`}
              title="Remove"
              Icon={Trash2}
              onClick={() => remove(index)}
            />
          </div>
        </div>
      ))}
      {message && (
        <p role="alert" className="text-sm font-medium text-danger">
          {message}
        </p>
      )}
      <Button
        variant="secondary"
        className="justify-self-start"
        onClick={() => append({ field: 'company_text', header: '' })}
      >
        <Plus aria-hidden="true" className="size-4.5" />
        Add Column
      </Button>
    </fieldset>
  );
}

const YES_NO = [
  ['yes', 'Headings in the first line'],
  ['no', 'No headings'],
] as const;

function FormatFields({ form }: { form: UseFormReturn<FormatForm> }) {
  const field = createFields(form);
  return (
    <>
      <Columns form={form} />
      <FieldGrid>
        {field.select('has_header', 'First Line', YES_NO)}
        {field.select('delimiter', 'Separator', DELIMITER_OPTIONS)}
        {field.select('date_format', 'Dates', DATE_OPTIONS)}
        {field.text('company_text', 'Fixed Text', {
          optional: true,
          hint: 'For example our number at the bank',
        })}
      </FieldGrid>
      <fieldset>
        <legend className="font-semibold">Columns of the result</legend>
        <p className="mb-3 text-sm text-muted">
          Headings as the bank or the network writes them. Leave out what its result doesn’t have.
        </p>
        <FieldGrid>
          {RESULT_FIELDS.map((name) => (
            <div key={name}>
              {field.text(`result.${name}`, RESULT_LABELS[name], {
                optional: name !== 'code' && name !== 'status',
              })}
            </div>
          ))}
          {field.text('paid_words', 'Status of Paid Lines', { hint: 'Words, with commas' })}
          {field.text('failed_words', 'Status of Failed Lines', {
            hint: 'Lines with any other status are not recorded',
          })}
        </FieldGrid>
      </fieldset>
    </>
  );
}

type FormatProps = { row: FormatRow; onClose: () => void };

function FormatSettings({ row, onClose }: FormatProps) {
  const { mutateAsync } = useSaveFormat();
  return (
    <RecordForm
      schema={formatSchema}
      defaultValues={toForm(row)}
      latest={toForm(row)}
      submitLabel="Save Changes"
      save={(form) => mutateAsync({ id: row.id, form })}
      onSaved={() => {
        showSuccess('Payment format saved');
        onClose();
      }}
      onCancel={onClose}
      stickyActions
    >
      {(form) => <FormatFields form={form} />}
    </RecordForm>
  );
}

type PaymentCurrency = (typeof PAYMENT_FORMATS_CURRENCY)[number];

type DialogProps = {
  currency: string;
  /** Where the dialog is not about one pay run, whose currency is given. */
  onCurrency?: (currency: PaymentCurrency) => void;
  onClose: () => void;
};

export function FormatsDialog({ currency, onCurrency, onClose }: DialogProps) {
  const query = useFormats();
  const [channel, setChannel] = useState<PayChannel>('bank');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Payment Formats"
      description={`How files in ${currency} look, and how results are read. Files already made stay as they are.`}
      className="sm:max-w-3xl"
    >
      {onCurrency && (
        <div className="mb-5 max-w-40">
          <Field label="Currency">
            {(control) => (
              <Select
                {...control}
                value={currency}
                onChange={({ target }) => {
                  const chosen = PAYMENT_FORMATS_CURRENCY.find((each) => each === target.value);
                  if (chosen) onCurrency(chosen);
                }}
              >
                {PAYMENT_FORMATS_CURRENCY.map((each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
      )}
      <Tabs
        value={channel}
        onValueChange={(value) =>
          setChannel(PAY_ACCOUNTS_CHANNEL.find((each) => each === value) ?? channel)
        }
      >
        <TabsList className="mb-5">
          {PAY_ACCOUNTS_CHANNEL.map((each) => (
            <TabsTrigger key={each} value={each}>
              {PAY_CHANNEL_LABELS[each]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value={channel}>
          <Loaded query={query} loadingText="Loading formats...">
            {(formats) => {
              const row = formats.find(
                (format) => format.channel === channel && format.currency === currency,
              );
              return row && <FormatSettings key={row.id} row={row} onClose={onClose} />;
            }}
          </Loaded>
        </TabsContent>
      </Tabs>
    </Dialog>
  );
}

export function FormatsButton({ currency }: { currency: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <Settings2 aria-hidden="true" className="size-4.5" />
        Payment Formats
      </Button>
      {isOpen && <FormatsDialog currency={currency} onClose={() => setOpen(false)} />}
    </>
  );
}
