// A shift that one may clock in on, and what is known of its attendance.
import { z } from 'zod';

export const clockShiftSchema = z.object({
  assignment_id: z.uuid(),
  site_id: z.uuid(),
  site_name: z.string(),
  client_name: z.string(),
  address: z.string(),
  /** IANA zone of the site. */
  timezone: z.string(),
  start_time: z.string(),
  end_time: z.string(),
  attendance_id: z.string().nullable(),
  clock_in_at: z.string().nullable(),
  clock_out_at: z.string().nullable(),
  flags: z.array(z.string()).nullable(),
});

export type ClockShift = z.infer<typeof clockShiftSchema> & {
  /** The last event of it that this device has not been able to send yet. */
  waiting?: 'in' | 'out' | 'reopen';
};
