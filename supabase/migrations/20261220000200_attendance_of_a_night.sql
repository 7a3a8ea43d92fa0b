-- A record decides about its whole shift, of which a part may lie in another day, week or period: whether somebody came to
-- the evening of a night, and whether its morning is missing.
create or replace function private.follow_attendance_fact() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  zone text := (select s.time_zone from private.settings s);
  users uuid[];
  first date[];
  last date[];
begin
  if tg_op = 'INSERT' then
    select array_agg(r.user_id), array_agg(least((r.clock_in_at at time zone zone)::date, lower(private.days_of(a.period)))),
      array_agg(greatest((coalesce(r.clock_out_at, r.clock_in_at) at time zone zone)::date,
        upper(private.days_of(a.period)) - 1))
    into users, first, last
    from new_rows r left join public.assignments a on a.id = r.assignment_id;
  elsif tg_op = 'DELETE' then
    select array_agg(r.user_id), array_agg(least((r.clock_in_at at time zone zone)::date, lower(private.days_of(a.period)))),
      array_agg(greatest((coalesce(r.clock_out_at, r.clock_in_at) at time zone zone)::date,
        upper(private.days_of(a.period)) - 1))
    into users, first, last
    from old_rows r left join public.assignments a on a.id = r.assignment_id;
  else
    with was as (
      select id, assignment_id, user_id, site_id, clock_in_at, clock_out_at, flags, needs_review, corrected_at, correction_reason
      from old_rows
    ), became as (
      select id, assignment_id, user_id, site_id, clock_in_at, clock_out_at, flags, needs_review, corrected_at, correction_reason
      from new_rows
    )
    select array_agg(r.user_id), array_agg(least((r.clock_in_at at time zone zone)::date, lower(private.days_of(a.period)))),
      array_agg(greatest((coalesce(r.clock_out_at, r.clock_in_at) at time zone zone)::date,
        upper(private.days_of(a.period)) - 1))
    into users, first, last
    from ((table became except table was) union all (table was except table became)) r
    left join public.assignments a on a.id = r.assignment_id;
  end if;
  if users is not null then
    perform private.time_changed(users, first, last);
  end if;
  return null;
end
$$;

drop trigger time_follows_deletes on public.attendance;
create trigger time_follows_deletes after delete on public.attendance referencing old table as old_rows
  for each statement execute function private.follow_attendance_fact();
