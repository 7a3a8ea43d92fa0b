-- Each day of leave counts once. Requests of one person don't overlap, except that sickness and a bereavement interrupt annual
-- leave: their days take its place, and it gets them back if they are cancelled.

-- As shared/leave-entitlement.ts has it.
create function private.interrupts_leave(p_type text, p_other text) returns boolean
language sql immutable
set search_path = ''
return coalesce(p_type in ('sick', 'bereavement') and p_other = 'annual', false);

create function private.refuse_overlapping_leave() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  other public.leave_requests;
  is_decided boolean := tg_op = 'UPDATE';
begin
  if tg_op = 'UPDATE' then
    if (new.user_id, new.type, new.start_date, new.end_date) is not distinct from
      (old.user_id, old.type, old.start_date, old.end_date)
    then
      if new.status = old.status then
        return new;
      end if;
    else
      is_decided := false;
    end if;
  end if;
  -- Requests of one person take turns, as in private.follow_leave().
  perform pg_advisory_xact_lock(hashtextextended(new.user_id::text, 0));
  select * into other from public.leave_requests l
  where l.user_id = new.user_id and l.id <> new.id and l.start_date <= new.end_date and l.end_date >= new.start_date
    and (l.status = 'approved' or l.status = 'pending' and not is_decided)
    and not private.interrupts_leave(l.type, new.type) and not private.interrupts_leave(new.type, l.type)
  order by l.status, l.start_date limit 1;
  if found then
    raise exception '% leave, %, is already %. %', initcap(other.type),
      case when other.start_date = other.end_date then to_char(other.start_date, 'Mon FMDD, YYYY')
        else private.period_text(other.start_date, other.end_date) end,
      case other.status when 'pending' then 'requested' else 'approved' end,
      case when is_decided then 'Reject this request, or cancel that leave first.'
        else 'Choose other days, or cancel that leave first.' end
      using errcode = 'PT409';
  end if;
  return new;
end
$$;

create trigger c_one_leave_a_day before insert or update on public.leave_requests
  for each row when (new.status in ('pending', 'approved')) execute function private.refuse_overlapping_leave();

-- The approved leave that a day belongs to.
create function private.days_of_leave(p_users uuid[], p_first date, p_last date)
returns table (id uuid, user_id uuid, type text, day date)
language sql stable security definer
set search_path = ''
as $$
  select distinct on (l.user_id, d.day) l.id, l.user_id, l.type, d.day::date
  from public.leave_requests l
  cross join lateral generate_series(
    greatest(l.start_date, p_first)::timestamp, least(l.end_date, p_last)::timestamp, '1 day') d (day)
  where l.user_id = any (p_users) and l.status = 'approved' and l.start_date <= p_last and l.end_date >= p_first
  order by l.user_id, d.day, private.interrupts_leave(l.type, 'annual') desc, l.created_at, l.id;
$$;
revoke all on function private.refuse_overlapping_leave(), private.days_of_leave(uuid[], date, date) from public;

create or replace function private.leave_segments(p_users uuid[], p_first date, p_last date, p_extra jsonb DEFAULT NULL::jsonb)
 RETURNS SETOF private.time_piece
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
as $$
declare
  zone text := (select s.time_zone from private.settings s);
  holidays date[] := array(
    select h.day from private.holidays_between(date_trunc('year', p_first::timestamp)::date, p_last) h);
begin
  return query
  with leave_days as (
    select l.*, r.rule as by, l.day::timestamp at time zone zone as begins, (l.day + 1)::timestamp at time zone zone as ends
    from private.days_of_leave(p_users, p_first, p_last) l
    join private.time_rule_days() r on l.day >= r.first and l.day < r.until
  ), wanted as (
    select d.*, coalesce(planned.times, case
      when extract(isodow from d.day)::integer = any ((d.by).leave_weekdays) and d.day <> all (holidays)
        and (d.by).standard_day_minutes > 0
      then tstzmultirange(tstzrange(
        d.begins + make_interval(mins => least(480, 1440 - (d.by).standard_day_minutes)),
        least(d.ends, d.begins + make_interval(mins => least(480, 1440 - (d.by).standard_day_minutes)
          + (d.by).standard_day_minutes)))) end) as times
    from leave_days d
    cross join lateral (
      select range_agg(tstzrange(date_trunc('minute', greatest(lower(a.period), d.begins)),
        date_trunc('minute', least(upper(a.period), d.ends)))) as times
      from public.assignments a
      where a.user_id = d.user_id and a.status <> 'cancelled' and a.period && tstzrange(d.begins, d.ends)
    ) planned
  ), free as (
    select w.*, unnest(w.times - coalesce((
      select range_agg(tstzrange(s.starts_at, s.ends_at))
      from private.worked_spans(array[w.user_id], w.begins, w.ends, p_extra) s
    ), '{}')) as at
    from wanted w where w.times is not null
  ), judged as (
    select f.*, f.type = any ((f.by).paid_leave_types) and (f.type <> 'sick' or (
      select count(*)
      from private.days_of_leave(array[f.user_id], date_trunc('year', f.day::timestamp)::date, f.day) l
      where l.type = 'sick'
        and (
          extract(isodow from l.day)::integer = any ((f.by).leave_weekdays) and l.day <> all (holidays)
          or exists (
            select from public.assignments a where a.user_id = f.user_id and a.status <> 'cancelled'
              and a.period
                && tstzrange(l.day::timestamp at time zone zone, (l.day + 1)::timestamp at time zone zone)
          )
        )
    ) <= (f.by).sick_paid_days) as is_paid
    from free f
  )
  select j.user_id, j.day, null::uuid, j.id, null::uuid, null::uuid, lower(j.at), upper(j.at),
    case when j.is_paid then 'leave_paid' else 'leave_unpaid' end, 'leave',
    case when j.is_paid then (j.by).leave_rate else 0 end, (j.by).id
  from judged j
  where upper(j.at) > lower(j.at);
end
$$;

