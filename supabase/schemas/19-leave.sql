-- Leave requests and entitlement.

-- ── Tables ────────────────────────────────────────────────────────────

-- Leave: requested by the user, decided once by someone else.
create table public.leave_requests (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  type text not null check (type in ('annual', 'sick', 'emergency', 'unpaid', 'maternity', 'paternity', 'bereavement')),
  start_date date not null,
  end_date date not null,
  reason text not null check (char_length(reason) <= 2000),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  decision_note text check (char_length(decision_note) <= 2000),
  decided_by uuid references public.profiles on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  entered_by uuid references public.profiles on delete set null,
  -- A single day starts and ends on the same date.
  constraint leave_requests_end_not_before_start check (end_date >= start_date)
);
comment on column public.leave_requests.decided_by is 'Derived: who approved or rejected it';
comment on column public.leave_requests.decided_at is 'Derived: when it was decided';
comment on column public.leave_requests.entered_by
  is 'Derived: who entered the request of somebody who phoned in; null if the requester did';
create index leave_requests_user_id_idx on public.leave_requests (user_id, start_date desc);
create index leave_requests_status_idx on public.leave_requests (status, start_date);
create index leave_requests_start_date_idx on public.leave_requests (start_date desc);
create index leave_requests_decided_by_idx on public.leave_requests (decided_by);
create index leave_requests_entered_by_idx on public.leave_requests (entered_by);
create index leave_requests_reasons_idx on public.leave_requests (end_date)
  where coalesce(nullif(reason, ''), decision_note) is not null;
create index leave_requests_waiting_idx
  on public.leave_requests ((case when status = 'pending' then start_date end), start_date desc, id);
alter table public.leave_requests replica identity full;
alter publication supabase_realtime add table public.leave_requests;
-- When a row is written, in this order:
--   1 y_locked_truncate     nothing of a locked timesheet can be emptied
--   2 a_tidy_text
--   3 b_stamp_entry         who entered it for somebody else
--   4 c_one_leave_a_day     no two leaves on a day, but those that may interrupt each other
--   5 c_rules               who decides and who cancels, until when
--   6 c_start               earliest first day
--   7 d_touch
--   8 y_locked              refuses what changes a locked timesheet
--   9 assignments_follow_*  seats of these days count, or no longer count, as staffed
--  10 notify_of_decision    the person learns the decision
--  11 history_of_*          activity log
--  12 time_follows_*        hours of these days are computed again
create trigger y_locked_truncate before truncate on public.leave_requests
  for each statement execute function private.refuse_truncate_while_locked();
select private.tidy_texts_of('public.leave_requests', 'reason', 'decision_note');
create trigger b_stamp_entry before insert on public.leave_requests
  for each row execute function private.stamp_entry('user_id');
create trigger c_one_leave_a_day before insert or update on public.leave_requests
  for each row when (new.status in ('pending', 'approved')) execute function private.refuse_overlapping_leave();
create trigger c_rules before update on public.leave_requests
  for each row execute function private.check_leave_decision();
create trigger c_start before insert on public.leave_requests for each row execute function private.check_leave_start();
create trigger d_touch before update on public.leave_requests for each row execute function private.touch();
create trigger y_locked before insert or update or delete on public.leave_requests
  for each row execute function private.keep_locked_leave();
create trigger assignments_follow_leave after update on public.leave_requests
  for each row when ( (old.status = 'approved' or new.status = 'approved')
      and (old.status, old.user_id, old.start_date, old.end_date) is distinct
      from (new.status, new.user_id, new.start_date, new.end_date) )
  execute function private.follow_leave();
create trigger assignments_follow_new_leave after insert on public.leave_requests
  for each row when (new.status = 'approved') execute function private.follow_leave();
create trigger assignments_follow_removed_leave after delete on public.leave_requests
  for each row when (old.status = 'approved') execute function private.follow_leave();
create trigger notify_of_decision after update on public.leave_requests
  for each row when (new.status <> old.status) execute function private.tell_of_decided_leave();
