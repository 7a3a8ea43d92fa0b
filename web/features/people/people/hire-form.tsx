import { addMonths, format, parseISO } from 'date-fns';
import { Plus, Trash2 } from 'lucide-react';
import { type UseFormReturn, useFieldArray, useWatch } from 'react-hook-form';
import { STAFF_PAYMENT_FREQUENCY, USER_ROLES_ROLE } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { PickerField } from '#web/components/form/picker-field.tsx';
import { DuplicateNotice } from '#web/components/records/duplicate-notice.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { useMatchingSites } from '#web/lib/data/lookups.ts';
import { PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { ROLE_HINTS, ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import type { HireCourse } from './hire-api.ts';
import type { HireForm } from './hire-schema.ts';
import { PersonFields } from './person-fields.tsx';

const LEGEND = 'mb-4 font-display text-xl leading-tight';
const FREQUENCIES = toOptions(STAFF_PAYMENT_FREQUENCY, PAY_FREQUENCY_LABELS);

type CertificateFieldsProps = { form: UseFormReturn<HireForm>; courses: HireCourse[] };

function CertificateFields({ form, courses }: CertificateFieldsProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'certificates' });
  const field = createFields(form);
  const options = courses.map(({ id, title }) => [id, title] as const);

  function suggestExpiry(at: number) {
    const { course_id, issued, expires } = form.getValues(`certificates.${at}`);
    const months = courses.find(({ id }) => id === course_id)?.validity_months;
    if (!months || issued === '' || expires !== '') return;
    const day = format(addMonths(parseISO(issued), months), 'yyyy-MM-dd');
    form.setValue(`certificates.${at}.expires`, day);
  }
  return (
    <fieldset>
      <legend className={LEGEND}>Certificates</legend>
      {fields.map(({ id }, at) => {
        const name = `certificates.${at}` as const;
        const register = { onChange: () => suggestExpiry(at) };
        return (
          <div
            key={id}
            className="mb-5 grid gap-4 border-b border-line pb-5 sm:grid-cols-2 xl:grid-cols-[2fr_1fr_10rem_10rem_auto]"
          >
            {field.select(`${name}.course_id`, 'Course', options, {
              empty: 'Choose a course',
              register,
            })}
            {field.text(`${name}.certificate_number`, 'Number', { optional: true })}
            {field.day(`${name}.issued`, 'Issued', { optional: true, register })}
            {field.day(`${name}.expires`, 'Expires')}
            <Button
              variant="danger-ghost"
              size="icon"
              className="self-end"
              aria-label={`Remove certificate ${at + 1}`}
              onClick={() => remove(at)}
            >
              <Trash2 aria-hidden="true" className="size-4" />
            </Button>
          </div>
        );
      })}
      <Button
        variant="secondary"
        onClick={() => append({ course_id: '', certificate_number: '', issued: '', expires: '' })}
      >
        <Plus aria-hidden="true" className="size-4" />
        Add certificate
      </Button>
    </fieldset>
  );
}

/** An account for a person on the staff is made on their page, from the record that exists. */
function Duplicates({ form }: Pick<CertificateFieldsProps, 'form'>) {
  const [full_name, email, phone, hire_date] = useWatch({
    control: form.control,
    name: ['full_name', 'email', 'phone', 'hire_date'],
  });
  return (
    <DuplicateNotice given={{ full_name, email, phone, hire_date }}>
      <p className="mt-2">Open the person to create an account for the record that exists.</p>
    </DuplicateNotice>
  );
}

type HireFieldsProps = CertificateFieldsProps & {
  /** Whether a staff record exists already, so that pay is not asked for. */
  hasRecord: boolean;
  /** Whether the user chooses the role and sets pay; others hire guards, whose pay finance adds. */
  isAdmin: boolean;
};

export function HireFields({ form, courses, hasRecord, isAdmin }: HireFieldsProps) {
  const field = createFields(form);
  const role = useWatch({ control: form.control, name: 'role' });
  return (
    <div className="grid gap-9">
      <fieldset>
        <legend className={LEGEND}>Person</legend>
        <FieldGrid>
          <PersonFields field={field} />
          {/* Of an administrator’s hire it belongs to the pay record. */}
          {!isAdmin &&
            field.day('hire_date', 'Hire Date', { hint: 'Leave is counted from this day.' })}
          {isAdmin && !hasRecord && <Duplicates form={form} />}
        </FieldGrid>
      </fieldset>
      {isAdmin && (
        <fieldset>
          <legend className={LEGEND}>{hasRecord ? 'Role' : 'Role and pay'}</legend>
          <FieldGrid>
            {field.select('role', 'Role', toOptions(USER_ROLES_ROLE, ROLE_LABELS), {
              hint: ROLE_HINTS[role],
            })}
            {role === 'supervisor' && (
              <PickerField
                control={form.control}
                name="site"
                label="Site"
                optional
                hint="Leave blank for all sites."
                searchLabel="Search sites"
                placeholder="All sites"
                useChoices={useMatchingSites}
              />
            )}
            {!hasRecord && (
              <>
                {field.day('hire_date', 'Hire Date')}
                {field.amount('salary_amount', 'Salary (USD)')}
                {field.select('payment_frequency', 'Payment Frequency', FREQUENCIES)}
              </>
            )}
          </FieldGrid>
        </fieldset>
      )}
      <CertificateFields form={form} courses={courses} />
    </div>
  );
}
