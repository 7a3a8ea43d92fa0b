-- Hours to bill, unbilled sums, margin.

-- ── Tables ────────────────────────────────────────────────────────────

-- Stored sums are those below, and paid_minutes, wage_sums and pay_run_sums of pay runs (24, 25). All work alike: a job
-- makes them (sum_for_margin, check_billed_timesheets); what changes a fact removes the sum, or notes that it is out of
-- date, in its own transaction; readers take the sums that count, and the facts of what has none. So a sum that is
-- missing costs time, and none is ever wrong. tests/rules/platform/stored-sums.test.ts recounts each.

-- Billed minutes of the lines of issued invoices by month. A credited line counts nowhere.
create table private.billed_minutes (
  invoice_line_id uuid not null references public.invoice_lines on delete cascade,
  month date not null,
  minutes bigint not null,
  primary key (invoice_line_id, month)
);
alter table private.billed_minutes enable row level security;

-- Of issued invoices, without credited lines. A credit note deletes those of its invoice.
create table private.billed_sums (
  invoice_id uuid not null references public.invoices on delete cascade,
  client_id uuid not null, -- These are the invoice's, which stays as it was issued.
  currency text not null,
  issued_on date not null,
  period_start date not null,
  period_end date not null,
  site_id uuid,
  month date not null,
  amount numeric not null,
  minutes bigint not null
);
create index billed_sums_invoice_id_idx on private.billed_sums (invoice_id);
alter table private.billed_sums enable row level security;

create table private.settled_invoices (invoice_id uuid primary key references public.invoices on delete cascade);
alter table private.settled_invoices enable row level security;

create table private.summed_invoices (invoice_id uuid primary key references public.invoices on delete cascade);
alter table private.summed_invoices enable row level security;

-- What has changed since the sums were made: each transaction adds what it touches, and the job that sums removes what
-- it has read before. Nobody waits for anybody. An entry names what changed and not the timesheets behind it, because
-- another transaction may be writing one that this one can't see; it is looked up by those who read the sums.
create table private.unbilled_changes (
  id bigint generated always as identity primary key,
  timesheet_id uuid,
  user_id uuid,
  site_id uuid,
  contract_id uuid,
  first_day date not null default '-infinity'::date, -- Of the last three.
  last_day date not null default 'infinity'::date,
  constraint unbilled_changes_check check (num_nonnulls(timesheet_id, user_id, site_id, contract_id) <= 1)
);
alter table private.unbilled_changes enable row level security;

-- What is left to bill of each timesheet in a month of the company. A timesheet has a row for each site, contract and
-- reason, and
-- none if nothing is left. The rows are right unless private.unbilled_changes has an entry that concerns the timesheet.
create table private.unbilled_sums (
  timesheet_id uuid not null references public.timesheets on delete cascade,
  month date not null,
  site_id uuid not null,
  user_id uuid not null,
  contract_id uuid,
  -- As if the timesheet were approved.
  reason text not null check (reason in ('no_contract', 'no_rate', 'month_not_billed', 'not_drafted')),
  minutes integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  attendance_ids uuid[] not null -- Sorted.
);
create index unbilled_sums_timesheet_id_idx on private.unbilled_sums (timesheet_id);
create index unbilled_sums_month_idx on private.unbilled_sums (month, site_id);
create index unbilled_sums_contract_id_idx on private.unbilled_sums (contract_id);
alter table private.unbilled_sums enable row level security;

-- Which minutes of whom are billed or waived. Segments get new ids when time is computed again, so spans are stored: a
-- minute of a person is billed once, until a credit note takes its line back.
create table public.billed_time (
  id uuid default gen_random_uuid() primary key,
  invoice_line_id uuid references public.invoice_lines on delete cascade, -- Null: waived.
  user_id uuid not null, -- No foreign keys to facts, as in time_segments.
  attendance_id uuid,
  shift_id uuid,
  post_id uuid,
  site_id uuid not null,
  span tstzrange not null check (lower(span) < upper(span)),
  minutes integer generated always as (((extract(epoch
    from (upper(span) - lower(span))) / (60)::numeric))::integer) stored not null,
  kind text not null check (kind in ('regular', 'overtime', 'night', 'holiday', 'rest_day')),
  waived_by uuid references public.profiles on delete set null,
  waived_at timestamptz,
  waived_reason text check (char_length(waived_reason) between 1 and 500),
  freed_at timestamptz,
  -- Time that no invoice bills because enough other guards are billed for it. Each drawing of a draft decides it again.
  is_surplus boolean not null default false,
  constraint billed_time_once exclude using gist (user_id with =, span with &&) where (freed_at is null),
  constraint billed_time_billed_or_waived check ((invoice_line_id is null) = (waived_at is not null)
    and (waived_at is null) = (waived_reason is null)),
  constraint billed_time_surplus_is_not_billed check (not is_surplus or waived_at is not null)
);
comment on column public.billed_time.freed_at
  is 'Derived: since then a credit note takes the line back, and these minutes can be billed again';
create index billed_time_invoice_line_id_idx on public.billed_time (invoice_line_id) where invoice_line_id is not null;
create index billed_time_waived_by_idx on public.billed_time (waived_by) where waived_by is not null;
create index billed_time_begin_idx on public.billed_time (lower(span));
create index billed_time_waived_idx on public.billed_time (lower(span)) where waived_at is not null;
-- Triggers, in the order in which they fire:
create trigger c_issued_truncate before truncate on public.billed_time
  for each statement execute function private.keep_issued_time();
create trigger c_issued_deletes after delete on public.billed_time referencing old table as old_rows
  for each statement execute function private.keep_issued_time();
create trigger c_issued_inserts after insert on public.billed_time referencing new table as new_rows
  for each statement execute function private.keep_issued_time();
create trigger c_issued_updates after update on public.billed_time
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.keep_issued_time();
select private.keep_history_of_computed('public.billed_time');
create trigger z_recheck_deletes after delete on public.billed_time referencing old table as changed
  for each statement execute function private.recheck_billed_users();
create trigger z_recheck_inserts after insert on public.billed_time referencing new table as changed
  for each statement execute function private.recheck_billed_users();
create trigger z_recheck_updates after update on public.billed_time
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.recheck_moved_time();
alter table public.billed_time enable row level security;
revoke all on public.billed_time from service_role;
grant select on public.billed_time to authenticated, service_role;
create policy "Admins and finance read which time is billed" on public.billed_time
  for select to authenticated using ((select private.may_bill()));

-- ── Functions ─────────────────────────────────────────────────────────

-- A month begins at the company's midnight.
create function private.forget_sums_by_month() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.billed_minutes;
  delete from private.summed_invoices;
  delete from private.billed_sums;
  delete from private.settled_invoices;
  insert into private.unbilled_changes default values;
  return null;
end
$$;

create function private.forget_billed_sums() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Waits for a sum of this invoice that is computed now.
  perform from public.invoices i where i.id = new.invoice_id for update;
  delete from private.settled_invoices d where d.invoice_id = new.invoice_id;
  delete from private.billed_sums b where b.invoice_id = new.invoice_id;
  return null;
end
$$;

-- A part of a line is credited without a mark on the line.
create function private.forget_sums_of_credited() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched uuid[] := array(
    select distinct l.invoice_id from new_rows n join public.invoice_lines l on l.id = n.invoice_line_id);
begin
  perform from public.invoices i where i.id = any (touched) order by i.id for update;
  delete from private.settled_invoices d where d.invoice_id = any (touched);
  delete from private.billed_sums b where b.invoice_id = any (touched);
  return null;
end
$$;

-- What an issued invoice has billed never changes, for anybody; it is freed together with its line.
create function private.keep_issued_time() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrong boolean;
begin
  if tg_op = 'UPDATE' then
    wrong := exists (
      select from (select o as was, n as became from new_rows n full join old_rows o on o.id = n.id offset 0) c
      left join public.invoice_lines l on l.id = (c.became).invoice_line_id
      where to_jsonb(c.became) - 'freed_at' - 'waived_by' is distinct from to_jsonb(c.was) - 'freed_at' - 'waived_by'
        or (c.became).waived_by is distinct from (c.was).waived_by and (c.became).waived_by is not null
        or (c.became).freed_at is distinct from (c.was).freed_at and (c.became).freed_at is distinct from l.credited_at
    );
  elsif tg_op = 'TRUNCATE' then
    wrong := exists (
      select from public.billed_time b join public.invoice_lines l on l.id = b.invoice_line_id
      join public.invoices i on i.id = l.invoice_id where i.status <> 'draft'
    );
  elsif tg_op = 'INSERT' then
    wrong := exists (
      select from new_rows n join public.invoice_lines l on l.id = n.invoice_line_id
      join public.invoices i on i.id = l.invoice_id where i.status <> 'draft'
    );
  else
    wrong := exists (
      select from old_rows o join public.invoice_lines l on l.id = o.invoice_line_id
      join public.invoices i on i.id = l.invoice_id where i.status <> 'draft'
    );
  end if;
  if wrong then
    raise exception 'These minutes are on an issued invoice. Only a credit note frees them.' using errcode = 'PT409';
  end if;
  return null;
