// The browser and the database apply the same durations.

import { freshDatabase } from 'supabase-in-node/testing/database';
import { expect, test } from 'vitest';
import {
  CLOCK_IN_LEAD_HOURS,
  COPY_LIMIT_DAYS,
  EARLY_LEAVE_MINUTES,
  REOPEN_MINUTES,
  SICK_LEAVE_DAYS_BACK,
} from '#shared/time-limits.ts';

test('the durations of shared/time-limits.ts are those of the database', async () => {
  const { owner } = await freshDatabase();
  const { rows } = await owner.query(
    `select
    extract(epoch from private.clock_in_lead()) / 3600 = $1::int as clock_in,
    extract(epoch from private.early_leave_margin()) / 60 = $2::int as early_leave,
    extract(epoch from private.reopen_window()) / 60 = $3::int as reopen,
    private.sick_leave_days_back() = $4::int as sick_leave,
    private.copy_limit_days() = $5::int as copy_limit`,
    [
      CLOCK_IN_LEAD_HOURS,
      EARLY_LEAVE_MINUTES,
      REOPEN_MINUTES,
      SICK_LEAVE_DAYS_BACK,
      COPY_LIMIT_DAYS,
    ],
  );
  expect(rows).toEqual([
    { clock_in: true, early_leave: true, reopen: true, sick_leave: true, copy_limit: true },
  ]);
});
