-- Leave: requested by the user, decided once by someone else.
create table public.leave_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  type text not null
    check (type in ('annual', 'sick', 'emergency', 'unpaid', 'maternity', 'paternity', 'bereavement')),
  start_date date not null,
  end_date date not null,
  reason text not null check (char_length(reason) <= 2000),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  decision_note text check (char_length(decision_note) <= 2000),
  decided_by uuid references public.profiles (id) on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A single day starts and ends on the same date.
  constraint leave_requests_end_not_before_start check (end_date >= start_date)
);
comment on column public.leave_requests.decided_by is 'Derived: who approved or rejected it';
comment on column public.leave_requests.decided_at is 'Derived: when it was decided';

create index leave_requests_user_id_idx on public.leave_requests (user_id, start_date desc);
create index leave_requests_status_idx on public.leave_requests (status, start_date);
create index leave_requests_start_date_idx on public.leave_requests (start_date desc);
create index leave_requests_decided_by_idx on public.leave_requests (decided_by);

select private.tidy_texts_of('public.leave_requests', 'reason', 'decision_note');
create trigger d_touch before update on public.leave_requests
  for each row execute function private.touch();
select private.keep_history_of('public.leave_requests');

alter table public.leave_requests enable row level security;
revoke all on public.leave_requests from anon, authenticated;
grant select on public.leave_requests to authenticated;
grant insert (id, user_id, type, start_date, end_date, reason, status) on public.leave_requests to authenticated;
grant update (status, decision_note) on public.leave_requests to authenticated;

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

alter publication supabase_realtime add table public.leave_requests;
alter table public.leave_requests replica identity full;

-- How many days ago sick leave may have begun. shared/time-limits.ts has the same number for the form;
-- tests/rules/time-limits.test.ts compares them.
create function private.sick_leave_days_back() returns integer
language sql immutable set search_path = ''
return 7;

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

create trigger c_start before insert on public.leave_requests
  for each row execute function private.check_leave_start();

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
    if new.decision_note is distinct from old.decision_note
      or new.status not in (old.status, 'cancelled')
    then
      raise exception 'You can''t decide your own leave. You can only cancel it.'
        using errcode = 'insufficient_privilege';
    end if;
    if new.status <> old.status and not (
      old.status = 'pending' or old.status = 'approved' and old.start_date > private.company_date()
    ) then
      raise exception 'Leave that was % and has begun can''t be cancelled.', old.status
        using errcode = 'PT409';
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

create trigger c_rules before update on public.leave_requests
  for each row execute function private.check_leave_decision();

-- Approves, rejects or cancels as the caller: the policies decide. Only approved leave can be cancelled this way, and
-- only with a note, which the requester reads.
create function public.decide_leave(p_id uuid, p_status text, p_note text default null)
returns public.leave_requests
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
  where l.id = p_id and l.status = must_be
  returning * into decided;
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

-- Whether this guard has approved leave on a day of the company that the work touches.
create function private.is_on_leave(person uuid, work tstzrange) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.leave_requests l, private.days_of(work) worked
    where l.user_id = person and l.status = 'approved'
      and l.start_date < upper(worked) and l.end_date >= lower(worked)
  );
$$;

revoke all on all functions in schema private from public;
grant execute on function private.sick_leave_days_back to authenticated;
revoke all on function public.decide_leave from public, anon;
grant execute on function public.decide_leave to authenticated;