end
$$;

create function private.recheck_billed_users() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes (user_id, first_day, last_day)
  select c.user_id, (min(lower(c.span)) at time zone 'UTC')::date - 2, (max(upper(c.span)) at time zone 'UTC')::date + 2
  from changed c group by c.user_id;
  return null;
end
$$;

-- Without `where is_billed`, as the other updates: it must wait for a check that runs. Of open timesheets there are no
-- rows.
create function private.recheck_changed_segments() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes (timesheet_id) select distinct c.timesheet_id from changed c;
  return null;
end
$$;

create function private.recheck_moved_time() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes (user_id, first_day, last_day)
  select c.user_id, (min(lower(c.span)) at time zone 'UTC')::date - 2, (max(upper(c.span)) at time zone 'UTC')::date + 2
  from (select o.user_id, o.span from old_rows o union all select n.user_id, n.span from new_rows n) c
  group by c.user_id;
  return null;
end
$$;

create function private.mark_sums_of_moved_timesheet() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.set_payslips_apart(array[new.id]);
  insert into private.unbilled_changes (timesheet_id) values (new.id);
  return null;
end
$$;

create function private.mark_sums_of_new_timesheets() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.set_payslips_apart(array(select n.id from new_rows n));
  insert into private.unbilled_changes (timesheet_id) select n.id from new_rows n;
  return null;
end
$$;

-- A segment is replaced rather than updated, but nothing forbids it: both timesheets are meant if it moves.
create function private.recheck_updated_segments() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes (timesheet_id)
  select o.timesheet_id from old_rows o union select n.timesheet_id from new_rows n;
  return null;
end
$$;

-- The corrections of a contract or of all, with what became of them: those to decide first.
create function public.billing_corrections(p_contract_id uuid default null)
returns table (
  id uuid, contract_id uuid, client_name text, invoice_id uuid, number text, description text, first_day date,
  last_day date, minutes integer, billed_rate numeric, rate numeric, amount numeric, currency text, status text,
  reason text, decided_by_name text, decided_at timestamptz, billed_on uuid, billed_on_number text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  return query
  select k.id, k.contract_id, n.name, i.id, i.number, l.description, lower(k.days), upper(k.days) - 1, k.minutes,
    k.billed_rate,
    k.rate, k.amount, i.currency, k.status, k.reason, p.full_name, k.decided_at, b.id, b.number
  from private.invoice_corrections k
  join public.invoice_lines l on l.id = k.invoice_line_id
  join public.invoices i on i.id = l.invoice_id
  join public.clients n on n.id = i.client_id
  left join public.profiles p on p.id = k.decided_by
  left join lateral (
    select v.id, v.number from public.invoice_lines t join public.invoices v on v.id = t.invoice_id
    where t.correction_id = k.id and t.credited_at is null
  ) b on true
  where l.credited_at is null and (p_contract_id is null or k.contract_id = p_contract_id)
  order by k.status <> 'proposed', n.name, i.number, l.position, lower(k.days), k.id;
end
$$;
grant execute on function public.billing_corrections to authenticated, service_role;

-- The months of margin(), checked.
create function private.margin_months(p_from date, p_to date, p_currency text) returns daterange
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  perform private.require_day(p_from, 'first month');
  perform private.require_day(p_to, 'last month');
  if p_to < p_from or p_to - p_from > 400 then
    raise exception 'The period must be at most 400 days.' using errcode = 'invalid_parameter_value';
  end if;
  if p_currency not in ('USD', 'LRD') then
    raise exception 'Choose USD or LRD.' using errcode = 'invalid_parameter_value';
  end if;
  return daterange(date_trunc('month', p_from)::date, (date_trunc('month', p_to) + interval '1 month')::date);
end
$$;

-- As before; the sums of settled invoices are not copied.
create function private.billed_by_site(p_from date, p_to date)
returns table (
  site_id uuid, client_id uuid, month date, currency text, amount numeric, minutes bigint, lrd_per_usd numeric,
  contract_id uuid
)
language sql stable as $$
  with apart as materialized (
    select b.site_id, i.client_id, b.month, i.currency, b.amount, b.minutes, i.issued_on, i.contract_id
    from private.billed_by_invoice(array(
      select i.id from public.invoices i
      where i.status <> 'draft' and i.period_end >= p_from and i.period_start <= p_to
        and not exists (select from private.settled_invoices d where d.invoice_id = i.id)
    )) b
    join public.invoices i on i.id = b.invoice_id
    where b.month between p_from and p_to
  ), rates as materialized (
    select d.issued_on, private.pay_rate('lrd_per_usd', d.issued_on) as lrd_per_usd
    from (
      select distinct e.issued_on from (
        select b.issued_on from private.billed_sums b
        where b.month between p_from and p_to and b.period_end >= p_from and b.period_start <= p_to
        union all
        select a.issued_on from apart a
      ) e
    ) d
  )
  select b.site_id, b.client_id, b.month, b.currency, b.amount, b.minutes, r.lrd_per_usd, i.contract_id
  from private.billed_sums b join rates r on r.issued_on = b.issued_on
  join public.invoices i on i.id = b.invoice_id
  where b.month between p_from and p_to and b.period_end >= p_from and b.period_start <= p_to
  union all
  select a.site_id, a.client_id, a.month, a.currency, a.amount, a.minutes, r.lrd_per_usd, a.contract_id
  from apart a join rates r on r.issued_on = a.issued_on;
$$;

-- As before; expenses of sites come from an index.
create function private.margin_facts(p_from date, p_to date, p_currency text)
returns table (
  site_id uuid, client_id uuid, month date, currency text, billed numeric, wages numeric, employer numeric,
  direct numeric, billed_minutes bigint, worked_minutes bigint, rate numeric, contract_id uuid
)
language sql stable as $$
  with days as materialized (
    select d.day, private.pay_rate('lrd_per_usd', d.day) as lrd_per_usd
    from (
      select distinct e.expense_date as day from public.expense_reports e
      where e.site_id is not null and e.expense_date between p_from and p_to
    ) d
  ), facts as (
    select b.site_id, b.client_id, b.month, b.currency, b.amount as billed, null::numeric as wages,
      null::numeric as employer,
      null::numeric as direct, b.minutes as billed_minutes, null::bigint as worked_minutes, b.lrd_per_usd,
      b.contract_id
    from private.billed_by_site(p_from, p_to) b
    union all
    select w.site_id, s.client_id, w.month, w.currency, null, w.wages, w.employer, null, null, w.minutes, w.lrd_per_usd,
      null
    from private.wages_by_site(p_from, p_to) w left join public.sites s on s.id = w.site_id
    union all
    select e.site_id, s.client_id, date_trunc('month', e.expense_date)::date, e.currency, null, null, null, e.amount,
      null, null, d.lrd_per_usd, null
    from public.expense_reports e
    join days d on d.day = e.expense_date
    join public.sites s on s.id = e.site_id
    where e.expense_date between p_from and p_to
  ), factors as (
    select f.*, case when p_currency is null or p_currency = f.currency then 1
      when p_currency = 'LRD' then f.lrd_per_usd else 1 / f.lrd_per_usd end as factor
    from facts f
  )
  select f.site_id, f.client_id, f.month, case when f.factor is null then f.currency
    else coalesce(p_currency, f.currency) end,
    f.billed * coalesce(f.factor, 1), f.wages * coalesce(f.factor, 1), f.employer * coalesce(f.factor, 1),
    f.direct * coalesce(f.factor, 1), f.billed_minutes, f.worked_minutes,
    case when f.factor <> 1 then f.lrd_per_usd end, f.contract_id
  from factors f;
$$;

-- As before.
create function public.margin(p_from date, p_to date, p_currency text default null) returns jsonb
language plpgsql stable security definer set search_path = '' set statement_timeout = '30s' set jit = off as $$
declare
  months daterange := private.margin_months(p_from, p_to, p_currency);
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('site_id', m.site_id, 'site_name', s.name, 'client_id', m.client_id,
      'client_name', c.name, 'month', m.month, 'currency', m.currency, 'billed', m.billed::text, 'wages', m.wages::text,
      'employer', m.employer::text, 'direct', m.direct::text,
      'margin', (m.billed - m.wages - m.employer - m.direct)::text,
      'billed_minutes', m.billed_minutes, 'worked_minutes', m.worked_minutes, 'rates',
        coalesce(to_jsonb(m.rates), '[]'))
      order by m.month, c.name, s.name, m.site_id, m.currency desc), '[]')
    from (
      select f.site_id, f.client_id, f.month, f.currency, round(coalesce(sum(f.billed), 0), 2) as billed,
        round(coalesce(sum(f.wages), 0), 2) as wages, round(coalesce(sum(f.employer), 0), 2) as employer,
        round(coalesce(sum(f.direct), 0), 2) as direct, coalesce(sum(f.billed_minutes), 0) as billed_minutes,
        coalesce(sum(f.worked_minutes), 0) as worked_minutes, array_agg(distinct f.rate)
          filter (where f.rate is not null) as rates
      from private.margin_facts(lower(months), upper(months) - 1, p_currency) f
      group by f.site_id, f.client_id, f.month, f.currency
    ) m
    left join public.sites s on s.id = m.site_id
    left join public.clients c on c.id = m.client_id
  );
