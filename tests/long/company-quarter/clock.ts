// The database believes that it is another time: its functions read a clock of ours in place of now().
import type { Pool } from 'pg';
import { instant } from '../company-month/calendar.ts';

/** Puts our clock into every function that asks for the time. */
export async function installClock(owner: Pool): Promise<void> {
  await setClock(owner, 0);
  await owner.query(`grant execute on function private.clock to public`);
  await owner.query(`do $$
    declare
      code text;
    begin
      for code in
        select pg_get_functiondef(p.oid) from pg_proc p join pg_language l on l.oid = p.prolang
        where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and l.lanname in ('sql', 'plpgsql')
          -- Aggregates have no definition to ask for, and the planner may check conditions in any order.
          and case when p.prokind <> 'a' then pg_get_functiondef(p.oid) ~ '\\mnow\\(\\)' end
      loop
        execute regexp_replace(code, '\\mnow\\(\\)', 'private.clock()', 'g');
      end loop;
    end
    $$`);
}

/** @param minute from the calendar's first */
export async function setClock(owner: Pool, minute: number): Promise<void> {
  // A constant, so that the planner knows it as it knows now().
  await owner.query(
    `create or replace function private.clock() returns timestamptz language sql stable
     return timestamptz '${instant(minute)}'`,
  );
}
