import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { POSTS_GENDER } from '#shared/database.values.ts';
import { type Cycle, PRESETS, presetCycle, rotated } from '#shared/demand/cycle.ts';
import { dayField, isInOrder, optionalDayField } from '#web/lib/form-fields/day-field.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';
import { parseWholeNumber, wholeNumberField } from '#web/lib/form-fields/whole-number-field.ts';
import { today } from '#web/lib/format/dates.ts';

type Tables = Database['public']['Tables'];

const slotSchema = z.object({
  slot: z.number().int().min(1),
  day: z.number().int().min(0),
  start: z.string().regex(/^\d{2}:\d{2}$/),
  minutes: z.number().int().min(limits.SHORTEST_SLOT_MINUTES).max(1_440),
  headcount: z.number().int().min(1).max(100),
});
/** The column `slots`, which the database has checked. */
const storedSlots = z.array(slotSchema);

export type Requirement = Tables['post_requirements']['Row'];
export type Post = Tables['posts']['Row'] & {
  sites: { name: string; client_name: string; timezone: string };
  post_requirements: Requirement[];
  post_courses: { course_id: string; training_courses: { title: string } }[];
};

export const PATTERNS = [...PRESETS, 'drawn'] as const;
export type Pattern = (typeof PATTERNS)[number];

export const PATTERN_LABELS: Record<Pattern, string> = {
  day_and_night_12: 'Day and night, two slots of 12 h',
  day_and_night_8: 'Day and night, three slots of 8 h',
  nights: 'Nights only, 12 h',
  weekdays: 'Weekdays, 08:00 to 17:00',
  weekends: 'Weekends, 12 h by day',
  one_off: 'One-off event',
  drawn: 'Drawn by hand',
};

export const postSchema = z
  .object({
    site_id: z.string().min(1, 'Choose a site'),
    name: textField('Name', limits.POSTS_NAME_MAX).min(1, 'Name is required'),
    headcount: wholeNumberField({
      name: 'Guards at a time',
      required: 'Guards at a time is required',
      minimum: limits.POSTS_HEADCOUNT_MIN,
      maximum: limits.POSTS_HEADCOUNT_MAX,
    }),
    courses: z.array(z.string()),
    gender: z.enum(['', ...POSTS_GENDER]),
    gender_reason: textField('Reason', limits.POSTS_GENDER_REASON_MAX),
    lone_worker: z.boolean(),
    needs_induction: z.boolean(),
    valid_from: dayField('The first day is required'),
    valid_to: optionalDayField,
    notes: textField('Notes', limits.POSTS_NOTES_MAX),
    pattern: z.enum(PATTERNS),
    /** Days of the requirement, both inclusive. */
    from: dayField('The first day is required'),
    to: optionalDayField,
    cycle_days: z.number().int().min(1).max(limits.POST_REQUIREMENTS_CYCLE_DAYS_MAX),
    slots: z.array(slotSchema).max(limits.MOST_SLOTS),
  })
  .refine(({ gender, gender_reason }) => gender === '' || gender_reason !== '', {
    error: 'Say which duty makes this lawful',
    path: ['gender_reason'],
  })
  .refine(({ valid_from, valid_to }) => isInOrder(valid_from, valid_to), {
    error: 'The last day must not be before the first',
    path: ['valid_to'],
  })
  .refine(({ from, to }) => isInOrder(from, to), {
    error: 'The last day must not be before the first',
    path: ['to'],
  })
  .refine(({ slots }) => slots.length > 0, { error: 'Add at least one slot', path: ['slots'] });
export type PostForm = z.infer<typeof postSchema>;

export const toPattern = (preset: string | null): Pattern =>
  PATTERNS.find((known) => known === preset) ?? 'drawn';

export const toCycle = ({ cycle_days, slots }: Requirement): Cycle => ({
  cycle_days,
  slots: storedSlots.parse(slots),
});

/** The requirement that is valid on a day, or the next one after it. */
export function requirementOn(
  { post_requirements }: Pick<Post, 'post_requirements'>,
  day: string,
): Requirement | undefined {
  return post_requirements
    .filter(({ valid_to }) => valid_to === null || valid_to >= day)
    .sort((a, b) => a.valid_from.localeCompare(b.valid_from))[0];
}

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** The same pattern, for a requirement that begins on another day. */
export const slotsFrom = (form: PostForm, from: string) =>
  rotated(form, daysBetween(form.from, from));

export const readHeadcount = ({ headcount }: Pick<PostForm, 'headcount'>): number =>
  /^\d+$/.test(headcount) ? Math.max(1, parseWholeNumber(headcount)) : 1;

/** @param siteId of a new post */
export function toForm(post: Post | undefined, siteId = ''): PostForm {
  const day = today();
  const current = post && requirementOn(post, day);
  const from = current === undefined || current.valid_from < day ? day : current.valid_from;
  const stored = current && toCycle(current);
  const cycle =
    stored && current
      ? { ...stored, slots: rotated(stored, daysBetween(current.valid_from, from)) }
      : presetCycle('day_and_night_12', { from, headcount: post?.headcount ?? 1 });
  return {
    site_id: post?.site_id ?? siteId,
    name: post?.name ?? '',
    headcount: String(post?.headcount ?? 1),
    courses: post?.post_courses.map(({ course_id }) => course_id).sort() ?? [],
    gender: post?.gender === 'female' || post?.gender === 'male' ? post.gender : '',
    gender_reason: post?.gender_reason ?? '',
    lone_worker: post?.lone_worker ?? false,
    needs_induction: post?.needs_induction ?? false,
    valid_from: post?.valid_from ?? day,
    valid_to: post?.valid_to ?? '',
    notes: post?.notes ?? '',
    pattern: current ? toPattern(current.preset) : 'day_and_night_12',
    from,
    to: current?.valid_to ?? '',
    ...cycle,
  };
}

/** The parts of the form that are the requirement. */
export const requirementPart = ({ pattern, from, to, cycle_days, slots }: PostForm) => ({
  preset: pattern === 'drawn' ? null : pattern,
  valid_from: from,
  valid_to: to || null,
  cycle_days,
  slots,
});

/** @param id undefined for a new post */
export function postPart(form: PostForm, id: string | undefined) {
  return {
    ...(id === undefined ? { site_id: form.site_id } : { id }),
    name: form.name,
    headcount: parseWholeNumber(form.headcount),
    gender: form.gender || null,
    gender_reason: form.gender ? orNull(form.gender_reason) : null,
    lone_worker: form.lone_worker,
    needs_induction: form.needs_induction,
    valid_from: form.valid_from,
    valid_to: form.valid_to || null,
    notes: orNull(form.notes),
  };
}

export const outcomeSchema = z.object({
  made: z.number(),
  changed: z.number(),
  kept: z.number(),
  removed: z.number(),
  protected: z.number(),
  guards: z.number(),
  removed_shifts: z.array(
    z.object({ start_time: z.string(), end_time: z.string(), guards: z.array(z.string()) }),
  ),
  post_id: z.string().optional(),
});
export type Outcome = z.infer<typeof outcomeSchema>;