select private.keep_history_of('public.leave_requests');
create trigger time_follows_deletes after delete on public.leave_requests referencing old table as old_rows
  for each statement
  execute function private.follow_fact('id, user_id, type, start_date, end_date, status = ''approved'' as is_on',
    'case when r.is_on then r.user_id end, r.start_date, case when r.type = ''sick''
    then (date_trunc(''year'', r.end_date::timestamp) + interval ''1 year'')::date - 1 else r.end_date end');
create trigger time_follows_inserts after insert on public.leave_requests referencing new table as new_rows
  for each statement
  execute function private.follow_fact('id, user_id, type, start_date, end_date, status = ''approved'' as is_on',
    'case when r.is_on then r.user_id end, r.start_date, case when r.type = ''sick''
    then (date_trunc(''year'', r.end_date::timestamp) + interval ''1 year'')::date - 1 else r.end_date end');
create trigger time_follows_updates after update on public.leave_requests
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function private.follow_fact('id, user_id, type, start_date, end_date, status = ''approved'' as is_on',
    'case when r.is_on then r.user_id end, r.start_date, case when r.type = ''sick''
    then (date_trunc(''year'', r.end_date::timestamp) + interval ''1 year'')::date - 1 else r.end_date end');
alter table public.leave_requests enable row level security;
grant
  select, insert (id, user_id, type, start_date, end_date, reason, status), update (status, decision_note)
  on public.leave_requests to authenticated;
create policy "People managers read leave requests" on public.leave_requests
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Members read their own leave requests" on public.leave_requests
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members request their own leave, which starts as pending" on public.leave_requests
  for insert to authenticated
  with check (user_id = (select auth.uid()) and status = 'pending' and (select private.is_member()));
create policy "People managers decide leave" on public.leave_requests
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'hr')))
  with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Members cancel their own leave" on public.leave_requests
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()))
  with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "People managers enter leave of others, which starts as pending" on public.leave_requests
  for insert to authenticated
  with check (
    status = 'pending' and entered_by = (select auth.uid())
    and (select private.has_role('admin', 'ops_manager', 'hr'))
  );

create view public.leave_overview with (security_invoker = true) as
  select l.id, l.user_id, coalesce(nullif(p.full_name, ''), p.email, '') as person_name, l.type,
    l.start_date, l.end_date, l.end_date - l.start_date + 1 as days, l.reason, l.status, l.decision_note, l.decided_at,
    coalesce(nullif(d.full_name, ''), d.email) as decided_by_name, l.created_at, l.updated_at,
    case when l.status = 'pending' then l.start_date end as waits_for,
    coalesce(nullif(e.full_name, ''), e.email) as entered_by_name
  from public.leave_requests l
  left join public.profiles p on p.id = l.user_id
  left join public.profiles d on d.id = l.decided_by left join public.profiles e on e.id = l.entered_by;
select private.mark_never_null('public.leave_overview',
  'id', 'user_id', 'person_name', 'type', 'start_date', 'end_date', 'reason', 'status', 'created_at', 'updated_at');
comment on column public.leave_overview.days is 'Never null: calendar days, both ends included';
comment on column public.leave_overview.waits_for
  is 'First day of a pending request, so that a list can start with the most urgent';
revoke all on public.leave_overview from service_role;
grant select on public.leave_overview to authenticated;

-- ── Functions ─────────────────────────────────────────────────────────

-- Users only cancel their own leave, and approved leave only before it begins. Others decide it once, and give a reason
-- when they cancel it.
create function private.check_leave_decision() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  is_own boolean := me = old.user_id;
begin
  new.decided_by := old.decided_by;
  new.decided_at := old.decided_at;
  if me is null then
    return new;
  end if;
  if is_own then
    if new.decision_note is distinct from old.decision_note or new.status not in (old.status, 'cancelled') then
      raise exception 'You can''t decide your own leave. You can only cancel it.'
        using errcode = 'insufficient_privilege';
    end if;
    if new.status <> old.status and not (
      old.status = 'pending' or old.status = 'approved' and old.start_date > private.company_date()
    ) then
      raise exception 'Leave that was % and has begun can''t be cancelled.', old.status using errcode = 'PT409';
    end if;
    return new;
  end if;
  if new.status <> old.status then
    if old.status <> 'pending' and not (old.status = 'approved' and new.status = 'cancelled') then
      raise exception 'This request was already %.', old.status using errcode = 'PT409';
    end if;
    if new.status = 'pending' then
      raise exception 'A decided request can''t be pending again.' using errcode = 'check_violation';
    end if;
    -- The note of the approval is not a reason for cancelling.
    if new.status = 'cancelled' and (
      new.decision_note is null or old.status = 'approved' and new.decision_note = old.decision_note
    ) then
      raise exception 'Give a reason for cancelling the leave.' using errcode = 'check_violation';
    end if;
    new.decided_by := me;
    new.decided_at := now();
  elsif old.status = 'cancelled' and old.decision_note is not null and new.decision_note is null then
    raise exception 'Cancelled leave keeps its reason.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- How many days ago sick leave may have begun; the form's limit is generated from it.
