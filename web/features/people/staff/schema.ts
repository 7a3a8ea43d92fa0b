import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { STAFF_ROLE, STAFF_STATUS } from '#shared/database.values.ts';
import { amountEntry, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { payFields } from '#web/lib/form-fields/pay-fields.ts';
import { orNull, pickedSchema, textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';

export type Staff = Database['public']['Tables']['staff']['Row'];

export const staffSchema = z.object({
  full_name: textField('Full name', limits.STAFF_FULL_NAME_MAX).min(1, 'Full name is required'),
  email: z.union(
    [z.literal(''), z.email('Invalid email').max(limits.STAFF_EMAIL_MAX, 'Invalid email')],
    {
      error: 'Invalid email',
    },
  ),
  phone: textField('Phone', limits.STAFF_PHONE_MAX),
  tin: textField('Tax number', limits.STAFF_TIN_MAX),
  nasscorp_number: textField('NASSCORP number', limits.STAFF_NASSCORP_NUMBER_MAX),
  role: z.enum(STAFF_ROLE),
  ...payFields,
  status: z.enum(STAFF_STATUS),
  /** The person's user account, which links their pay to their attendance. */
  account: pickedSchema.optional(),
  /** Another person than those with the same email or phone. */
  is_separate: z.boolean(),
});

export type StaffForm = z.infer<typeof staffSchema>;

export type StaffRow = Staff & {
  profiles: { full_name: string | null; email: string | null } | null;
};

/** @returns the form filled with a stored record; empty without one */
export function toForm(row?: StaffRow): StaffForm {
  return {
    full_name: row?.full_name ?? '',
    email: row?.email ?? '',
    phone: row?.phone ?? '',
    tin: row?.tin ?? '',
    nasscorp_number: row?.nasscorp_number ?? '',
    role: row?.role ?? 'guard',
    hire_date: row?.hire_date ?? today(),
    salary_amount: amountEntry(row?.salary_amount),
    payment_frequency: row?.payment_frequency ?? 'monthly',
    status: row?.status ?? 'active',
    is_separate: row?.is_separate ?? false,
    account:
      row?.user_id == null
        ? undefined
        : { id: row.user_id, label: row.profiles?.full_name ?? row.profiles?.email ?? 'Account' },
  };
}

/** For an import, which decides nothing about duplicates. */
export function toRow({ account: chosen, is_separate: _, ...form }: StaffForm) {
  return {
    ...form,
    email: orNull(form.email),
    phone: orNull(form.phone),
    tin: orNull(form.tin),
    nasscorp_number: orNull(form.nasscorp_number),
    salary_amount: amountOrNull(form.salary_amount) ?? 0,
    user_id: chosen?.id ?? null,
  };
}

export const columnsOf = (form: StaffForm) => ({
  ...toRow(form),
  is_separate: form.is_separate,
});
