import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { ANNOUNCEMENTS_AUDIENCE, USER_ROLES_ROLE } from '#shared/database.values.ts';
import type { Role } from '#shared/grants.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { choiceField, textField } from '#web/lib/form-fields/text-field.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { listCounties } from '#web/lib/vocabulary/regions.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';

type View = Database['public']['Views']['announcement_list']['Row'];
export type Audience = (typeof ANNOUNCEMENTS_AUDIENCE)[number];

/** In the generated types some columns of a view are plain text. */
export type Announcement = Omit<View, 'audience' | 'role' | 'state'> & {
  audience: Audience;
  role: Role | null;
  state: 'current' | 'ended' | 'withdrawn';
};

export const AUDIENCE_LABELS: Record<Audience, string> = {
  everybody: 'Everybody',
  region: 'Region',
  site: 'Site',
  role: 'Role',
};

/** @returns for example "Freeport Container Yard" or "Role: Supervisor" */
export function audienceOf({ audience, region, site_name, role }: Announcement): string {
  if (audience === 'role' && role) return `Role: ${ROLE_LABELS[role]}`;
  return region ?? site_name ?? AUDIENCE_LABELS[audience];
}

const USUAL_DAYS = 14;

const lastDay = () => dayAfter(today(), limits.ANNOUNCEMENT_DAYS_MAX);

const textFields = {
  title: textField('Title', limits.ANNOUNCEMENTS_TITLE_MAX).min(1, 'Title is required'),
  body: textField('Text', limits.ANNOUNCEMENTS_BODY_MAX).min(1, 'Write the text'),
  must_read: z.boolean(),
  last_day: dayField('Choose the last day'),
};

type Days = { last_day: string };

/** @param kept a last day that may stay although it is over */
function checkLastDay({ last_day }: Days, context: z.RefinementCtx, kept?: string): void {
  if (last_day === '' || last_day === kept) return;
  const message =
    last_day < today()
      ? 'The last day can’t be in the past'
      : last_day > lastDay() && `The last day can’t be after ${formatDay(lastDay())}`;
  if (message) context.addIssue({ code: 'custom', path: ['last_day'], message });
}

export const announcementSchema = z
  .object({
    audience: z.enum(ANNOUNCEMENTS_AUDIENCE),
    region: z.string(),
    site_id: z.string(),
    role: choiceField(USER_ROLES_ROLE, 'Choose a role').or(z.literal('')),
    ...textFields,
  })
  .superRefine((form, context) => {
    const missing = (
      [
        ['region', 'region', 'Choose a region'],
        ['site', 'site_id', 'Choose a site'],
        ['role', 'role', 'Choose a role'],
      ] as const
    ).find(([audience, name]) => form.audience === audience && form[name] === '');
    if (missing) context.addIssue({ code: 'custom', path: [missing[1]], message: missing[2] });
    checkLastDay(form, context);
  });
export type AnnouncementForm = z.infer<typeof announcementSchema>;

export const newForm = (): AnnouncementForm => ({
  audience: 'everybody',
  region: '',
  site_id: '',
  role: '',
  title: '',
  body: '',
  must_read: false,
  last_day: dayAfter(today(), USUAL_DAYS),
});

type Chosen = Pick<AnnouncementForm, 'audience' | 'region' | 'site_id' | 'role'>;

/** @returns what the server is asked with; undefined while the choice is not complete */
export function toAudience({ audience, region, site_id, role }: Chosen) {
  if (audience === 'everybody') return { p_audience: audience };
  if (audience === 'region' && region) {
    return { p_audience: audience, p_counties: [...listCounties(region)] };
  }
  if (audience === 'site' && site_id) return { p_audience: audience, p_site_id: site_id };
  if (audience === 'role' && role) return { p_audience: audience, p_role: role };
  return undefined;
}

export const editSchema = (known: Days) =>
  z
    .object({ ...textFields, read_again: z.boolean() })
    .superRefine((form, context) => checkLastDay(form, context, known.last_day));
export type EditForm = z.infer<ReturnType<typeof editSchema>>;

export const toEditForm = ({ title, body, must_read, last_day }: Announcement): EditForm => ({
  title,
  body,
  must_read,
  last_day,
  read_again: false,
});