end
$$;
grant execute on function public.margin to authenticated, service_role;

create function private.require_billed_days(p_from date, p_to date) returns void
language plpgsql immutable set search_path = '' as $$
begin
  perform private.require_day(p_from, 'start');
  perform private.require_day(p_to, 'end');
  if p_to < p_from or p_to - p_from > 400 then
    raise exception 'Give a start before the end, at most 400 days apart.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- The hours behind a row of margin(): of each guard at a site, or without one, in the months from p_from to p_to.
-- Worked: as computed. Paid: of these, in the period of a locked run with a payslip of the guard. Billed: by issued
-- lines.
create function public.margin_hours(p_from date, p_to date, p_site_id uuid default null)
returns table ( user_id uuid, full_name text, worked_minutes bigint, paid_minutes bigint, billed_minutes bigint )
language plpgsql stable security definer set search_path = '' as $$
declare
  first_day date;
  last_day date;
begin
  perform private.require_billing_role();
  perform private.require_billed_days(p_from, p_to);
  first_day := date_trunc('month', p_from)::date;
  last_day := (date_trunc('month', p_to) + interval '1 month - 1 day')::date;
  return query
  with worked as (
    select t.user_id, sum(t.minutes)::bigint as minutes,
      coalesce(sum(t.minutes) filter (where p.is_paid), 0)::bigint as paid
    from public.time_segments t
    cross join lateral (
      select exists (
        select from public.payslips s join public.pay_runs r on r.id = s.pay_run_id
        where s.user_id = t.user_id and r.status in ('locked', 'paid') and t.day between r.period_start and r.period_end
      ) as is_paid
    ) p
    where t.site_id is not distinct from p_site_id and t.day between first_day and last_day
      and t.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
    group by t.user_id
  ), billed as (
    select b.user_id, sum(b.minutes)::bigint as minutes
    from public.billed_time b
    join public.invoice_lines l on l.id = b.invoice_line_id and l.credited_at is null
    join public.invoices i on i.id = l.invoice_id and i.status <> 'draft'
    where b.freed_at is null and b.site_id = p_site_id
      and lower(b.span) >= private.company_midnight(first_day)
        and lower(b.span) < private.company_midnight(last_day + 1)
    group by b.user_id
  )
  select coalesce(w.user_id, b.user_id), coalesce(nullif(p.full_name, ''), p.email, 'Former user'),
    coalesce(w.minutes, 0), coalesce(w.paid, 0), coalesce(b.minutes, 0)
  from worked w full join billed b on b.user_id = w.user_id
  left join public.profiles p on p.id = coalesce(w.user_id, b.user_id) order by 2, 1;
end
$$;
grant execute on function public.margin_hours to authenticated, service_role;

-- As before. The rows of margin() summed by currency: [{currency, billed, wages, employer, direct, margin,
-- billed_minutes, worked_minutes,
-- rates, months, count, rows}]. `months` has the sums of each month, `rows` page p_page (from 1) of the sums by site,
-- client or
-- month, those with the worst margin first, and `count` how many there are.
create function public.margin_sums(
  p_from date, p_to date, p_currency text default null, p_by text default 'site', p_client_id uuid default null,
  p_is_without_client boolean default false, p_page integer default 1, p_size integer default 200
) returns jsonb
language plpgsql
  stable
  security definer
  set search_path = ''
  set statement_timeout = '30s'
  set work_mem = '64MB'
  set jit = off as $$
declare
  months daterange := private.margin_months(p_from, p_to, p_currency);
begin
  if p_by is null or p_by not in ('site', 'client', 'month') then
    raise exception 'Sum by site, client or month.' using errcode = 'invalid_parameter_value';
  end if;
  if p_page is null or p_page not between 1 and 100000 or p_size is null or p_size not between 1 and 1000 then
    raise exception 'Choose a page, and a size of at most 1000.' using errcode = 'invalid_parameter_value';
  end if;
  return (
    with cents as (
      -- Rounded as the rows of margin() are.
      select f.currency, f.month, f.site_id, f.client_id, round(coalesce(sum(f.billed), 0), 2) as billed,
        round(coalesce(sum(f.wages), 0), 2) as wages, round(coalesce(sum(f.employer), 0), 2) as employer,
        round(coalesce(sum(f.direct), 0), 2) as direct, coalesce(sum(f.billed_minutes), 0) as billed_minutes,
        coalesce(sum(f.worked_minutes), 0) as worked_minutes, string_agg(f.rate::text, ' ') as rates
      from private.margin_facts(lower(months), upper(months) - 1, p_currency) f
      where case when p_is_without_client then f.client_id is null else p_client_id is null
        or f.client_id = p_client_id end
      group by f.site_id, f.month, f.client_id, f.currency
    ), places as (
      select c.*, case when p_by = 'site' then c.site_id end as by_site,
        case when p_by <> 'month' then c.client_id end as by_client
      from cents c
    ), sums as materialized (
      select p.currency, p.month, p.by_site as site_id, p.by_client as client_id, grouping(p.month) = 0 as is_month,
        sum(p.billed) as billed, sum(p.wages) as wages, sum(p.employer) as employer, sum(p.direct) as direct,
        sum(p.billed) - sum(p.wages) - sum(p.employer) - sum(p.direct) as margin,
          sum(p.billed_minutes) as billed_minutes,
        sum(p.worked_minutes) as worked_minutes, string_agg(p.rates, ' ') as rates
      from places p
      group by grouping sets ((p.currency, p.month), (p.currency, p.by_site, p.by_client))
    ), placed as (
      select g.*, s.name as site_name, k.name as client_name, count(*) over (partition by g.currency) as of_currency,
        row_number() over (partition by g.currency order by g.month, g.margin,
          case p_by when 'site' then coalesce(s.name, 'No site') else coalesce(k.name, 'No client') end,
          g.site_id, g.client_id) as place
      from sums g left join public.sites s on s.id = g.site_id left join public.clients k on k.id = g.client_id
      where g.is_month = (p_by = 'month')
    ), pages as (
      select p.currency, max(p.of_currency) as count, coalesce(jsonb_agg(jsonb_build_object('site_id', p.site_id,
        'site_name', p.site_name, 'client_id', p.client_id, 'client_name', p.client_name, 'month', p.month,
        'billed', p.billed::text, 'wages', p.wages::text, 'employer', p.employer::text, 'direct', p.direct::text,
        'margin', p.margin::text, 'billed_minutes', p.billed_minutes, 'worked_minutes', p.worked_minutes)
          order by p.place)
        filter (where p.place > (p_page - 1) * p_size and p.place <= p_page * p_size), '[]') as rows
      from placed p group by p.currency
    ), totals as (
      select b.currency, sum(b.billed)::text as billed, sum(b.wages)::text as wages, sum(b.employer)::text as employer,
        sum(b.direct)::text as direct, sum(b.margin)::text as margin, sum(b.billed_minutes) as billed_minutes,
        sum(b.worked_minutes) as worked_minutes, string_agg(b.rates, ' ') as rates,
        jsonb_agg(jsonb_build_object('month', b.month, 'billed', b.billed::text, 'wages', b.wages::text,
          'employer', b.employer::text, 'direct', b.direct::text, 'margin', b.margin::text,
          'billed_minutes', b.billed_minutes, 'worked_minutes', b.worked_minutes) order by b.month) as months
      from sums b where b.is_month group by b.currency
    )
    select coalesce(jsonb_agg(to_jsonb(t) || jsonb_build_object('count', p.count, 'rows', p.rows, 'rates', (
      select coalesce(jsonb_agg(distinct r::numeric), '[]') from string_to_table(t.rates, ' ') r
    )) order by t.currency desc), '[]')
    from totals t join pages p on p.currency = t.currency
  );
end
$$;
grant execute on function public.margin_sums to authenticated, service_role;

create aggregate private.joined(uuid[]) (sfunc = private.join_ids, stype = uuid[]);