create function private.sick_leave_days_back() returns integer language sql immutable set search_path = '' return 7;
grant execute on function private.sick_leave_days_back to authenticated;

-- Sick leave may be requested some days after it began; other leave starts today at the earliest.
create function private.check_leave_start() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- Without a caller, earlier requests are being loaded.
  if auth.uid() is null then
    return new;
  end if;
  if new.type = 'sick' and new.start_date < private.company_date() - private.sick_leave_days_back() then
    raise exception 'Sick leave may start up to % days back', private.sick_leave_days_back()
      using errcode = 'check_violation';
  end if;
  if new.type <> 'sick' and new.start_date < private.company_date() then
    raise exception 'Start date must not be in the past' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- Whether this guard has approved leave on a day of the company that the work touches.
create function private.is_on_leave(person uuid, work tstzrange) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.leave_requests l, private.days_of(work) worked
    where l.user_id = person and l.status = 'approved'
      and l.start_date < upper(worked) and l.end_date >= lower(worked)
  );
$$;

-- Approved leave that begins, ends, moves or is removed updates the guard's assignments of those days.
create function private.follow_leave() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
begin
  -- In order of id, so that two callers never deadlock.
  for person in
    select distinct p.id from unnest(array[old.user_id, new.user_id]) p (id) where p.id is not null order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended(person::text, 0));
    update public.assignments a set on_leave = not a.on_leave
    where a.user_id = person and a.on_leave <> private.is_on_leave(a.user_id, a.period);
  end loop;
  return null;
end
$$;

-- As shared/leave-entitlement.ts has it.
create function private.interrupts_leave(p_type text, p_other text) returns boolean
language sql immutable set search_path = ''
return coalesce(p_type in ('sick', 'bereavement') and p_other = 'annual', false);

create function private.refuse_overlapping_leave() returns trigger
language plpgsql security definer set search_path = '' as $$
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

create function private.tell_of_decided_leave() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() is not null and new.user_id is distinct from auth.uid() then
    perform private.notify(new.user_id, 'leave', 'Leave ' || new.status,
      concat_ws(e'\n',
        format('%s leave, %s', initcap(new.type), case
          when new.start_date = new.end_date then to_char(new.start_date, 'Mon FMDD')
          else to_char(new.start_date, 'Mon FMDD') || ' to ' || to_char(new.end_date, 'Mon FMDD')
        end),
        new.decision_note
      ),
      '/staff/me', format('leave %s %s', new.status, new.id));
  end if;
  return null;
end
$$;

-- Approves, rejects or cancels as the caller: the policies decide. Only approved leave can be cancelled this way, and
-- only with a note, which the requester reads.
create function public.decide_leave(p_id uuid, p_status text, p_note text default null) returns public.leave_requests
language plpgsql set search_path = '' as $$
declare
  decided public.leave_requests;
  must_be text := case when p_status = 'cancelled' then 'approved' else 'pending' end;
begin
  if p_status is null or p_status not in ('approved', 'rejected', 'cancelled') then
    raise exception 'Leave is approved, rejected or cancelled.' using errcode = 'check_violation';
  end if;
  if p_status = 'cancelled' and coalesce(btrim(p_note), '') = '' then
    raise exception 'Give a reason for cancelling the leave.' using errcode = 'check_violation';
  end if;
  update public.leave_requests l set status = p_status, decision_note = p_note
  where l.id = p_id and l.status = must_be returning * into decided;
  if found then
    return decided;
  end if;
  select * into decided from public.leave_requests l where l.id = p_id;
  if not found then
    raise exception 'There is no such leave request.' using errcode = 'PT404';
  end if;
  if decided.status = must_be then
    raise exception 'You don''t decide leave requests.' using errcode = 'insufficient_privilege';
  end if;
  if decided.status = 'pending' then
    raise exception 'This request is still pending. Approve or reject it.' using errcode = 'PT409';
  end if;
  raise exception 'This request was already %.', decided.status using errcode = 'PT409';
end
$$;
grant execute on function public.decide_leave to authenticated;

