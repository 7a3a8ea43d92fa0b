-- Assignments follow the rules, for every writer; the time between two of one guard is an exclusion constraint.
alter table public.assignments
  add column if not exists rest_span tstzrange,
  add constraint assignments_rest_contains_period check (rest_span @> period);
comment on column public.assignments.rest_span is
  'Derived: the period and half of the rest on each side, less where an override lets the neighbour come nearer';

-- What was assigned before keeps its places: where two are nearer than the rest, they share what is between them.
update public.assignments a set rest_span = near.span
from (
  select o.id, tstzrange(
    lower(o.period) - least(interval '6 hours', (lower(o.period) - lag(upper(o.period)) over work) / 2),
    upper(o.period) + least(interval '6 hours', (lead(lower(o.period)) over work - upper(o.period)) / 2)
  ) as span
  from public.assignments o where o.status <> 'cancelled'
  window work as (partition by o.user_id order by o.period)
) near
where near.id = a.id;

alter table public.assignments
  add constraint assignments_leave_rest
    exclude using gist (user_id with =, rest_span with &&) where (status <> 'cancelled');

-- Leaves out secrets, and values that follow from another recorded change.
create or replace function private.without_secrets(record jsonb) returns jsonb
language sql immutable parallel safe
return record - array['password', 'encrypted_password', 'secret', 'token', 'updated_at', 'attendance_state',
  'on_leave', 'counts_as_staffed', 'rest_span'];

-- Derives site, period, leave and rest, and refuses every writer what the rules forbid. Definer, because planners
-- can't read every table that it reads. It runs before the policies: callers who don't plan the site learn only about
-- themselves. A changed status alone is not checked again; a new assignment, another guard or shift, a moved shift,
-- another reason and the end of a cancellation are.
create or replace function private.check_assignment() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts;
  zone text;
  duties tstzrange[];
  rest_before timestamptz;
  rest_after timestamptz;
  half interval;
  broken jsonb;
  is_checked boolean := true;
  is_moved boolean := false;
  may_override boolean;
  overrider uuid;
  refusal text;