-- The timesheets whose sums of [p_first, p_last] may be out of date; without p_is_named those that no entry names.
create function private.timesheets_to_sum(p_first date, p_last date, p_is_named boolean default true) returns setof uuid
language plpgsql
  stable
  security definer
  set search_path = ''
  set jit = off
  set plan_cache_mode = force_custom_plan as $$
begin
  -- The usual state of a quiet company.
  if not exists (select from private.unbilled_changes) then
    return;
  end if;
  return query
  select t.id from private.unbilled_changes c join public.timesheets t on t.id = c.timesheet_id
  where p_is_named and t.period_start <= p_last and t.period_end >= p_first
  union
  select t.id
  from private.unbilled_changes c
  join public.timesheets t on t.user_id = c.user_id and t.period_start <= c.last_day and t.period_end >= c.first_day
  where c.user_id is not null and t.period_start <= p_last and t.period_end >= p_first
  union
  select s.timesheet_id
  from (
    select c.site_id, greatest(c.first_day, p_first) as first, least(c.last_day, p_last) as last
    from private.unbilled_changes c where c.site_id is not null
  ) c
  join public.time_segments s on s.site_id = c.site_id
    and s.starts_at >= c.first::timestamptz - interval '2 days'
      and s.starts_at < c.last::timestamptz + interval '3 days'
  union
  select u.timesheet_id from private.unbilled_changes c join private.unbilled_sums u on u.contract_id = c.contract_id
  where c.contract_id is not null
  union
  select t.id from public.timesheets t
  where t.period_start <= p_last and t.period_end >= p_first and exists (
    select from private.unbilled_changes c where num_nonnulls(c.timesheet_id, c.user_id, c.site_id, c.contract_id) = 0
  );
end
$$;

-- The timesheets that may have unbilled time within these days, at these sites or all.
create function private.timesheets_to_bill(p_from date, p_to date, p_sites uuid[] default null) returns uuid[]
language sql stable security definer set search_path = '' set work_mem = '32MB' as $$
  select array(
    select u.timesheet_id from private.unbilled_sums u
    where u.month between date_trunc('month', p_from::timestamp)::date and p_to
      and (p_sites is null or u.site_id = any (p_sites))
    union
    select t.id from private.timesheets_to_sum(p_from - 1, p_to + 1) t (id)
  );
$$;

-- Why time is not billed, once its timesheet is approved.
create function private.unbilled_reason(contract_id uuid, basis text, rate numeric) returns text
language sql immutable as $$
  select case when contract_id is null then 'no_contract' when basis = 'fixed' then 'month_not_billed'
    when rate is null then 'no_rate' else 'not_drafted' end;
$$;

-- The time within these days; that of the morning after a contract's last night has the day of the night.
-- The planner expected few prices and merged them by the day alone, so all of a day were
-- compared with each other, which was most of the time; and contracts and rates were looked up for each post and day
-- instead of each row of theirs.
create function private.unbilled_spans(
  p_sites uuid[], p_from date, p_to date, p_timesheets uuid[] default null, p_is_priced boolean default true
)
returns setof private.unbilled_span
-- Thousands of
language plpgsql
  stable
  security definer
  set search_path = ''
  set jit = off
  set work_mem = '32MB'
  set plan_cache_mode = force_custom_plan
  set enable_mergejoin = off as $$
declare
  first timestamptz := private.company_midnight(p_from);
  last timestamptz := private.company_midnight(p_to + 1);
  zone constant text := (select z.time_zone from private.settings z);
begin
  return query
  with chosen as materialized (
    select s.timesheet_id, s.user_id, s.attendance_id, s.shift_id, s.site_id, s.day, s.starts_at, s.ends_at, s.class,
      s.rule
    from public.time_segments s
    where p_timesheets is null and s.site_id = any (p_sites) and s.starts_at >= first and s.starts_at < last
      and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
    union all
    select s.* from unnest(p_timesheets) c (id)
    -- One look-up for each timesheet, whatever the planner expects of their number.
    cross join lateral (
      select s.timesheet_id, s.user_id, s.attendance_id, s.shift_id, s.site_id, s.day, s.starts_at, s.ends_at, s.class,
        s.rule
      from public.time_segments s
      where s.timesheet_id = c.id and s.day between p_from - 1 and p_to + 1
      offset 0
    ) s
    where s.site_id = any (p_sites) and s.starts_at >= first and s.starts_at < last
      and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
  ), billed as materialized (
    select b.user_id, b.span
    from (
      select c.user_id, min(c.starts_at) as first, max(c.ends_at) as last from chosen c
        group by c.user_id, c.timesheet_id
    ) u
    cross join lateral (
      select b.user_id, b.span from public.billed_time b
      where b.user_id = u.user_id and b.freed_at is null and b.span && tstzrange(u.first, u.last)
      offset 0
    ) b
  ), unbilled as materialized (
    select c.* from chosen c
    -- Most of the past is billed as it was computed, and left out before anything is joined.
    where not exists (select from billed b where b.user_id = c.user_id and b.span = tstzrange(c.starts_at, c.ends_at))
  ), posts as materialized (
    select u.shift_id, h.post_id, h.began
    from (select distinct n.shift_id from unbilled n) u
    cross join lateral (select h.post_id, (h.start_time at time zone zone)::date as began from public.shifts h
      where h.id = u.shift_id offset 0) h
  ), sheets as materialized (
    select u.timesheet_id, t.status in ('approved', 'locked') as is_approved
    from (select distinct n.timesheet_id from unbilled n) u
    cross join lateral (select t.status from public.timesheets t where t.id = u.timesheet_id offset 0) t
  ), work as materialized (
    select s.timesheet_id, s.user_id, s.attendance_id, s.shift_id, s.site_id, h.post_id, s.day, h.began,
      tstzrange(s.starts_at, s.ends_at) as span, t.is_approved,
      case when s.rule = 'rest_day' then 'rest_day' when s.class in ('overtime_1', 'overtime_2') then 'overtime'
        else s.class end as kind
    from unbilled s
    join sheets t on t.timesheet_id = s.timesheet_id
    left join posts h on h.shift_id = s.shift_id
  ), taken as materialized (
    select b.user_id, range_agg(b.span) as spans from billed b group by b.user_id
  ), free as materialized (
    select w.*, x.span as left_over
    from work w left join taken t on t.user_id = w.user_id
    cross join lateral (select w.span where t.spans is null or not t.spans && w.span
      union all select unnest(tstzmultirange(w.span) - t.spans) where t.spans && w.span) x
  ), terms as materialized (
    select c.id, c.contract_id, c.basis, c.site_id, c.post_id, c.starts_on, c.ends_on from public.contract_posts c
    where c.site_id in (select f.site_id from free f)
  ), placed as materialized (
    -- As contract_post_of_work; time of the row of the day before is billed on that day. Rows do not overlap.
    select f.timesheet_id, f.user_id, f.attendance_id, f.shift_id, f.site_id, f.post_id, f.is_approved, f.kind,
      f.left_over, coalesce(p.id, s.id, q.id, t.id) as contract_post_id,
      coalesce(p.contract_id, s.contract_id, q.contract_id, t.contract_id) as contract_id,
      coalesce(p.basis, s.basis, q.basis, t.basis) as basis,
      case when coalesce(p.id, s.id) is null and coalesce(q.id, t.id) is not null then f.began else f.day end as day
    from free f
    left join terms p on p.site_id = f.site_id and p.post_id = f.post_id and f.day >= p.starts_on
      and (p.ends_on is null or f.day <= p.ends_on)
    left join (select t.* from terms t where t.post_id is null) s on s.site_id = f.site_id and f.day >= s.starts_on
      and (s.ends_on is null or f.day <= s.ends_on)
    left join terms q on p.id is null and s.id is null and q.site_id = f.site_id and q.post_id = f.post_id
      and f.began = f.day - 1 and f.began between q.starts_on and q.ends_on
    left join (select t.* from terms t where t.post_id is null) t on p.id is null and s.id is null
      and t.site_id = f.site_id and f.began = f.day - 1 and f.began between t.starts_on and t.ends_on
  ), priced as materialized (
    select distinct l.contract_id, l.contract_post_id, l.kind from placed l
    where l.contract_id is not null and l.basis <> 'fixed' and (p_is_priced or l.is_approved)
  ), prices as materialized (
    -- As hour_rate, which can only change on a day on which a rate begins.
    select d.contract_post_id, d.kind, d.day as first,
      coalesce(lead(d.day) over (partition by d.contract_post_id, d.kind order by d.day), 'infinity') as before,
        x.amount as rate
    from (
      select distinct p.contract_id, p.contract_post_id, p.kind, r.effective_from as day
      from priced p
      join public.rates r on r.contract_id = p.contract_id
        and (r.contract_post_id = p.contract_post_id or r.contract_post_id is null) and r.kind in (p.kind, 'regular')
    ) d
    cross join lateral (
      select r.amount from public.rates r
      where r.contract_id = d.contract_id and (r.contract_post_id = d.contract_post_id or r.contract_post_id is null)
        and r.kind in (d.kind, 'regular') and r.effective_from <= d.day
      order by r.kind = d.kind desc, r.contract_post_id nulls last, r.effective_from desc
      limit 1
    ) x
  ), taxes as materialized (
    select p.contract_post_id, t.*
    from (
      select l.contract_id, l.contract_post_id, min(l.day) as first, max(l.day) as last from placed l
      where l.contract_id is not null group by l.contract_id, l.contract_post_id
    ) p
    cross join lateral private.tax_days(p.contract_id, p.contract_post_id, p.first, p.last) t
  )
  select l.contract_id, l.contract_post_id, l.basis, l.site_id, l.post_id, l.user_id, l.attendance_id, l.shift_id,
    l.day,
    l.left_over, (extract(epoch from upper(l.left_over) - lower(l.left_over)) / 60)::integer, l.kind, l.is_approved,
    p.rate, x.tax_name, x.tax_rate, l.timesheet_id, x.vat_treatment
  from placed l
  left join prices p on p.contract_post_id = l.contract_post_id and p.kind = l.kind and l.day >= p.first
    and l.day < p.before
  left join taxes x on x.contract_post_id = l.contract_post_id and l.day between x.first and x.last;
