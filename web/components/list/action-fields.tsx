import type { UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { useSiteOptions } from '#web/lib/data/lookups.ts';
import type { ActionField } from './list-actions.ts';

type Values = Record<string, string>;

const WHOLE = /^-?\d{1,9}$/;

function isWithin(field: ActionField, entry: string): boolean {
  if (entry === '') return true;
  if (field.kind === 'day') return z.iso.date().safeParse(entry).success;
  if (field.kind === 'text') return entry.length <= field.most;
  if (field.kind !== 'number') return true;
  return WHOLE.test(entry) && Number(entry) >= field.least && Number(entry) <= field.most;
}

function messageFor(field: ActionField): string {
  if (field.kind === 'number') return `Enter a whole number from ${field.least} to ${field.most}`;
  if (field.kind === 'text') return `${field.label} must be at most ${field.most} characters`;
  return `Enter a valid ${field.label.toLowerCase()}`;
}

/** @param check what is wrong with the fields together; shown at the first one */
export function createSchema(
  fields: readonly ActionField[],
  check: (values: Values) => string | undefined,
) {
  const shape = fields.map((field) => {
    const entry = z
      .string()
      .trim()
      .refine((text) => field.optional || text !== '', {
        error: `${field.label} is required`,
        abort: true,
      })
      .refine((text) => isWithin(field, text), messageFor(field));
    return [field.name, entry] as const;
  });
  return z.object(Object.fromEntries(shape)).superRefine((values, { addIssue }) => {
    const message = check(values);
    if (message) addIssue({ code: 'custom', message, path: [fields[0]?.name ?? ''] });
  });
}

export const initialValues = (fields: readonly ActionField[]): Values =>
  Object.fromEntries(
    fields.map(({ name, initial = '' }) => [
      name,
      typeof initial === 'string' ? initial : initial(),
    ]),
  );

type Control = {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
};
type ControlProps = { field: ActionField; control: Control; form: UseFormReturn<Values> };

function SiteControl({ field, control, form }: ControlProps) {
  const { data: sites = [] } = useSiteOptions();
  const { emptyLabel = 'Same site' } = field.kind === 'site' ? field : {};
  return (
    <Select {...control} {...form.register(field.name)}>
      <option value="">{field.optional ? emptyLabel : 'Choose a site'}</option>
      {sites.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

function TextControl({ field, control, form }: ControlProps) {
  const suggestions = field.kind === 'text' ? (field.suggestions ?? []) : [];
  return (
    <>
      <Textarea {...control} {...form.register(field.name)} rows={2} />
      {suggestions.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {suggestions.map((text) => (
            <Button
              key={text}
              variant="secondary"
              className="rounded-full px-4 font-normal"
              onClick={() => form.setValue(field.name, text, { shouldValidate: true })}
            >
              {text}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}

function FieldControl(props: ControlProps) {
  const { field, control, form } = props;
  const entry = { ...control, ...form.register(field.name) };
  switch (field.kind) {
    case 'day':
      return <Input {...entry} type="date" />;
    case 'time':
      return <Input {...entry} type="time" />;
    case 'number':
      return (
        <Input {...entry} inputMode={field.least < 0 ? 'text' : 'numeric'} autoComplete="off" />
      );
    case 'choice':
      return (
        <Select {...entry}>
          <option value="">Choose</option>
          {field.options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      );
    case 'text':
      return <TextControl {...props} />;
    case 'site':
      return <SiteControl {...props} />;
  }
}

type ActionFieldsProps = { fields: readonly ActionField[]; form: UseFormReturn<Values> };

export function ActionFields({ fields, form }: ActionFieldsProps) {
  const { errors } = form.formState;
  const isWide = fields.length > 1;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {fields.map((field) => (
        <Field
          key={field.name}
          label={field.label}
          optional={field.optional ?? false}
          hint={field.hint}
          error={errors[field.name]?.message}
          className={
            isWide && (field.kind === 'day' || field.kind === 'time') ? '' : 'sm:col-span-2'
          }
        >
          {(control) => <FieldControl field={field} control={control} form={form} />}
        </Field>
      ))}
    </div>
  );
}
