-- Leave: asked for by the person, decided by somebody else, once.
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
comment on column public.leave_requests.decided_at is 'Derived: when it was approved or rejected';

create index leave_requests_user_id_idx on public.leave_requests (user_id, start_date desc);
create index leave_requests_status_idx on public.leave_requests (status, start_date);
create index leave_requests_start_date_idx on public.leave_requests (start_date desc);
create index leave_requests_decided_by_idx on public.leave_requests (decided_by);

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
      raise exception 'Nobody decides their own leave. It can only be cancelled.'
        using errcode = 'insufficient_privilege';
    end if;
    if new.status <> old.status and not (
      old.status = 'pending' or old.status = 'approved' and old.start_date > private.company_date()
    ) then
      raise exception 'Leave that was % and has begun or is over can''t be cancelled.', old.status
        using errcode = 'PT409';
    end if;
    return new;
  end if;
  if new.status <> old.status then
    if old.status <> 'pending' and not (old.status = 'approved' and new.status = 'cancelled') then
      raise exception 'This request was already %.', old.status using errcode = 'PT409';
    end if;
    if new.status = 'pending' then
      raise exception 'A request is pending until it is decided.' using errcode = 'check_violation';
    end if;
    new.decided_by := me;
    new.decided_at := now();
  end if;
  return new;
end
$$;
revoke all on function private.check_leave_decision() from public;

select private.tidy_texts_of('public.leave_requests', 'reason', 'decision_note');
create trigger c_rules before update on public.leave_requests
  for each row execute function private.check_leave_decision();
create trigger d_touch before update on public.leave_requests
  for each row execute function private.touch();
select private.keep_history_of('public.leave_requests');

alter table public.leave_requests enable row level security;
revoke all on public.leave_requests from anon, authenticated;
grant select on public.leave_requests to authenticated;
grant insert (id, user_id, type, start_date, end_date, reason, status)
  on public.leave_requests to authenticated;
grant update (status, decision_note) on public.leave_requests to authenticated;

create policy "Those who look after people read leave requests" on public.leave_requests
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Members read their own leave requests" on public.leave_requests
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members ask for their own leave, which starts as pending" on public.leave_requests
  for insert to authenticated
  with check (user_id = (select auth.uid()) and status = 'pending' and (select private.is_member()));
create policy "Those who look after people decide leave" on public.leave_requests
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'hr')))
  with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Members cancel their own leave" on public.leave_requests
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()))
  with check (user_id = (select auth.uid()) and (select private.is_member()));

alter publication supabase_realtime add table public.leave_requests;
