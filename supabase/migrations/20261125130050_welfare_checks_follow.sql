-- Open welfare checks follow what changes around them: the site of the shift, and how often guards are asked there.

-- A shift that moves to another site takes its open checks and their alerts along, whose planners get a notice. Checks
-- that nobody was asked about are made again, by the other site's interval.
create function private.move_welfare_checks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moved uuid[];
begin
  delete from public.welfare_checks c where c.shift_id = new.id and c.asked_at is null and c.answered_at is null;
  update public.welfare_checks c set site_id = new.site_id
  where c.shift_id = new.id and c.answered_at is null and c.ended_at is null;
  with followed as (
    update public.alerts a set site_id = new.site_id
    where a.shift_id = new.id and a.kind = 'welfare' and a.closed_at is null
    returning a.id
  )
  select array_agg(f.id) into moved from followed f;
  perform private.tell_of_alerts(moved);
  return null;
end
$$;
create trigger welfare_checks_follow after update on public.shifts
  for each row when (old.site_id <> new.site_id) execute function private.move_welfare_checks();

-- Another interval counts from now on: checks that nobody was asked about are made again by it, or not at all.
create function private.remake_welfare_checks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.welfare_checks c
  where c.asked_at is null and c.answered_at is null
    and case tg_table_name when 'sites' then c.site_id = new.id
      else c.shift_id in (select s.id from public.shifts s where s.post_id = new.id) end;
  return null;
end
$$;
create trigger welfare_checks_follow after update on public.sites
  for each row when (old.welfare_every_minutes is distinct from new.welfare_every_minutes)
  execute function private.remake_welfare_checks();
create trigger welfare_checks_follow after update on public.posts
  for each row when (old.lone_worker <> new.lone_worker) execute function private.remake_welfare_checks();

revoke all on function private.remake_welfare_checks, private.move_welfare_checks from public;