end
$$;

-- A month that is billed in part leaves the hours of its other days open.
create function private.open_spans(
  p_sites uuid[], p_from date, p_to date, p_timesheets uuid[] default null, p_is_priced boolean default true
) returns setof private.unbilled_span
language sql stable security definer set search_path = '' as $$
  with fixed as materialized (
    select l.contract_post_id, l.month, l.days from public.invoice_lines l
    where l.kind = 'fixed' and l.credited_at is null and l.contract_post_id is not null
      and l.month between date_trunc('month', p_from::timestamp - interval '1 day')::date and p_to + 1
  )
  select u.* from private.unbilled_spans(p_sites, p_from, p_to, p_timesheets, p_is_priced) u
  where u.basis is distinct from 'fixed' or not exists (
    select from fixed l
    where l.contract_post_id = u.contract_post_id and l.month = date_trunc('month', u.day::timestamp)::date
      and (l.days is null or l.days @> u.day)
  );
$$;

-- Hours are not open while their period isn't due.
create function private.unbilled_parts(p_from date, p_to date, p_client_id uuid, p_has_records boolean)
returns table (
  site_id uuid, user_id uuid, contract_id uuid, reason text, minutes integer, first_at timestamptz, last_at timestamptz,
  attendance_ids uuid[]
)
language plpgsql
  stable
  security definer
  set search_path = ''
  set jit = off
  set work_mem = '64MB'
  set plan_cache_mode = force_custom_plan as $$
declare
  most constant integer := private.most_timesheets_by_hour();
  sites constant uuid[] := array(select s.id from public.sites s
    where p_client_id is null or s.client_id = p_client_id);
  today constant date := private.company_date();
  zone constant text := (select s.time_zone from private.settings s);
  -- The whole months are [first_month, end_month).
  first_month date := (date_trunc('month', p_from::timestamp - interval '1 day') + interval '1 month')::date;
  end_month date := date_trunc('month', p_to::timestamp + interval '1 day')::date;
  changed uuid[];
  head uuid[] := '{}';
  tail uuid[] := '{}';
begin
  if first_month >= end_month then
    -- All of the days are before the whole months, of which there are none.
    first_month := p_to + 1;
    end_month := p_to + 1;
  end if;
  changed := array(select t.id from private.timesheets_to_sum(first_month - 1, end_month) t (id)
    where first_month < end_month);
  if p_from < first_month then
    head := private.timesheets_to_bill(p_from, first_month - 1, case when p_client_id is not null then sites end);
  end if;
  if p_to >= end_month then
    tail := private.timesheets_to_bill(end_month, p_to, case when p_client_id is not null then sites end);
  end if;
  if cardinality(changed) > most then
    raise exception 'Unbilled hours are being summed. Try again in a few minutes.';
  elsif cardinality(changed) + cardinality(head) + cardinality(tail) > most then
    raise exception 'These are too many hours to read by the day. Choose whole months or a client.'
      using errcode = 'invalid_parameter_value';
  end if;
  return query
  with spans as materialized (
    select o.site_id, o.user_id, o.contract_id, case when o.contract_id is not null and not o.is_approved
      then 'not_approved'
        else private.unbilled_reason(o.contract_id, o.basis, o.rate) end as reason, o.minutes, o.span, o.attendance_id
    from (values (p_from, first_month - 1, head), (first_month, end_month - 1, changed),
      (end_month, p_to, tail)) p (first, last, ids)
    cross join lateral private.open_spans(sites, p.first, p.last, p.ids, false) o
    where p.ids <> '{}'
  ), parts as (
    select u.site_id, u.user_id, u.contract_id,
      case when u.reason <> 'no_contract' and t.id is not null then 'not_approved' else u.reason end as why, u.month,
      u.minutes, u.first_at, u.last_at, case when p_has_records then u.attendance_ids end as ids
    from private.unbilled_sums u
    left join public.timesheets t on t.id = u.timesheet_id and t.status not in ('approved', 'locked')
    where u.month >= first_month and u.month < end_month and (p_client_id is null or u.site_id = any (sites))
      and not (u.timesheet_id = any (changed))
    union all
    select s.site_id, s.user_id, s.contract_id, s.reason, m.month, sum(s.minutes)::integer, min(lower(s.span)),
      max(upper(s.span)),
      case when p_has_records then coalesce(array_agg(distinct s.attendance_id)
        filter (where s.attendance_id is not null), '{}') end
    from spans s
    cross join lateral (select date_trunc('month', lower(s.span) at time zone zone)::date as month) m
    group by s.site_id, s.user_id, s.contract_id, s.reason, m.month
  )
  select p.site_id, p.user_id, p.contract_id, case
      when p.why not in ('not_drafted', 'month_not_billed') then p.why
      when c.billing_cycle = 'on-demand' then 'on_demand'
      when c.id is not null and not private.is_billing_due(c.billing_cycle, c.billing_day, c.ends_on, p.month, today)
        then 'not_due'
      else p.why end,
    p.minutes, p.first_at, p.last_at, p.ids
  from parts p left join public.contracts c on c.id = p.contract_id;
end
$$;

-- As before.
create function public.unbilled_hours(p_from date, p_to date, p_client_id uuid DEFAULT NULL::uuid)
returns TABLE(
  id text, client_id uuid, client_name text, contract_id uuid, site_id uuid, site_name text, user_id uuid,
  full_name text, reason text, note text, minutes integer, first_at timestamp with time zone,
  last_at timestamp with time zone, attendance_ids uuid[]
)
language plpgsql
  stable
  security definer
  set search_path = ''
  set jit = off
  set work_mem = '64MB'
  set plan_cache_mode = force_custom_plan
  set statement_timeout = '30s' as $function$
begin
  perform private.require_billing_role();
  perform private.require_billed_days(p_from, p_to);
  return query
  with sums as (
    select u.site_id, u.user_id, u.contract_id, u.reason, sum(u.minutes)::integer as minutes,
      min(u.first_at) as first_at,
      max(u.last_at) as last_at, count(*) as parts, private.joined(u.attendance_ids) as ids
    from private.unbilled_parts(p_from, p_to, p_client_id, true) u
    group by u.site_id, u.user_id, u.contract_id, u.reason
  ), hours as (
    select u.site_id, u.user_id, u.contract_id, u.reason, null::text as note, u.minutes, u.first_at, u.last_at,
      case when u.parts = 1 then u.ids else array(select distinct i from unnest(u.ids) i
        order by i) end as attendance_ids
    from sums u
    union all
    select b.site_id, b.user_id, null, case when b.is_surplus then 'above_headcount'
      else 'waived' end, b.waived_reason, sum(b.minutes)::integer, min(lower(b.span)), max(upper(b.span)),
      coalesce(array_agg(distinct b.attendance_id) filter (where b.attendance_id is not null), '{}')
    from public.billed_time b
    where b.waived_at is not null and b.freed_at is null
      and lower(b.span) >= private.company_midnight(p_from) and lower(b.span) < private.company_midnight(p_to + 1)
    group by b.site_id, b.user_id, b.is_surplus, b.waived_reason
  )
  select concat_ws(' ', h.site_id, h.user_id, h.contract_id, h.reason, md5(h.note)), s.client_id, k.name, h.contract_id,
    h.site_id, s.name, h.user_id, coalesce(nullif(p.full_name, ''), 'Former user'), h.reason, h.note,
    h.minutes, h.first_at, h.last_at, h.attendance_ids
  from hours h
  join public.sites s on s.id = h.site_id
  left join public.clients k on k.id = s.client_id
  left join public.profiles p on p.id = h.user_id where p_client_id is null or s.client_id = p_client_id;
