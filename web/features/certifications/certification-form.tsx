import { addMonths, format, parseISO } from 'date-fns';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Picker } from '#web/components/ui/picker.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { usePeople } from '#web/lib/data/lookups.ts';
import type { CertificationForm, Course } from './schema.ts';

type CertificationFieldsProps = { form: UseFormReturn<CertificationForm>; courses: Course[] };

export function CertificationFields({ form, courses }: CertificationFieldsProps) {
  const { register, control, formState, getValues, getFieldState } = form;
  const { errors } = formState;

  function suggestExpiry() {
    const { course_id, issued } = getValues();
    const months = courses.find(({ id }) => id === course_id)?.validity_months;
    if (!months || issued === '' || getFieldState('expires').isDirty) return;
    // resetField keeps the field clean, so a later change of course or issue date updates the suggestion.
    form.resetField('expires', {
      defaultValue: format(addMonths(parseISO(issued), months), 'yyyy-MM-dd'),
    });
  }
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Controller
        control={control}
        name="person"
        render={({ field }) => (
          <Field label="Person" error={errors.person?.message} className="sm:col-span-2">
            {({ id, 'aria-describedby': describedBy }) => (
              <Picker
                id={id}
                aria-describedby={describedBy}
                searchLabel="Search people"
                placeholder="Choose a person"
                value={field.value}
                onChange={field.onChange}
                useChoices={usePeople}
              />
            )}
          </Field>
        )}
      />
      <Field label="Course" error={errors.course_id?.message} className="sm:col-span-2">
        {(field) => (
          <Select {...field} {...register('course_id', { onChange: suggestExpiry })}>
            <option value="">Choose a course</option>
            {courses.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Issued" optional error={errors.issued?.message}>
        {(field) => (
          <Input {...field} {...register('issued', { onChange: suggestExpiry })} type="date" />
        )}
      </Field>
      <Field label="Expires" error={errors.expires?.message} hint="Valid to the end of this day.">
        {(field) => <Input {...field} {...register('expires')} type="date" />}
      </Field>
      <Field
        label="Certificate Number"
        optional
        error={errors.certificate_number?.message}
        className="sm:col-span-2"
      >
        {(field) => <Input {...field} {...register('certificate_number')} autoComplete="off" />}
      </Field>
    </div>
  );
}
