import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { PROFILES_HOME_REGION } from '#shared/database.values.ts';
import type { Role } from '#shared/grants.ts';
import { toE164 } from '#shared/phone.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { wholeNumberField } from '#web/lib/form-fields/whole-number-field.ts';
import { today } from '#web/lib/format/dates.ts';

type Tables = Database['public']['Tables'];
export type StaffRecord = Tables['staff']['Row'];

/** Known to those who manage people. */
export type Account = {
  disabled: boolean;
  must_change_password: boolean;
  /** Undefined for HR. */
  last_sign_in_at?: string | null;
  roles: { role: Role; sites: { name: string } | null }[];
};

export type Person = {
  /** Id of the account, or of the staff record if there is none. */
  id: string;
  hasAccount: boolean;
  full_name: string | null;
  email: string | null;
  /** E.164; as written for a staff record without an account. */
  phone: string | null;
  home_area: string | null;
  /** A county of Liberia, or another country. */
  home_region: string | null;
  /** 'lat,lng' in degrees. */
  home_position: string | null;
  max_distance_km: number | null;
  left_on: string | null;
  photo_path: string | null;
  account: Account | null;
  staff: StaffRecord | null;
};

export const phoneField = z
  .string()
  .trim()
  .refine((text) => text === '' || toE164(text) !== undefined, 'Invalid phone number');

export const emailField = z.union(
  [z.literal(''), z.email('Invalid email').max(limits.STAFF_EMAIL_MAX, 'Invalid email')],
  {
    error: 'Invalid email',
  },
);

export const NO_ADDRESS = 'Enter a phone number or an email address';

export const identityFields = {
  full_name: textField('Full name', limits.STAFF_FULL_NAME_MAX).min(1, 'Full name is required'),
  phone: phoneField,
  email: emailField,
  home_area: textField('Home area', limits.PROFILES_HOME_AREA_MAX),
};

const POSITION = /^-?\d{1,2}(\.\d{1,15})?, ?-?\d{1,3}(\.\d{1,15})?$/;

export const personSchema = z
  .object({
    ...identityFields,
    home_region: z.enum(['', ...PROFILES_HOME_REGION]),
    home_position: z
      .string()
      .trim()
      .refine((text) => text === '' || POSITION.test(text), {
        error: 'Enter latitude and longitude, such as 6.3005, -10.7969',
      }),
    max_distance_km: z.union([
      z.string().trim().length(0),
      wholeNumberField({
        name: 'Distance',
        required: '',
        minimum: limits.PROFILES_MAX_DISTANCE_KM_MIN,
        maximum: limits.PROFILES_MAX_DISTANCE_KM_MAX,
      }),
    ]),
  })
  .refine(({ phone, email }) => phone !== '' || email !== '', {
    error: NO_ADDRESS,
    path: ['phone'],
  });
export type PersonForm = z.infer<typeof personSchema>;

export function toPersonForm(person: Person): PersonForm {
  return {
    full_name: person.full_name ?? '',
    phone: person.phone ?? '',
    email: person.email ?? '',
    home_area: person.home_area ?? '',
    home_region: PROFILES_HOME_REGION.find((name) => name === person.home_region) ?? '',
    home_position: person.home_position ?? '',
    max_distance_km: person.max_distance_km?.toString() ?? '',
  };
}

export const leavingSchema = z.object({
  last_day: z.iso
    .date('Last day is required')
    .refine((day) => day <= today(), { error: 'The last day is today or earlier' }),
  reason: textField('Reason', limits.STAFF_END_REASON_MAX),
});
export type LeavingForm = z.infer<typeof leavingSchema>;
