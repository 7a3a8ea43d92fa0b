// What private.watch_facts writes into a handover. People are in it by their ids.
import { z } from 'zod';
import {
  ALERTS_KIND,
  REPLACEMENT_CALLS_RESULT,
  SERVICE_CALLS_KIND,
  SERVICE_CALLS_PRIORITY,
  SERVICE_CALLS_STATE,
} from '#shared/database.values.ts';

const gapSchema = z.object({
  id: z.uuid(),
  site_name: z.string(),
  timezone: z.string(),
  start_time: z.string(),
  end_time: z.string(),
  is_running: z.boolean(),
  required: z.number(),
  missing: z.number(),
  late: z.number(),
});

const placed = { id: z.uuid(), site: z.string().nullable(), site_id: z.uuid().nullable() };
const person = z.uuid().nullable();

const factsSchema = z.object({
  seats: z.object({
    sos: z.number(),
    missing: z.number(),
    empty: z.number(),
    late: z.number(),
    unconfirmed: z.number(),
    on_post: z.number(),
  }),
  coverage: z.object({
    required: z.number(),
    gaps_now: z.number(),
    gaps_next: z.number(),
    next_required: z.number(),
    next_missing: z.number(),
    gaps: z.array(gapSchema),
  }),
  incidents: z.object({ open: z.number(), grave: z.number(), reported: z.number() }),
  alerts: z.object({
    raised: z.number(),
    closed: z.number(),
    open: z.array(
      z.object({
        ...placed,
        kind: z.enum(ALERTS_KIND),
        shift_id: z.uuid().nullable(),
        user_id: person,
        raised_at: z.string(),
        is_acknowledged: z.boolean(),
      }),
    ),
  }),
  /** Handovers of before there was dispatch have none. */
  service_calls: z
    .array(
      z.object({
        ...placed,
        kind: z.enum(SERVICE_CALLS_KIND),
        priority: z.enum(SERVICE_CALLS_PRIORITY),
        state: z.enum(SERVICE_CALLS_STATE),
        received_at: z.string(),
        units: z.array(z.string()),
      }),
    )
    .default([]),
  notes: z.array(
    z.object({
      ...placed,
      at: z.string(),
      body: z.string(),
      is_pinned: z.boolean(),
      user_id: person,
    }),
  ),
  calls: z.array(
    z.object({
      ...placed,
      at: z.string(),
      shift_id: z.uuid(),
      user_id: person,
      result: z.enum(REPLACEMENT_CALLS_RESULT),
      note: z.string().nullable(),
    }),
  ),
  replacements: z.array(
    z.object({
      ...placed,
      at: z.string(),
      shift_id: z.uuid(),
      user_id: person,
      joins_at: z.string().nullable(),
    }),
  ),
});

export type WatchFacts = z.infer<typeof factsSchema>;
export type WatchGap = z.infer<typeof gapSchema>;

export const parseFacts = (facts: unknown): WatchFacts => factsSchema.parse(facts);

/** @returns the ids of the people in it, each once */
export function peopleIn({ alerts, notes, calls, replacements }: WatchFacts): string[] {
  const all = [...alerts.open, ...notes, ...calls, ...replacements];
  return [...new Set(all.flatMap(({ user_id }) => user_id ?? []))];
}
