-- Shifts as planners look at them: with their site, how many guards are on them, and what follows from it.

-- Runs with the caller's rights: the policies of shifts, sites and assignments decide.
create view public.shift_board with (security_invoker = true) as
  select s.id, s.site_id, t.name as site_name, t.client_name, t.timezone, s.start_time, s.end_time,
    s.required_headcount, s.notes, s.updated_at, work.assigned, work.attended,
    case
      when work.assigned >= s.required_headcount then 'full'
      when work.assigned > 0 then 'partial'
      else 'none'
    end as staffing
  from public.shifts s
  join public.sites t on t.id = s.site_id
  cross join lateral (
    select count(*)::integer as assigned,
      count(*) filter (where a.attendance_state <> 'none')::integer as attended
    from public.assignments a
    where a.shift_id = s.id and a.status <> 'cancelled'
  ) work;

comment on column public.shift_board.id is 'Never null';
comment on column public.shift_board.site_id is 'Never null';
comment on column public.shift_board.site_name is 'Never null';
comment on column public.shift_board.client_name is 'Never null';
comment on column public.shift_board.timezone is 'Never null';
comment on column public.shift_board.start_time is 'Never null';
comment on column public.shift_board.end_time is 'Never null';
comment on column public.shift_board.required_headcount is 'Never null';
comment on column public.shift_board.updated_at is 'Never null';
comment on column public.shift_board.assigned is 'Never null: guards on the shift, cancelled assignments left out';
comment on column public.shift_board.attended is 'Never null: how many of them have clocked in';
comment on column public.shift_board.staffing is 'Never null: full, partial or none';
revoke all on public.shift_board from anon, authenticated, service_role;
grant select on public.shift_board to authenticated;

-- How many shifts start from p_from on and before p_to (both optional), and how many guards they have and need; narrowed
-- as the list is: to a site, a staffing, and words that must each occur in the site, its client or the notes.
create function public.shift_totals(
  p_from timestamptz default null, p_to timestamptz default null, p_site_id uuid default null,
  p_staffing text default null, p_search text default ''
) returns table (shifts integer, assigned integer, required integer)
language sql stable set search_path = '' as $$
  select count(*)::integer, coalesce(sum(b.assigned), 0)::integer, coalesce(sum(b.required_headcount), 0)::integer
  from public.shift_board b
  where b.start_time >= coalesce(p_from, '-infinity') and b.start_time < coalesce(p_to, 'infinity')
    and (p_site_id is null or b.site_id = p_site_id)
    and (p_staffing is null or b.staffing = p_staffing)
    and (coalesce(p_search, '') = '' or not exists (
      select from regexp_split_to_table(lower(p_search), '\s+') word
      where strpos(lower(concat_ws(' ', b.site_name, b.client_name, b.notes)), word) = 0
    ));
$$;

revoke all on function public.shift_totals(timestamptz, timestamptz, uuid, text, text) from public, anon;
grant execute on function public.shift_totals(timestamptz, timestamptz, uuid, text, text) to authenticated;
