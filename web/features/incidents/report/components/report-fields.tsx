// The fields of a report, in the order in which their messages are told.
import { Controller, type UseFormReturn } from 'react-hook-form';
import { Options } from '#web/components/records/options.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Picker } from '#web/components/ui/picker.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import { CATEGORIES, CATEGORY_LABELS, SEVERITIES, SEVERITY_LABELS } from '../../labels.ts';
import { useSiteChoice, useSiteChoices } from '../api/site-choices.ts';
import type { ReportForm } from '../schema.ts';

export function ReportFields({ form }: { form: UseFormReturn<ReportForm> }) {
  const { register, control: fields, formState, watch } = form;
  const { errors } = formState;
  const site = useSiteChoice(watch('site_id'));
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Site" error={errors.site_id?.message} className="sm:col-span-2">
        {(control) => (
          <Controller
            name="site_id"
            control={fields}
            render={({ field }) => (
              <Picker
                {...control}
                ref={field.ref}
                searchLabel="Search sites"
                placeholder="Choose a site"
                value={site}
                onChange={(choice) => field.onChange(choice?.id ?? '')}
                useChoices={useSiteChoices}
              />
            )}
          />
        )}
      </Field>
      <Field label="Title" error={errors.title?.message} className="sm:col-span-2">
        {(control) => <Input {...control} {...register('title')} autoComplete="off" />}
      </Field>
      <Field label="Category" error={errors.category?.message}>
        {(control) => (
          <Select {...control} {...register('category')}>
            <option value="">Choose a category</option>
            <Options values={CATEGORIES} labels={CATEGORY_LABELS} />
          </Select>
        )}
      </Field>
      <Field label="Severity" error={errors.severity?.message}>
        {(control) => (
          <Select {...control} {...register('severity')}>
            <option value="">Choose a severity</option>
            <Options values={SEVERITIES} labels={SEVERITY_LABELS} />
          </Select>
        )}
      </Field>
      <Field
        label="Description"
        hint="What happened, who was there, what you did"
        error={errors.description?.message}
        className="sm:col-span-2"
      >
        {(control) => <Textarea {...control} {...register('description')} rows={5} />}
      </Field>
    </div>
  );
}
