// How soon the company wants to respond to reports and to resolve them, in dated versions.

import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { INCIDENTS_SEVERITY } from '#shared/database.values.ts';
import { incidentsKey } from '#web/lib/data/keys.ts';
import { recordChanges, withoutAuthor } from '#web/lib/data/records.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

type Goals = Database['public']['Tables']['incident_goals']['Row'];
type Severity = (typeof INCIDENTS_SEVERITY)[number];

/** The gravest first, as in reports. */
export const GOAL_SEVERITIES = INCIDENTS_SEVERITY.toReversed();

/** Responses are entered in minutes, resolutions in hours. */
const HOUR = 60;
const LONGEST = { response: 44_640, resolution: 8_760 };

const goalField = (goal: keyof typeof LONGEST, least: number) => {
  const most = LONGEST[goal];
  return z
    .string()
    .trim()
    .refine(
      (entry) => /^\d{1,5}$/.test(entry) && Number(entry) >= least && Number(entry) <= most,
      `Enter a whole number from ${least} to ${most}`,
    );
};

const timesSchema = z
  .object({ response: goalField('response', 5), resolution: goalField('resolution', 1) })
  .refine(({ response, resolution }) => Number(response) <= Number(resolution) * HOUR, {
    path: ['resolution'],
    message: 'The resolution can’t come before the response',
  });
type Times = z.infer<typeof timesSchema>;

export const goalsSchema = z.object({
  name: textField('Name', limits.INCIDENT_GOALS_NAME_MAX).min(1, 'Name is required'),
  effective_from: dayField('Date is required'),
  critical: timesSchema,
  high: timesSchema,
  medium: timesSchema,
  low: timesSchema,
});
export type GoalsForm = z.infer<typeof goalsSchema>;

/** @returns minutes */
export function readGoals(
  row: Goals,
  severity: Severity,
): { response: number; resolution: number } {
  return {
    response: row[`${severity}_response_minutes`],
    resolution: row[`${severity}_resolution_minutes`],
  };
}

/** @returns the form filled with stored goals; a copy of them from tomorrow with `isCopy` */
export function toForm(row: Goals, isCopy = false): GoalsForm {
  const timesOf = (severity: Severity): Times => {
    const { response, resolution } = readGoals(row, severity);
    return { response: String(response), resolution: String(Math.ceil(resolution / HOUR)) };
  };
  return {
    name: isCopy ? '' : row.name,
    effective_from: isCopy ? dayAfter(today(), 1) : row.effective_from,
    critical: timesOf('critical'),
    high: timesOf('high'),
    medium: timesOf('medium'),
    low: timesOf('low'),
  };
}

function toRow({ name, effective_from, critical, high, medium, low }: GoalsForm) {
  return {
    name,
    effective_from,
    critical_response_minutes: Number(critical.response),
    critical_resolution_minutes: Number(critical.resolution) * HOUR,
    high_response_minutes: Number(high.response),
    high_resolution_minutes: Number(high.resolution) * HOUR,
    medium_response_minutes: Number(medium.response),
    medium_resolution_minutes: Number(medium.resolution) * HOUR,
    low_response_minutes: Number(low.response),
    low_resolution_minutes: Number(low.resolution) * HOUR,
  };
}

const goalsKey = [...incidentsKey, 'goals'] as const;

/** Newest first. */
async function fetchGoals() {
  const { data } = await supabase()
    .from('incident_goals')
    .select('*, author:profiles!created_by(full_name, email)')
    .order('effective_from', { ascending: false })
    .limit(200)
    .throwOnError();
  return data;
}

export type ListedGoals = Awaited<ReturnType<typeof fetchGoals>>[number];

export const useGoals = () =>
  useLiveQuery('incident_goals', goalsKey, { queryKey: goalsKey, queryFn: fetchGoals });

export const incidentGoals = recordChanges({
  table: 'incident_goals',
  key: incidentsKey,
  name: 'set of goals',
  toColumns: toRow,
  toNewRow: withoutAuthor,
  duplicate: 'This day is taken already.',
});
