import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import { toE164 } from '#shared/phone.ts';
import { amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { dayField, isInOrder } from '#web/lib/form-fields/day-field.ts';
import { payFields } from '#web/lib/form-fields/pay-fields.ts';
import { orNull, pickedSchema, textField } from '#web/lib/form-fields/text-field.ts';
import { fromLocalInput, today } from '#web/lib/format/dates.ts';
import { identityFields, NO_ADDRESS, type Person } from './schema.ts';

const certificateSchema = z
  .object({
    course_id: z.string().min(1, 'Course is required'),
    certificate_number: textField(
      'Certificate number',
      limits.CERTIFICATIONS_CERTIFICATE_NUMBER_MAX,
    ),
    issued: z.string(),
    expires: dayField('Expiry date is required'),
  })
  .refine(({ issued, expires }) => isInOrder(issued, expires), {
    error: 'The expiry must not be before the day of issue',
    path: ['expires'],
  });
export type CertificateForm = z.infer<typeof certificateSchema>;

export const hireSchema = z
  .object({
    ...identityFields,
    role: z.enum(USER_ROLES_ROLE),
    /** Of a supervisor; undefined means all sites. */
    site: pickedSchema.optional(),
    ...payFields,
    certificates: z.array(certificateSchema).max(50),
  })
  .refine(({ phone, email }) => phone !== '' || email !== '', {
    error: NO_ADDRESS,
    path: ['phone'],
  });
export type HireForm = z.infer<typeof hireSchema>;

/**
 * @param record a staff record without an account, which gets one
 * @param hasPay whether the form asks for pay
 */
export function emptyHire(record: Person | undefined, hasPay: boolean): HireForm {
  const { staff } = record ?? {};
  return {
    full_name: record?.full_name ?? '',
    phone: record?.phone ?? '',
    email: record?.email ?? '',
    home_area: '',
    role: staff?.role ?? 'guard',
    site: undefined,
    hire_date: staff?.hire_date ?? today(),
    salary_amount: staff ? staff.salary_amount.toFixed(2) : hasPay ? '' : '0.00',
    payment_frequency: staff?.payment_frequency ?? 'monthly',
    certificates: [],
  };
}

/** A certificate is valid from the start of its first day to the end of its last one, in the company's time zone. */
const certificateOf = ({ course_id, certificate_number, issued, expires }: CertificateForm) => ({
  course_id,
  certificate_number: orNull(certificate_number),
  issued_at: fromLocalInput(`${issued}T00:00`) ?? null,
  expires_at: fromLocalInput(`${expires}T23:59`) ?? expires,
});

/**
 * @param hasPay whether the form asked for pay
 * @returns an entry of the database's hire_people
 */
export function toEntry(form: HireForm, hasPay: boolean, staffId?: string) {
  const { site, phone, email, home_area, salary_amount, certificates, ...rest } = form;
  return {
    ...rest,
    phone: toE164(phone) ?? null,
    email: orNull(email),
    home_area: orNull(home_area),
    site_id: rest.role === 'supervisor' ? (site?.id ?? null) : null,
    salary_amount: hasPay ? amountOrNull(salary_amount) : null,
    certificates: certificates.map(certificateOf),
    staff_id: staffId ?? null,
  };
}
export type HireEntry = ReturnType<typeof toEntry>;