-- Colleagues who are on leave at the same time, or have requested it: those who work at the same sites during the leave
-- or in the four weeks before.
create function public.leave_colleagues(p_id uuid)
returns table (
  leave_id uuid, person_name text, type text, status text, start_date date, end_date date, site_names text[]
)
language sql stable set search_path = '' as $$
  with asked as materialized (
    select l.user_id, l.start_date, l.end_date,
      private.company_midnight(l.start_date - 28) as since, private.company_midnight(l.end_date + 1) as until
    from public.leave_requests l where l.id = p_id
  ), own_sites as materialized (
    select distinct a.site_id
    from asked join public.assignments a
      on a.user_id = asked.user_id and a.status <> 'cancelled'
        and a.starts_at >= asked.since and a.starts_at < asked.until
  )
  select l.id, coalesce(nullif(p.full_name, ''), p.email, ''), l.type, l.status, l.start_date, l.end_date, shared.names
  from asked
  join public.leave_requests l on l.user_id <> asked.user_id and l.status in ('approved', 'pending')
    and l.start_date <= asked.end_date and l.end_date >= asked.start_date
  left join public.profiles p on p.id = l.user_id
  cross join lateral (
    select array_agg(distinct s.name order by s.name) as names
    from public.assignments a
    join own_sites o on o.site_id = a.site_id
    join public.sites s on s.id = a.site_id
    where a.user_id = l.user_id and a.status <> 'cancelled' and a.starts_at >= asked.since and a.starts_at < asked.until
  ) shared
  where shared.names is not null order by l.status, l.start_date, 2;
$$;
grant execute on function public.leave_colleagues to authenticated;

-- Stores a note for the next guard, once per id.
create function public.leave_note(p_id uuid, p_assignment_id uuid, p_note text, p_written_at timestamptz default now())
returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts := private.own_handover_place(p_assignment_id);
  note text := nullif(btrim(p_note), '');
begin
  if p_id is null or note is null or char_length(note) > 1000 or isfinite(p_written_at) is false then
    raise exception 'A note has up to 1,000 characters and a time.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.handover_notes (id, site_id, post_id, assignment_id, user_id, note, written_at)
  values (p_id, shift.site_id, shift.post_id, p_assignment_id, auth.uid(), note,
    least(coalesce(p_written_at, now()), now()))
  on conflict (id) do nothing;
  if not exists (select from public.handover_notes n where n.id = p_id and n.user_id = auth.uid()) then
    raise exception 'This id belongs to another note.' using errcode = 'unique_violation';
  end if;
  return p_id;
end
$$;
grant execute on function public.leave_note to authenticated;

-- The requester's assignments during the leave, with the headcount of each shift without them.
create function public.leave_shifts(p_id uuid)
returns table (
  assignment_id uuid, shift_id uuid, site_name text, timezone text, start_time timestamptz, end_time timestamptz,
  required integer, staffed_without integer
)
language sql stable set search_path = '' as $$
  select a.id, b.id, b.site_name, b.timezone, b.start_time, b.end_time, b.required_headcount,
    b.assigned - case when a.counts_as_staffed then 1 else 0 end
  from public.leave_requests l
  join public.assignments a on a.user_id = l.user_id and a.status in ('assigned', 'confirmed', 'completed')
  cross join lateral private.days_of(a.period) worked
  join public.shift_board b on b.id = a.shift_id
  where l.id = p_id and l.start_date < upper(worked) and l.end_date >= lower(worked) order by b.start_time, b.id;
$$;
grant execute on function public.leave_shifts to authenticated;

-- How many seats of shifts to come become empty if all of these requests are approved, and at how many sites. Runs as
-- the caller.
create function public.seats_lost_to_leave(p_ids uuid[]) returns table (seats integer, sites integer)
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_many(p_ids);
  return query
  with lost as (
    select a.shift_id, count(distinct a.id) as guards
    from public.leave_requests l
    join public.assignments a on a.user_id = l.user_id and a.counts_as_staffed and a.starts_at > now()
    cross join lateral private.days_of(a.period) worked
    where l.id = any (p_ids) and l.start_date < upper(worked) and l.end_date >= lower(worked)
    group by a.shift_id
  ),
  shift as (
    select s.site_id, least(o.guards, s.required_headcount - (
        select count(*) from public.assignments a where a.shift_id = s.id and a.counts_as_staffed
      ) + o.guards) as empty
    from lost o join public.shifts s on s.id = o.shift_id
  )
  select coalesce(sum(s.empty), 0)::integer, count(distinct s.site_id)::integer from shift s where s.empty > 0;
end
$$;
grant execute on function public.seats_lost_to_leave to authenticated;

-- Clocking out earlier than this before the end of the shift is flagged.
create function private.early_leave_margin() returns interval
language sql immutable set search_path = '' return interval '15 minutes';
