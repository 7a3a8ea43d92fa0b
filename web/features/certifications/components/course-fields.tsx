// The fields of a course.
import type { UseFormReturn } from 'react-hook-form';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import type { CourseForm } from '../schema.ts';

export function CourseFields({ register, formState: { errors } }: UseFormReturn<CourseForm>) {
  return (
    <div className="grid gap-5">
      <Field label="Title" error={errors.title?.message}>
        {(control) => <Input {...control} {...register('title')} autoComplete="off" />}
      </Field>
      <Field label="Description" optional error={errors.description?.message}>
        {(control) => <Textarea {...control} {...register('description')} rows={3} />}
      </Field>
      <Field
        label="Valid For (months)"
        optional
        hint="Suggests the expiry of its certificates."
        error={errors.validity_months?.message}
        className="sm:max-w-56"
      >
        {(control) => (
          <Input
            {...control}
            {...register('validity_months')}
            inputMode="numeric"
            autoComplete="off"
          />
        )}
      </Field>
    </div>
  );
}