end
$function$;
comment on function public.unbilled_hours is 'Nullable: client_id, client_name, contract_id, note';
grant execute on function public.unbilled_hours to authenticated, service_role;

-- As before: what is not approved needs no rate.
create function public.unbilled_time(p_from date, p_to date, p_client_id uuid default null)
returns table (
  client_id uuid, client_name text, contract_id uuid, site_id uuid, site_name text, post_id uuid, post_name text,
  user_id uuid, full_name text, attendance_id uuid, shift_id uuid, starts_at timestamptz, ends_at timestamptz,
  minutes integer, reason text
)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  perform private.require_billing_role();
  perform private.require_billed_days(p_from, p_to);
  return query
  with spans as materialized (
    select u.*, case
        when u.contract_id is null then 'no_contract'
        when not u.is_approved then 'not_approved'
        when u.basis = 'fixed' then 'month_not_billed'
        when u.rate is null then 'no_rate'
        else 'not_drafted' end as why
    from private.open_spans(array(
      select s.id from public.sites s where p_client_id is null or s.client_id = p_client_id
    ), p_from, p_to, private.timesheets_to_bill(p_from, p_to), false) u
  )
  select t.client_id, k.name, o.contract_id, o.site_id, t.name, o.post_id, p.name, o.user_id, f.full_name,
    o.attendance_id,
    o.shift_id, min(lower(o.span)), max(upper(o.span)), sum(o.minutes)::integer, o.why
  from spans o
  join public.sites t on t.id = o.site_id
  left join public.clients k on k.id = t.client_id
  left join public.posts p on p.id = o.post_id
  left join public.profiles f on f.id = o.user_id
  group by t.client_id, k.name, o.contract_id, o.site_id, t.name, o.post_id, p.name, o.user_id, f.full_name,
    o.attendance_id, o.shift_id, o.why
  order by min(lower(o.span)), t.name, f.full_name, o.attendance_id, o.why;
end
$$;
comment on function public.unbilled_time is 'Nullable: client_id, client_name, contract_id, post_id, post_name, '
  'full_name, attendance_id, shift_id';
grant execute on function public.unbilled_time to authenticated, service_role;

-- As before, without the records behind the sums.
create function public.unbilled_totals(p_from date, p_to date, p_client_id uuid DEFAULT NULL::uuid)
returns TABLE(client_id uuid, client_name text, reason text, minutes bigint, guards bigint)
language plpgsql
  stable
  security definer
  set search_path = ''
  set jit = off
  set work_mem = '64MB'
  set plan_cache_mode = force_custom_plan
  set statement_timeout = '30s' as $function$
begin
  perform private.require_billing_role();
  perform private.require_billed_days(p_from, p_to);
  return query
  with hours as (
    select u.site_id, u.user_id, u.reason, u.minutes
    from private.unbilled_parts(p_from, p_to, p_client_id, false) u
    union all
    select b.site_id, b.user_id, case when b.is_surplus then 'above_headcount' else 'waived' end, b.minutes
    from public.billed_time b
    where b.waived_at is not null and b.freed_at is null
      and lower(b.span) >= private.company_midnight(p_from) and lower(b.span) < private.company_midnight(p_to + 1)
  ), of_guards as (
    select s.client_id, h.reason, h.user_id, sum(h.minutes) as minutes
    from hours h join public.sites s on s.id = h.site_id
    where p_client_id is null or s.client_id = p_client_id
    group by s.client_id, h.reason, h.user_id
  ), sums as (
    select g.client_id, g.reason, sum(g.minutes)::bigint as minutes, count(g.user_id) as guards
    from of_guards g group by g.client_id, g.reason
  )
  select s.client_id, k.name, s.reason, s.minutes, s.guards
  from sums s left join public.clients k on k.id = s.client_id order by k.name, s.reason;
end
$function$;
comment on function public.unbilled_totals is 'Nullable: client_id, client_name';
grant execute on function public.unbilled_totals to authenticated, service_role;

-- Takes waivers back, so that the time can be billed. @returns how many minutes
create function public.unwaive_time(p_attendance_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $function$
declare
  restored integer;
begin
  perform private.require_billing_role();
  if p_attendance_ids is null or cardinality(p_attendance_ids) > 5000 then
    raise exception 'Give at most 5000 records.' using errcode = 'invalid_parameter_value';
  end if;
  with gone as (
    delete from public.billed_time b where b.attendance_id = any (p_attendance_ids) and b.waived_at is not null
      and not b.is_surplus
    returning b.minutes
  )
  select coalesce(sum(g.minutes), 0) into restored from gone g;
  return restored;
end
$function$;
grant execute on function public.unwaive_time to authenticated, service_role;

-- Never bills what is left of these records, with the reason. @returns how many minutes are waived now that were not
create function public.waive_time(p_attendance_ids uuid[], p_reason text) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  why text := nullif(btrim(p_reason), '');
  waived integer;
begin
  perform private.require_billing_role();
  if why is null or char_length(why) > 500 then
    raise exception 'Give a reason of at most 500 characters.' using errcode = 'check_violation';
  end if;
  if p_attendance_ids is null or cardinality(p_attendance_ids) > 5000 then
    raise exception 'Give at most 5000 records.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  with bounds as (
    select array_agg(distinct s.site_id) as sites, min(s.day) as first, max(s.day) as last
    from public.time_segments s where s.attendance_id = any (p_attendance_ids) and s.site_id is not null
  ), added as (
    insert into public.billed_time (user_id, attendance_id, shift_id, post_id, site_id, span, kind, waived_by,
      waived_at,
      waived_reason)
    select u.user_id, u.attendance_id, u.shift_id, u.post_id, u.site_id, u.span, u.kind, auth.uid(), now(), why
    from bounds b cross join lateral private.unbilled_spans(b.sites, b.first, b.last) u
    where u.attendance_id = any (p_attendance_ids)
    returning minutes
  )
  select coalesce(sum(a.minutes), 0) into waived from added a;
  return waived;
end
$$;
grant execute on function public.waive_time to authenticated, service_role;

-- Sums what is left of these timesheets.
create function private.sum_unbilled(p_timesheets uuid[]) returns void
language plpgsql security definer set search_path = '' set jit = off set plan_cache_mode = force_custom_plan as $$
declare
  sites uuid[] := array(select s.id from public.sites s);
  this record;
begin
  delete from private.unbilled_sums u where u.timesheet_id = any (p_timesheets);
  for this in
    -- With the neighbours: the days of a segment are those of the zone that the company had when it was computed.
    select m.month::date as month, array_agg(t.id) as timesheets
    from public.timesheets t
    cross join lateral generate_series(
      date_trunc('month', t.period_start::timestamp - interval '1 day'), t.period_end::timestamp + interval '1 day',
        interval '1 month'
    ) m (month)
    where t.id = any (p_timesheets)
    group by m.month
  loop
    insert into private.unbilled_sums (timesheet_id, month, site_id, user_id, contract_id, reason, minutes, first_at,
      last_at,
      attendance_ids)
    select o.timesheet_id, this.month, o.site_id, o.user_id, o.contract_id, o.reason, sum(o.minutes),
      min(lower(o.span)),
      max(upper(o.span)), coalesce(array_agg(distinct o.attendance_id) filter (where o.attendance_id is not null), '{}')
    from (
      select o.*, private.unbilled_reason(o.contract_id, o.basis, o.rate) as reason
      from private.open_spans(sites, this.month, (this.month + interval '1 month - 1 day')::date, this.timesheets) o
    ) o
    group by o.timesheet_id, o.site_id, o.user_id, o.contract_id, o.reason;
  end loop;
end
$$;

-- Sums some of the timesheets that have changed. The name is that of the job of the releases before.
create function private.check_billed_timesheets() returns void
language plpgsql security definer set search_path = '' set jit = off set plan_cache_mode = force_custom_plan as $$
declare
  chosen bigint[];
