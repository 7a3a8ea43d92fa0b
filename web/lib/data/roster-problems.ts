import { z } from 'zod';

/** A rule that an assignment breaks or would break, as guard_availability and refusals of the database name it. */
export const rosterProblemsSchema = z.array(
  z.object({ rule: z.string(), message: z.string(), can_override: z.boolean() }),
);
