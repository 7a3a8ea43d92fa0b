import { addMonths, format, parseISO } from 'date-fns';
import type { UseFormReturn } from 'react-hook-form';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { PickerField } from '#web/components/form/picker-field.tsx';
import { usePeople } from '#web/lib/data/lookups.ts';
import type { CertificationForm, Course } from './schema.ts';

type CertificationFieldsProps = { form: UseFormReturn<CertificationForm>; courses: Course[] };

export function CertificationFields({ form, courses }: CertificationFieldsProps) {
  const { getValues, getFieldState } = form;

  function suggestExpiry() {
    const { course_id, issued } = getValues();
    const months = courses.find(({ id }) => id === course_id)?.validity_months;
    if (!months || issued === '' || getFieldState('expires').isDirty) return;
    // resetField keeps the field clean, so a later change of course or issue date updates the suggestion.
    form.resetField('expires', {
      defaultValue: format(addMonths(parseISO(issued), months), 'yyyy-MM-dd'),
    });
  }
  const field = createFields(form);
  const register = { onChange: suggestExpiry };
  return (
    <FieldGrid>
      <PickerField
        control={form.control}
        name="person"
        label="Person"
        className="sm:col-span-2"
        searchLabel="Search people"
        placeholder="Choose a person"
        useChoices={usePeople}
      />
      {field.select(
        'course_id',
        'Course',
        courses.map(({ id, title }) => [id, title]),
        { empty: 'Choose a course', wide: true, register },
      )}
      {field.day('issued', 'Issued', { optional: true, register })}
      {field.day('expires', 'Expires', { hint: 'Valid to the end of this day.' })}
      {field.text('certificate_number', 'Certificate Number', { optional: true, wide: true })}
    </FieldGrid>
  );
}
