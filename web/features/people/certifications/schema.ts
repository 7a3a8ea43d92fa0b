import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { dayField, isInOrder, optionalDayField } from '#web/lib/form-fields/day-field.ts';
import { orNull, pickedSchema, textField } from '#web/lib/form-fields/text-field.ts';
import { fromLocalInput, toLocalInput } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import type { VALIDITIES } from '#web/lib/vocabulary/statuses.ts';

type Tables = Database['public']['Tables'];
export type Course = Tables['training_courses']['Row'];
export type Certification = Tables['certifications']['Row'];

export type Validity = (typeof VALIDITIES)[number];

export type CertificationRow = Certification & {
  validity: Validity;
  profiles: { full_name: string | null; email: string | null };
  training_courses: { title: string };
};

/** @returns the day of an instant in the company's time zone, yyyy-MM-dd */
export const dayOf = (instant: string) => toLocalInput(instant).slice(0, 10);

export const certificationSchema = z
  .object({
    person: pickedSchema
      .optional()
      .refine((chosen): boolean => chosen !== undefined, 'Person is required'),
    course_id: z.string().min(1, 'Course is required'),
    certificate_number: textField(
      'Certificate number',
      limits.CERTIFICATIONS_CERTIFICATE_NUMBER_MAX,
    ),
    issued: optionalDayField,
    expires: dayField('Expiry date is required'),
    /** As stored; each is kept while its day doesn't change. */
    stored: z.object({ issued_at: z.string().nullable(), expires_at: z.string() }).optional(),
  })
  .refine(({ issued, expires }) => isInOrder(issued, expires), {
    error: 'The expiry must not be before the day of issue',
    path: ['expires'],
  });
export type CertificationForm = z.infer<typeof certificationSchema>;

export function toCertificationForm(row?: CertificationRow): CertificationForm {
  return {
    person: row && { id: row.user_id, label: formatName(row.profiles) },
    course_id: row?.course_id ?? '',
    certificate_number: row?.certificate_number ?? '',
    issued: row?.issued_at ? dayOf(row.issued_at) : '',
    expires: row ? dayOf(row.expires_at) : '',
    stored: row && { issued_at: row.issued_at, expires_at: row.expires_at },
  };
}

/** @returns the instant to store for a day; the stored instant is unchanged if it falls on the same day */
function instantOf(day: string, time: string, stored: string | null | undefined) {
  if (stored && dayOf(stored) === day) return stored;
  return fromLocalInput(`${day}T${time}`) ?? null;
}

/**
 * A certificate is valid from the start of its first day to the end of its last day, in the company's time zone.
 */
export function toCertificationColumns({ stored, ...form }: CertificationForm) {
  return {
    user_id: form.person?.id ?? '',
    course_id: form.course_id,
    certificate_number: orNull(form.certificate_number),
    issued_at: form.issued === '' ? null : instantOf(form.issued, '00:00', stored?.issued_at),
    expires_at: instantOf(form.expires, '23:59', stored?.expires_at) ?? form.expires,
  };
}

const MONTHS = /^([1-9]\d{0,2})?$/;

export const courseSchema = z.object({
  title: textField('Title', limits.TRAINING_COURSES_TITLE_MAX).min(1, 'Title is required'),
  description: textField('Description', limits.TRAINING_COURSES_DESCRIPTION_MAX),
  validity_months: z
    .string()
    .trim()
    .refine((text) => MONTHS.test(text) && Number(text) <= 600, 'Enter whole months, 1 to 600'),
});
export type CourseForm = z.infer<typeof courseSchema>;

export function toCourseForm(course?: Course): CourseForm {
  return {
    title: course?.title ?? '',
    description: course?.description ?? '',
    validity_months: course?.validity_months?.toString() ?? '',
  };
}

export function toCourseColumns({ title, description, validity_months }: CourseForm) {
  return {
    title,
    description: orNull(description),
    validity_months: validity_months === '' ? null : Number(validity_months),
  };
}
