import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, it } from 'vitest';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});

describe("the company's today", () => {
  // At UTC+14 and UTC-12, at least one has another date than UTC at any moment.
  it.each(['Pacific/Kiritimati', 'Etc/GMT+12'])(
    'in %s is what a new staff record starts with',
    async (zone) => {
      const { owner } = database;
      await owner.query('update private.settings set time_zone = $1', [zone]);
      const { rows } = await owner.query<{ hired: string; today: string }>(
        `insert into public.staff (full_name, role, salary_amount) values ('Zoe Walker', 'guard', 143)
       returning hire_date::text as hired, (now() at time zone $1)::date::text as today`,
        [zone],
      );
      expect(rows[0]?.hired).toBe(rows[0]?.today);
    },
  );
});