begin
  if not exists (select from private.unbilled_changes)
    -- One at a time: else a slower run could overwrite the sums of a newer one.
    or not pg_try_advisory_xact_lock(hashtextextended('sum_unbilled', 0))
  then
    return;
  end if;
  if exists (select from private.unbilled_changes c where c.timesheet_id is null) then
    -- Entries that are committed during this statement are neither found nor removed: all its parts see the same.
    with expanded as (
      insert into private.unbilled_changes (timesheet_id)
      select t.id from private.timesheets_to_sum('-infinity', 'infinity', false) t (id)
    )
    delete from private.unbilled_changes c where c.timesheet_id is null;
  end if;
  chosen := array(select c.id from private.unbilled_changes c where c.timesheet_id is not null order by c.id
    limit 1000);
  -- The statements below see all that was committed with these entries. What is committed later has entries that stay.
  perform private.sum_unbilled(array(
    select t.id from public.timesheets t
    where t.id in (select c.timesheet_id from private.unbilled_changes c where c.id = any (chosen))
    for key share
  ));
  delete from private.unbilled_changes c where c.id = any (chosen);
end
$$;

-- What each closed record of attendance is beside its shift, on the day of which it is said: minutes credited as grace,
-- what somebody must decide, and the sentences. p_extra are records as private.worked_spans has them. Who is due just
-- before midnight and comes just after it is late on the day before, so the records of the day after p_last count too.
-- Staying on is overtime if any minute outside the plan is overtime in the week in which the guard left.
create function private.compared_spans(
  p_users uuid[], p_first date, p_last date, p_segments private.time_piece[], p_extra jsonb default null
) returns table (user_id uuid, day date, place integer, code text, sentence text, issue text, grace integer)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
begin
  return query
  with extra as (
    -- Overtime outside the plan, in each week.
    select p.attendance_id, date_trunc('week', p.day::timestamp) as week,
      count(*) filter (where p.class in ('overtime_1', 'overtime_2')) > 0 as is_overtime
    from unnest(p_segments) p
    join public.attendance a on a.id = p.attendance_id
    join public.assignments g on g.id = a.assignment_id
    where p.starts_at >= date_trunc('minute', upper(g.period)) or p.ends_at <= date_trunc('minute', lower(g.period))
    group by 1, 2
  ), spans as (
    select w.*, (w.due_from at time zone zone)::date as first_day,
      ((w.due_to - interval '1 microsecond') at time zone zone)::date as last_day,
      ((w.ends_at - interval '1 microsecond') at time zone zone)::date as went_day,
      extract(epoch from w.starts_at - w.due_from)::integer / 60 as late,
      extract(epoch from w.ends_at - w.due_to)::integer / 60 as over,
      r.rule as by, coalesce(e.is_overtime, false) as is_overtime,
      row_number() over (partition by w.shift_id, w.user_id order by w.starts_at) = 1 as is_first,
      row_number() over (partition by w.shift_id, w.user_id order by w.starts_at desc) = 1 as is_last
    from private.worked_spans(
      p_users, private.company_midnight(p_first), private.company_midnight(p_last + 2), p_extra) w
    join private.time_rule_days() r
      on (w.due_from at time zone zone)::date >= r.first and (w.due_from at time zone zone)::date < r.until
    left join extra e on e.attendance_id = w.attendance_id
      and e.week = date_trunc('week', (w.ends_at - interval '1 microsecond') at time zone zone)
  )
  select s.user_id, x.day, x.place, x.code, x.sentence, x.issue, x.grace
  from spans s
  cross join lateral (
    select s.first_day as day, 10 as place, case when s.early then 'early_approved' else 'early_arrival' end as code,
      format('Clocked in %s before the shift; %s', private.minutes_text(-s.late), case
        when s.early then 'the early arrival was approved.'
        when not s.early then 'paying for it was refused.'
        else 'early arrival is not paid unless approved.' end) as sentence,
      null as issue, 0 as grace
    where s.is_first and s.late < 0
    union all
    select s.first_day, 10, 'late_in_grace', format('Clocked in %s late, within the %s that count as on time.',
      private.minutes_text(s.late), private.minutes_text((s.by).grace_minutes)), null, s.late
    where s.is_first and s.late between 1 and (s.by).grace_minutes
    union all
    select s.first_day, 10, 'late', format('Clocked in %s late.', private.minutes_text(s.late)), null, 0
    where s.is_first and s.late > (s.by).grace_minutes
    union all
    select s.last_day, 20, 'left_early', format('Clocked out %s before the end of the shift.',
      private.minutes_text(-s.over)), null, 0
    where s.is_last and s.over < 0
    union all
    select s.went_day, 20, 'stayed_on', format('Stayed %s after the shift; %s', private.minutes_text(s.over), case
        when s.stayed or s.overtime then 'this was approved.'
        when not s.stayed then 'this was not approved and is not paid.'
        when not s.overtime then 'the overtime in it was not approved and is not paid.'
        when s.over <= (s.by).stay_tolerance_minutes then format('up to %s need no decision.',
          private.minutes_text((s.by).stay_tolerance_minutes))
        else 'it is paid unless it is refused.' end),
      case when s.stayed is null and s.overtime is null and s.over > (s.by).stay_tolerance_minutes
        then case when s.is_overtime then 'overtime' else 'stayed_on' end end, 0
    where s.over > 0
    union all
    select s.first_day, 30, 'overlaps', 'Another record covers part of this time, which counts once.', null, 0
    where s.is_cut
    union all
    select s.first_day, 30, 'corrected', format('Corrected by %s%s', private.name_or_somebody(r.corrected_by),
      coalesce(': ' || rtrim(r.correction_reason, '.') || '.', '.')), null, 0
    from public.attendance r where r.id = s.attendance_id and r.corrected_at is not null
  ) x
  where x.day between p_first and p_last;
end
$$;

-- The planned shifts of these people in [p_first, p_last], with what their attendance leaves uncovered. Shifts count
-- from their start to their end, whole minutes; a shift that has not ended leaves nothing uncovered yet. p_extra are
-- records as private.worked_spans has them.
create function private.planned_duties(p_users uuid[], p_first date, p_last date, p_extra jsonb default null)
returns table (
  assignment_id uuid, user_id uuid, site_id uuid, due_from timestamptz, due_to timestamptz, status text,
  is_on_leave boolean, has_ended boolean, is_open boolean, has_come boolean, rest_overridden boolean,
  needs_review boolean, flags text[], attended_id uuid, no_show_reason text, uncovered tstzmultirange
)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
begin
  return query
  select a.id, a.user_id, a.site_id, d.due_from, d.due_to, a.status, a.on_leave, d.due_to <= now(),
    coalesce(own.is_open, false), own.records > 0, a.overridden_rules && array['rest', 'weekly_rest'],
    coalesce(own.needs_review, false), own.flags, own.id, a.no_show_reason,
    case when a.on_leave or d.due_to > now() then '{}' else tstzmultirange(tstzrange(d.due_from, d.due_to))
      - coalesce(here.times, '{}') end
  from public.assignments a
  cross join lateral (
    select date_trunc('minute', lower(a.period)) as due_from, date_trunc('minute', upper(a.period)) as due_to
  ) d
  cross join lateral (
    select count(*) as records, bool_or(r.clock_out_at is null) as is_open,
      bool_or(r.needs_review) as needs_review, array_agg(distinct f)
        filter (where r.needs_review and f is not null) as flags,
      (array_agg(r.id order by r.clock_in_at))[1] as id
    from public.attendance r left join lateral unnest(r.flags) f on true
    where r.assignment_id = a.id
  ) own
  left join lateral (
    -- Any attendance of the person: who stays on from the shift before is there.
    select range_agg(tstzrange(
      case when r.clock_in_at > d.due_from and r.clock_in_at < d.due_from + make_interval(mins => t.grace + 1)
        then d.due_from else date_trunc('minute', r.clock_in_at) end,
      date_trunc('minute', coalesce(r.clock_out_at, 'infinity')))) as times
    from (
      select o.user_id, o.clock_in_at, o.clock_out_at from public.attendance o
      where o.user_id = a.user_id and (p_extra is null or not exists (
        select from jsonb_array_elements(p_extra) x where (x ->> 'attendance_id')::uuid = o.id))
      union all
      select o.user_id, x.clock_in_at, x.clock_out_at
      from jsonb_to_recordset(p_extra) x (assignment_id uuid, clock_in_at timestamptz, clock_out_at timestamptz)
      join public.assignments o on o.id = x.assignment_id
      where p_extra is not null
    ) r
    cross join lateral (
      select (x.rule).grace_minutes as grace from private.time_rule_days() x
      where (d.due_from at time zone zone)::date >= x.first and (d.due_from at time zone zone)::date < x.until
    ) t
    where r.user_id = a.user_id and r.clock_in_at > d.due_from - interval '2 days' and r.clock_in_at < d.due_to
      and (r.clock_out_at is null or r.clock_out_at > d.due_from)
  ) here on d.due_to <= now() and not a.on_leave
  where a.user_id = any (p_users) and a.status <> 'cancelled'
    and a.period && tstzrange(private.company_midnight(p_first), private.company_midnight(p_last + 1));
end
$$;

