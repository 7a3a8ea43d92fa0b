-- What people decide about computed time: minutes outside the plan, days that a guard disputes, and what reaches a
-- period after it was locked.
create table public.time_decisions (
  id uuid primary key default gen_random_uuid(),
  attendance_id uuid not null references public.attendance (id) on delete cascade,
  user_id uuid not null,
  site_id uuid not null,
  kind text not null check (kind in ('early_arrival', 'stayed_on', 'overtime', 'rest_override')),
  approved boolean not null,
  note text check (char_length(note) <= 1000),
  decided_by uuid references public.profiles (id) on delete set null,
  decided_at timestamptz not null default now(),
  unique (attendance_id, kind)
);
comment on column public.time_decisions.user_id is 'Derived: whose attendance it is';
comment on column public.time_decisions.site_id is 'Derived: the site of the shift';
create index time_decisions_user_id_idx on public.time_decisions (user_id);
create index time_decisions_site_id_idx on public.time_decisions (site_id);
create index time_decisions_decided_by_idx on public.time_decisions (decided_by) where decided_by is not null;

create table public.timesheet_disputes (
  id uuid primary key default gen_random_uuid(),
  timesheet_id uuid not null references public.timesheets (id) on delete cascade,
  user_id uuid not null default auth.uid(),
  day date not null,
  note text not null check (char_length(note) between 3 and 1000),
  status text not null default 'open' check (status in ('open', 'answered')),
  answer text check (char_length(answer) <= 1000),
  answered_by uuid references public.profiles (id) on delete set null,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  constraint timesheet_disputes_answer_with_status check ((status = 'answered') = (answer is not null))
);
create index timesheet_disputes_timesheet_id_idx on public.timesheet_disputes (timesheet_id);
create index timesheet_disputes_user_id_idx on public.timesheet_disputes (user_id, created_at desc);
create index timesheet_disputes_answered_by_idx on public.timesheet_disputes (answered_by)
  where answered_by is not null;
create unique index timesheet_disputes_one_open_per_day on public.timesheet_disputes (timesheet_id, day)
  where status = 'open';
select private.tidy_texts_of('public.time_decisions', 'note');
select private.tidy_texts_of('public.timesheet_disputes', 'note', 'answer');

-- What a locked period learns too late. It is paid, once, with a later period.
create table public.pay_adjustments (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid references public.staff (id) on delete set null,
  user_id uuid references public.profiles (id) on delete cascade,
  kind text not null check (kind in ('correction', 'late_event', 'manual')),
  period_start date not null,
  period_end date not null,
  -- The run that was locked.
  pay_run_id uuid,
  figure_before numeric(14, 2),
  figure_after numeric(14, 2),
  amount numeric(14, 2),
  currency text check (currency in ('USD', 'LRD')),
  minutes integer,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object' and pg_column_size(details) <= 20000),
  explanation text not null check (char_length(explanation) <= 1000),
  status text not null default 'to_decide' check (status in ('to_decide', 'approved', 'rejected')),
  decided_by uuid references public.profiles (id) on delete set null,
  decided_at timestamptz,
  note text check (char_length(note) <= 1000),
  payslip_line_id uuid unique,
  created_at timestamptz not null default now(),
  constraint pay_adjustments_of_someone check (num_nonnulls(staff_id, user_id) > 0),
  constraint pay_adjustments_end_not_before_start check (period_end >= period_start)
);
comment on column public.pay_adjustments.amount is 'Signed: what the person gets more, or less';
create index pay_adjustments_staff_id_idx on public.pay_adjustments (staff_id);
create index pay_adjustments_user_id_idx on public.pay_adjustments (user_id, period_start);
create index pay_adjustments_pay_run_id_idx on public.pay_adjustments (pay_run_id) where pay_run_id is not null;
create index pay_adjustments_decided_by_idx on public.pay_adjustments (decided_by) where decided_by is not null;
create index pay_adjustments_to_decide_idx on public.pay_adjustments (created_at) where status = 'to_decide';
-- The late events of one shift are one adjustment.
create unique index pay_adjustments_one_per_shift on public.pay_adjustments ((details ->> 'assignment_id'))
  where kind = 'late_event';

select private.keep_history_of('public.time_decisions');
select private.keep_history_of('public.timesheet_disputes');
select private.keep_history_of('public.pay_adjustments');
alter table public.time_decisions enable row level security;
alter table public.timesheet_disputes enable row level security;
alter table public.pay_adjustments enable row level security;
revoke all on public.time_decisions, public.timesheet_disputes, public.pay_adjustments from anon, authenticated;
grant select on public.time_decisions, public.timesheet_disputes, public.pay_adjustments to authenticated;
grant insert (id, timesheet_id, day, note) on public.timesheet_disputes to authenticated;

create policy "Overseers, HR and finance read decisions about time" on public.time_decisions
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'hr', 'finance')));
create policy "Supervisors read decisions about time at their own sites" on public.time_decisions
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Members read decisions about their own time" on public.time_decisions
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Readers of a timesheet read its disputes" on public.timesheet_disputes
  for select to authenticated
  using (exists (select from public.timesheets t where t.id = timesheet_id));
create policy "Members dispute days of their own timesheet" on public.timesheet_disputes
  for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Admins and finance read adjustments of pay" on public.pay_adjustments
  for select to authenticated using ((select private.has_role('admin', 'finance')));

alter publication supabase_realtime add table
  public.time_decisions, public.timesheet_disputes, public.pay_adjustments;
alter table public.time_decisions replica identity full;
alter table public.timesheet_disputes replica identity full;

-- A dispute is about a day of the caller's own timesheet that is not locked. Definer, because it reads timesheets.
create function private.check_dispute() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  sheet public.timesheets;
begin
  select * into sheet from public.timesheets t where t.id = new.timesheet_id;
  if not found or sheet.user_id <> new.user_id then
    raise exception 'You can dispute days of your own timesheet only.' using errcode = 'insufficient_privilege';
  end if;
  if new.day not between sheet.period_start and sheet.period_end then
    raise exception 'The day is not in this timesheet.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger c_rules before insert on public.timesheet_disputes
  for each row execute function private.check_dispute();

revoke all on all functions in schema private from public;