begin
  -- The lock keeps the shift's times unchanged until this assignment is inserted.
  select * into shift from public.shifts s where s.id = new.shift_id for share;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  new.site_id := shift.site_id;
  -- A guard who joins later is on duty from then on, under every rule below.
  if new.joins_at > shift.start_time and new.joins_at < shift.end_time then
    shift.start_time := new.joins_at;
  end if;
  new.period := tstzrange(shift.start_time, shift.end_time);
  new.override_reason := nullif(btrim(new.override_reason), '');
  if tg_op = 'INSERT' then
    -- A load without a caller sets it itself, which saves an update per attendance record.
    if auth.role() is not null then
      new.attendance_state := 'none';
    end if;
    new.overridden_rules := '{}';
    new.overridden_by := null;
  else
    if old.attendance_state <> 'none' and (new.shift_id, new.user_id) is distinct from (old.shift_id, old.user_id) then
      raise exception 'The guard has already clocked in, so this assignment can''t be given to someone else.'
        using errcode = 'PT409';
    end if;
    is_moved := (new.shift_id, new.user_id, new.override_reason)
      is not distinct from (old.shift_id, old.user_id, old.override_reason);
    is_checked := not is_moved or old.status = 'cancelled' or (new.site_id, new.period) <> (old.site_id, old.period);
    -- A reason belongs to one guard on one shift.
    if (new.shift_id, new.user_id) is distinct from (old.shift_id, old.user_id)
      and new.override_reason = old.override_reason
    then
      new.override_reason := null;
    end if;
  end if;
  -- Two planners take turns here, so that the second gets the reason and not the name of a constraint. A decision
  -- about the guard's leave takes the same lock, so that neither misses the other.
  if new.status <> 'cancelled' then
    perform pg_advisory_xact_lock(hashtextextended(new.user_id::text, 0));
  end if;
  new.on_leave := private.is_on_leave(new.user_id, new.period);
  if new.status = 'cancelled' then
    new.rest_span := null;
    return new;
  end if;
  if not is_checked then
    return new;
  end if;

  select s.time_zone into zone from private.settings s;
  select array_agg(a.period), max(upper(coalesce(a.rest_span, a.period))) filter (where a.period << new.period),
    min(lower(coalesce(a.rest_span, a.period))) filter (where a.period >> new.period)
  into duties, rest_before, rest_after
  from public.assignments a
  where a.user_id = new.user_id and a.id <> new.id and a.status <> 'cancelled'
    and a.period && tstzrange(shift.start_time - interval '15 days', shift.end_time + interval '15 days');
  half := make_interval(secs => (
    private.rules_on((shift.start_time at time zone zone)::date)).min_rest_hours::double precision * 1800);
  new.rest_span := tstzrange(
    least(lower(new.period), greatest(lower(new.period) - half, rest_before)),
    greatest(upper(new.period), least(upper(new.period) + half, rest_after))
  );

  select jsonb_agg(to_jsonb(p)) into broken from (
    select d.* from private.duty_problems(new.user_id, shift.start_time, shift.end_time, duties, zone) d
    union all
    select e.* from private.eligibility_problems(new.user_id, shift) e
  ) p;
  if broken is not null then
    overrider := auth.uid();
    may_override := overrider is null or private.may_oversee(shift.site_id);
    if not may_override and new.override_reason is not null then
      -- The draft's author overrides, even if somebody else publishes.
      select c.created_by into overrider
      from public.roster_changes c join public.user_roles r on r.user_id = c.created_by
      where c.shift_id = new.shift_id and c.user_id = new.user_id and c.change = 'assign'
        and c.override_reason = new.override_reason and (
          r.role in ('admin', 'ops_manager') and r.site_id is null
          or r.role = 'supervisor' and coalesce(r.site_id = shift.site_id, true)
        )
      limit 1;
      may_override := found;
    end if;
  end if;
  if broken is null then
    new.override_reason := null;
    new.overridden_rules := '{}';
    new.overridden_by := null;
  elsif is_moved then
    -- An override goes along with its shift, and what was broken before and is no worse now stays as it is.
    new.overridden_rules := array(
      select r from unnest(old.overridden_rules) r
      where broken @> jsonb_build_array(jsonb_build_object('rule', r))
    );
    select jsonb_agg(p) into broken from jsonb_array_elements(broken) p
    where not (p -> 'can_override')::boolean or not (
      p ->> 'rule' = any (old.overridden_rules)
      or old.status <> 'cancelled' and exists (
        select from private.duty_problems(new.user_id, lower(old.period), upper(old.period), duties, zone) d
        where d.rule = p ->> 'rule' and d.message = p ->> 'message'
      )
    );
  elsif new.override_reason is not null and may_override and not broken @> '[{"can_override": false}]' then
    new.overridden_rules := array(select distinct p ->> 'rule' from jsonb_array_elements(broken) p order by 1);
    new.overridden_by := overrider;
    broken := null;
  end if;
  if broken is null then
    if rest_before > lower(new.period) or rest_after < upper(new.period) then
      -- Neighbours that are nearer than half of their rest give way.
      update public.assignments a set rest_span = tstzrange(
        case when a.period >> new.period then greatest(lower(a.rest_span), upper(new.period))
          else lower(a.rest_span) end,
        case when a.period << new.period then least(upper(a.rest_span), lower(new.period))
          else upper(a.rest_span) end
      )
      where a.user_id = new.user_id and a.id <> new.id and a.status <> 'cancelled' and a.rest_span && new.period;
    end if;
    return new;
  end if;
  if auth.uid() <> new.user_id and not private.may_plan(shift.site_id) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  refusal := coalesce(
    (select nullif(p.full_name, '') from public.profiles p where p.id = new.user_id), 'This guard');
  if broken @> '[{"rule": "overlap"}]' then
    select format('%s is already on an overlapping shift, %s to %s.', refusal,
      private.time_text(lower(d), s.timezone), private.time_text(upper(d), s.timezone)) into refusal
    from unnest(duties) d, public.sites s where d && new.period and s.id = shift.site_id limit 1;
  else
    select format('%s can''t work this shift: %s.', refusal, string_agg(p ->> 'message', '; ')) into refusal
    from jsonb_array_elements(broken) p;
  end if;
  raise exception '%', refusal using
    errcode = case when broken @> '[{"rule": "overlap"}]' or broken @> '[{"rule": "rest"}]'
      then 'exclusion_violation' else 'check_violation' end,
    detail = broken::text,
    hint = case
      when broken @> '[{"can_override": false}]' then ''
      when may_override then 'Assign the guard with a reason to override this.'
      else 'A supervisor, an operations manager or an admin can override this with a reason.'
    end;
end
$$;

drop trigger c_rules_of_changes on public.assignments;
create trigger c_rules_of_changes before update on public.assignments
  for each row when (
    (old.shift_id, old.user_id, old.status, old.site_id, old.period, old.override_reason)
    is distinct from (new.shift_id, new.user_id, new.status, new.site_id, new.period, new.override_reason)
  )
  execute function private.check_assignment();

revoke all on all functions in schema private from public;