create function private.recheck_timesheets_of_site(p_sites uuid[], p_from timestamptz, p_to timestamptz) returns void
language sql security definer set search_path = '' as $$
  insert into private.unbilled_changes (site_id, first_day, last_day)
  select distinct s.id, (p_from at time zone 'UTC')::date - 2, (p_to at time zone 'UTC')::date + 2
  from unnest(p_sites) s (id) where s.id is not null;
$$;

create function private.sum_minutes_for_margin() returns void
language plpgsql security definer set search_path = '' as $$
declare
  run uuid := (
    select r.id from public.pay_runs r
    where r.status in ('locked', 'paid') and not exists (select from private.summed_pay_runs d
      where d.pay_run_id = r.id)
    order by r.period_end desc, r.id limit 1
  );
  invoices uuid[] := array(
    select i.id from public.invoices i
    where i.status <> 'draft' and not exists (select from private.summed_invoices d where d.invoice_id = i.id)
    order by i.period_end desc, i.id limit 500
  );
  -- Months begin at another time when the zone changes; that waits for this run.
  zone text := (select s.time_zone from private.settings s for share);
begin
  insert into private.summed_pay_runs (pay_run_id) select run where run is not null;
  insert into private.paid_minutes (pay_run_id, payslip_id, site_id, month, minutes)
  select run, s.id, t.site_id, date_trunc('month', t.day)::date, sum(t.minutes)
  from public.payslips s
  join public.pay_runs r on r.id = s.pay_run_id
  join public.timesheets h on h.user_id = s.user_id and h.status = 'locked' and h.pay_run_id = run
  join public.time_segments t on t.timesheet_id = h.id and t.day between r.period_start and r.period_end
  where s.pay_run_id = run and t.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
  group by s.id, t.site_id, date_trunc('month', t.day)::date;

  insert into private.summed_invoices (invoice_id) select unnest(invoices);
  insert into private.billed_minutes (invoice_line_id, month, minutes)
  select b.invoice_line_id, date_trunc('month', lower(b.span) at time zone zone)::date, sum(b.minutes)
  from public.invoice_lines l join public.billed_time b on b.invoice_line_id = l.id
  where l.invoice_id = any (invoices) and b.freed_at is null group by 1, 2;
end
$$;

-- One run a time, the newest first. Until it has run, the lines themselves are read.
create function private.sum_locked_runs() returns void
language sql security definer set search_path = '' as $$
  insert into private.pay_run_sums
  select c.* from private.computed_run_sums(array(
    select r.id from public.pay_runs r
    where r.locked_at is not null and r.status in ('locked', 'paid', 'void')
      and not exists (select from private.pay_run_sums s where s.pay_run_id = r.id)
      and exists (select from public.payslips p where p.pay_run_id = r.id)
    order by r.period_end desc, r.id limit 1
  )) c
  on conflict do nothing;
$$;

-- What the job does. Until it has run, the margin and the journal read what is not summed.
create function private.sum_for_margin() returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- Before the lock, because a change of the zone writes timesheets.
  perform from private.settings s for share;
  -- Timesheets that are being written come first.
  if not pg_try_advisory_xact_lock(hashtextextended('private.payslips_apart', 0)) then
    return;
  end if;
  perform private.sum_minutes_for_margin();
  perform private.sum_locked_runs();
  perform private.settle_run();
  perform private.settle_invoices();
end
$$;

-- Sums the days and segments of these timesheets. p_changed have other segments than before, p_touched other days.
create function private.sum_timesheets(p_sheets uuid[], p_changed uuid[], p_touched uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  reopened uuid[];
begin
  with classes as (
    select s.timesheet_id, coalesce(sum(s.minutes) filter (where s.class = 'regular'), 0)::integer as regular,
      coalesce(sum(s.minutes) filter (where s.class = 'overtime_1'), 0)::integer as overtime_1,
      coalesce(sum(s.minutes) filter (where s.class = 'overtime_2'), 0)::integer as overtime_2,
      coalesce(sum(s.minutes) filter (where s.class = 'night'), 0)::integer as night,
      coalesce(sum(s.minutes) filter (where s.class = 'holiday'), 0)::integer as holiday,
      coalesce(sum(s.minutes) filter (where s.class = 'leave_paid'), 0)::integer as leave_paid,
      coalesce(sum(s.minutes) filter (where s.class = 'leave_unpaid'), 0)::integer as leave_unpaid,
      coalesce(sum(s.minutes) filter (where s.class = 'unpaid'), 0)::integer as unpaid
    from public.time_segments s where s.timesheet_id = any (p_sheets) group by s.timesheet_id
  ), days as (
    select d.timesheet_id, sum(d.credited_minutes)::integer as credited, sum(d.planned_minutes)::integer as planned,
      sum(d.missing_minutes)::integer as missing, sum(cardinality(d.issues))::integer as open_issues
    from public.timesheet_days d where d.timesheet_id = any (p_sheets) group by d.timesheet_id
  ), issues as (
    select d.timesheet_id, array_agg(distinct i order by i) as issues
    from public.timesheet_days d, unnest(d.issues) i where d.timesheet_id = any (p_sheets) group by d.timesheet_id
  ), places as (
    select x.timesheet_id, array_agg(x.site_id order by x.site_id) as sites
    from (
      select s.timesheet_id, s.site_id from public.time_segments s
      where s.timesheet_id = any (p_sheets) and s.site_id is not null
      union
      select t.id, a.site_id
      from public.timesheets t
      join public.assignments a on a.user_id = t.user_id and a.status <> 'cancelled' and a.period
        && tstzrange(private.company_midnight(t.period_start), private.company_midnight(t.period_end + 1))
      where t.id = any (p_sheets)
    ) x group by x.timesheet_id
  ), fresh as (
    select t.id, coalesce(c.regular, 0) as regular, coalesce(c.overtime_1, 0) as overtime_1,
      coalesce(c.overtime_2, 0) as overtime_2, coalesce(c.night, 0) as night, coalesce(c.holiday, 0) as holiday,
      coalesce(c.leave_paid, 0) as leave_paid, coalesce(c.leave_unpaid, 0) as leave_unpaid,
      coalesce(c.unpaid, 0) as unpaid, coalesce(d.credited, 0) as credited, coalesce(d.planned, 0) as planned,
      coalesce(d.missing, 0) as missing, coalesce(d.open_issues, 0) as open_issues,
      coalesce(i.issues, '{}') as issues, coalesce(p.sites, '{}') as sites
    from public.timesheets t
    left join classes c on c.timesheet_id = t.id
    left join days d on d.timesheet_id = t.id
    left join issues i on i.timesheet_id = t.id
    left join places p on p.timesheet_id = t.id
    where t.id = any (p_sheets)
  ), written as (
    update public.timesheets t set regular_minutes = f.regular, overtime_1_minutes = f.overtime_1,
      overtime_2_minutes = f.overtime_2, night_minutes = f.night, holiday_minutes = f.holiday,
      leave_paid_minutes = f.leave_paid, leave_unpaid_minutes = f.leave_unpaid, unpaid_minutes = f.unpaid,
      credited_minutes = f.credited, planned_minutes = f.planned, missing_minutes = f.missing,
      open_issues = f.open_issues, issues = f.issues, site_ids = f.sites, computed_at = clock_timestamp()
    from fresh f
    join public.timesheets o on o.id = f.id
    where t.id = f.id and (t.id = any (p_changed) or t.id = any (p_touched) or (
      o.regular_minutes, o.overtime_1_minutes, o.overtime_2_minutes, o.night_minutes, o.holiday_minutes,
      o.leave_paid_minutes, o.leave_unpaid_minutes, o.unpaid_minutes, o.credited_minutes, o.planned_minutes,
      o.missing_minutes, o.open_issues, o.issues, o.site_ids
    ) is distinct from (
      f.regular, f.overtime_1, f.overtime_2, f.night, f.holiday, f.leave_paid, f.leave_unpaid, f.unpaid, f.credited,
      f.planned, f.missing, f.open_issues, f.issues, f.sites
    ))
    returning t.id, t.status, t.id = any (p_changed) or t.open_issues > o.open_issues or (t.credited_minutes,
      t.planned_minutes, t.missing_minutes) <> (o.credited_minutes, o.planned_minutes, o.missing_minutes) as differs
  )
  select array_agg(w.id) into reopened from written w where w.status = 'approved' and w.differs;
  if reopened is not null then
    -- Not a computed figure: the activity log shows it.
    perform set_config('app.computing_time', '', true);
    update public.timesheets t set status = 'open', note = 'Changed after it was approved.',
      approved_at = null, approved_by = null, submitted_at = null, submitted_by = null
    where t.id = any (reopened);
    perform set_config('app.computing_time', 'on', true);
  end if;
end
$$;
