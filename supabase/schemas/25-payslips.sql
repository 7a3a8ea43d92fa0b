-- Payslips: the lines of a person, statutory deductions, hours that are paid once.

-- ── Tables ────────────────────────────────────────────────────────────

-- From approved hours and pay bases to the lines of what was earned. docs/decisions has the rules and a worked example.
--
-- Rounding: an hourly value and each multiple of it are rounded to 6 decimals; every line to the cent, from whole
-- minutes; both half up by magnitude. Nothing else is rounded, and sums are sums of lines.
create type private.pay_line as (
  staff_id uuid, place integer, kind text, label text, quantity numeric, unit text, rate numeric, amount numeric,
  taxable boolean, source jsonb, explanation text
);

-- From attendance and leave to classified segments, by intervals: each span of work is cut where a rule may change its
-- class, and the limits of days and weeks are running sums over the pieces.
create type private.time_piece as (
  user_id uuid, day date, attendance_id uuid, leave_request_id uuid, shift_id uuid, site_id uuid, starts_at timestamptz,
  ends_at timestamptz, class text, rule text, rate numeric, time_rule_id uuid
);

create table public.payslips (
  id uuid default gen_random_uuid() primary key,
  pay_run_id uuid not null references public.pay_runs on delete cascade,
  staff_id uuid not null references public.staff,
  user_id uuid references public.profiles on delete set null, -- Of the staff record when the run was calculated.
  currency text not null check (currency in ('USD', 'LRD')),
  -- What was earned: all lines except taxes, deductions and repayments. Unpaid time is already left out.
  gross numeric(14,2) not null check (gross >= 0),
  taxable numeric(14,2) not null default 0 check (taxable >= 0), -- The part of gross on which income tax is computed.
  deductions numeric(14,2) not null,
  net numeric(14,2) not null check (net >= 0),
  -- NASSCORP of the employer, on top of gross.
  employer_cost numeric(14,2) not null default 0 check (employer_cost >= 0),
  -- A checksum of the approved hours in the period when the run was calculated: locking refuses if they have changed.
  hours_key bigint not null default 0,
  payroll_id uuid unique references public.payroll, -- The specified payroll record, written when the run is locked.
  published_at timestamptz, -- From then on the person sees it.
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payslips_one_per_person unique (pay_run_id, staff_id),
  constraint payslips_add_up check (net = (gross - deductions))
);
create index payslips_staff_id_idx on public.payslips (staff_id, created_at desc);
create index payslips_user_id_idx on public.payslips (user_id);
create index payslips_published_at_idx on public.payslips (published_at) where published_at is not null;
alter table public.payslips replica identity full;
alter publication supabase_realtime add table public.payslips;
-- When a row is written, in this order:
--   1 c_locked_truncate  nothing of a locked pay run can be emptied
--   2 c_locked           refuses what changes a locked pay run
--   3 d_touch
--   4 z_follow_user      the hours of a deleted account are nobody's: stored wages leave them out
--   5 history_of_*       activity log
--   6 e_adds_up          net and gross equal the lines
create trigger c_locked_truncate before truncate on public.payslips
  for each statement execute function private.refuse_truncate_of_locked_runs();
create trigger c_locked before insert or update or delete on public.payslips
  for each row execute function private.keep_locked_payslip();
create trigger d_touch before update on public.payslips for each row execute function private.touch();
create trigger z_follow_user after update of user_id on public.payslips
  for each row when (old.user_id is distinct from new.user_id) execute function private.set_orphaned_payslip_apart();
select private.keep_history_of('public.payslips');
-- When the transaction ends:
create constraint trigger e_adds_up after insert
  or update of gross, net on public.payslips deferrable initially deferred
  for each row execute function private.check_payslip();
alter table public.payslips enable row level security;
revoke insert, update, delete, truncate on public.payslips from service_role;
grant select on public.payslips to authenticated;
create policy "Admins and finance read payslips" on public.payslips
  for select to authenticated using ((select private.may_pay()));
create policy "Members read their own payslips of locked runs" on public.payslips
  for select to authenticated
  using (user_id = (select auth.uid()) and published_at is not null and (select private.is_member()));

create table public.payslip_lines (
  id uuid default gen_random_uuid() primary key,
  payslip_id uuid not null references public.payslips on delete cascade,
  position integer not null,
  kind text not null
    check (kind in ('salary', 'regular', 'overtime_1', 'overtime_2', 'night', 'holiday', 'leave_paid', 'leave_unpaid',
      'absence', 'allowance', 'adjustment', 'income_tax', 'nasscorp', 'deduction', 'advance', 'loan', 'uniform',
      'other')),
  label text not null check (char_length(label) <= 200),
  quantity numeric(14,4),
  unit text not null default '' check (unit in ('h', 'days', 'shifts', '')),
  rate numeric(20,6),
  -- Rounded half up to the cent, by its magnitude; negative lines are taken from pay. 0: only shows hours.
  amount numeric(14,2) not null,
  taxable boolean not null default false,
  -- {table, id} of the record behind it, and minutes where the quantity is in hours.
  source jsonb not null default '{}'::jsonb check (jsonb_typeof(source) = 'object'),
  explanation text not null default '' check (char_length(explanation) <= 500),
  created_at timestamptz not null default now(),
  constraint payslip_lines_position_key unique (payslip_id, "position")
);
alter table public.payslip_lines replica identity full;
alter publication supabase_realtime add table public.payslip_lines;
-- Triggers, in the order in which they fire:
create trigger c_locked_truncate before truncate on public.payslip_lines
  for each statement execute function private.refuse_truncate_of_locked_runs();
create trigger c_locked_deletes after delete on public.payslip_lines referencing old table as old_rows
  for each statement execute function private.keep_locked_lines();
create trigger c_locked_inserts after insert on public.payslip_lines referencing new table as new_rows
  for each statement execute function private.keep_locked_lines();
create trigger c_locked_updates after update on public.payslip_lines
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.keep_locked_lines();
select private.keep_history_of('public.payslip_lines');
-- When the transaction ends:
create constraint trigger e_adds_up after insert or update
  or delete on public.payslip_lines deferrable initially deferred
  for each row execute function private.check_payslip();
alter table public.payslip_lines enable row level security;
revoke insert, update, delete, truncate on public.payslip_lines from service_role;
grant select on public.payslip_lines to authenticated;
create policy "Admins and finance read the lines of payslips" on public.payslip_lines
  for select to authenticated using ((select private.may_pay()));
create policy "Members read the lines of their own payslips" on public.payslip_lines
  for select to authenticated
  using (payslip_id in (
    select s.id from public.payslips s where s.user_id = (select auth.uid()) and s.published_at is not null
  ) and (select private.is_member()));

-- Worked minutes of payslips by site and month, from timesheets that their run has locked.
create table private.paid_minutes (
  pay_run_id uuid not null references public.pay_runs on delete cascade,
  payslip_id uuid not null references public.payslips on delete cascade,
  site_id uuid,
  month date not null,
  minutes bigint not null
);
create index paid_minutes_pay_run_id_idx on private.paid_minutes (pay_run_id);
create index paid_minutes_payslip_id_idx on private.paid_minutes (payslip_id);
alter table private.paid_minutes enable row level security;

-- ── Functions ─────────────────────────────────────────────────────────

-- A payslip equals its lines to the cent when the transaction ends, however it was written.
create function private.check_payslip() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  slip public.payslips;
  earned numeric;
  total numeric;
begin
  if tg_table_name = 'payslips' then
    select * into slip from public.payslips s where s.id = new.id;
  else
    select * into slip from public.payslips s where s.id = coalesce(new.payslip_id, old.payslip_id);
  end if;
  if not found then
    return null;
  end if;
  select coalesce(sum(l.amount), 0), coalesce(sum(l.amount) filter (where l.kind not in
    ('income_tax', 'nasscorp', 'deduction', 'advance', 'loan', 'uniform', 'other')), 0)
  into total, earned from public.payslip_lines l where l.payslip_id = slip.id;
  if (slip.net, slip.gross) <> (total, earned) then
    raise exception 'Payslip %: net % and gross % differ from its lines, which sum to % and %.',
      slip.id, slip.net, slip.gross, total, earned using errcode = 'check_violation';
  end if;
  return null;
end
$$;

create function private.set_orphaned_payslip_apart() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('private.payslips_apart', 0));
  insert into private.payslips_apart (payslip_id, pay_run_id)
  select new.id, d.pay_run_id from private.settled_runs d where d.pay_run_id = new.pay_run_id on conflict do nothing;
  return null;
end
$$;

-- A person who is paid in two currencies has one timesheet. When the run that locked it is voided, it is the other's,
-- whose minutes were summed without it.
create function private.forget_paid_minutes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('private.payslips_apart', 0));
  delete from private.summed_pay_runs d where d.pay_run_id = new.pay_run_id;
  delete from private.paid_minutes m where m.pay_run_id = new.pay_run_id;
  return null;
end
$$;

-- Once per statement: a calculation writes thousands of lines.
create function private.keep_locked_lines() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched uuid[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct n.payslip_id from new_rows n);
  elsif tg_op = 'DELETE' then
    touched := array(select distinct o.payslip_id from old_rows o);
  else
    touched := array(select o.payslip_id from old_rows o union select n.payslip_id from new_rows n);
  end if;
  if exists (
    select from public.payslips s join public.pay_runs r on r.id = s.pay_run_id
    where s.id = any (touched) and r.status in ('locked', 'paid', 'void')
  ) then
    raise exception 'The pay run of this payslip is locked.' using errcode = 'PT409';
  end if;
  return null;
end
$$;

create function private.keep_locked_payslip() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  run_status text := (select r.status from public.pay_runs r
    where r.id = case when tg_op = 'INSERT' then new.pay_run_id else old.pay_run_id end);
begin
  if run_status in ('locked', 'paid', 'void') and not (
    -- An account is deleted, or the run has just been voided.
    tg_op = 'UPDATE' and (
      new.user_id is null and to_jsonb(new) - array['user_id', 'updated_at'] = to_jsonb(old) - array['user_id',
        'updated_at']
      or run_status = 'void' and new.published_at is null
        and to_jsonb(new) - array['published_at', 'updated_at'] = to_jsonb(old) - array['published_at', 'updated_at']
    )
  ) then
    raise exception 'The pay run of this payslip is locked.' using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

-- What the caller has earned so far in the pay period of today, before deductions: an estimate from the records of
-- today by the function that pay runs use. One row a currency, since amounts of two are never added. Hours of a day to
-- come, as of leave, don't count yet; a salary is that of the whole period. No row without a pay basis.
create function public.my_earnings()
returns table (period_start date, period_end date, currency text, basis text, minutes integer, amount numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  mine public.staff;
  today date := private.company_date_of(now());
  pay_group text;
  period daterange;
  week date;
  segments private.time_piece[];
  days public.timesheet_days[];
begin
  select * into mine from public.staff s where s.id = private.own_staff_id();
  pay_group := (private.basis_on(mine.id, today)).payment_frequency;
  if mine.user_id is null or pay_group is null then
    return;
  end if;
  period := private.pay_period(pay_group, today);
  -- As pay_with_records: weeks before matter to overtime.
  week := date_trunc('week', lower(period)::timestamp)::date - 7;
  segments := array(
    select c from private.computed_segments(array[mine.user_id], week, today) c where c.day <= today);
  days := array(
    select row(null, null, d.user_id, d.day, d.planned, d.worked, d.paid, d.missing, d.credited, d.issues,
      d.explanations)::public.timesheet_days
    from private.computed_days(array[mine.user_id], week, today, segments) d where d.day <= today);
  return query
  select lower(period), upper(period) - 1, b.currency, (array_agg(b.basis order by b.first desc))[1],
    coalesce((
      select sum(extract(epoch from s.ends_at - s.starts_at) / 60) from unnest(segments) s
      where s.day between min(b.first) and max(b.last) and s.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
    ), 0)::integer,
    coalesce((
      select sum(e.amount) from private.earning_lines(pay_group, b.currency, lower(period), upper(period) - 1,
        array[mine.id], segments, days) e
    ), 0)
  from private.basis_days(lower(period), upper(period) - 1, array[mine.id]) b
  where b.payment_frequency = pay_group
  group by b.currency order by max(b.first) desc, b.currency;
end
$$;
grant execute on function public.my_earnings to authenticated;

-- The caller's own payslips, with name and role from the staff record, which they can't read.
create function public.my_payslips()
returns TABLE(
  id uuid, full_name text, role text, period_start date, period_end date, base_amount numeric, deductions numeric,
  bonuses numeric, net_amount numeric, payment_date date, payment_status text, notes text, calculation jsonb,
  currency text, payslips jsonb, returned_on date, return_reason text, tin text, nasscorp_number text
)
language sql stable security definer set search_path = '' as $function$
  select p.id, s.full_name, s.role, p.period_start, p.period_end, p.base_amount, p.deductions, p.bonuses,
    p.net_amount, p.payment_date, p.payment_status, p.notes, p.calculation, p.currency,
    (select jsonb_build_object('gross', t.gross, 'deductions', t.deductions, 'net', t.net, 'currency', t.currency,
        'employer_cost', t.employer_cost, 'year_to_date', public.year_to_date(t), 'payslip_lines', (
          select coalesce(jsonb_agg(jsonb_build_object('position', l.position, 'kind', l.kind, 'label', l.label,
            'quantity', l.quantity, 'unit', l.unit, 'rate', l.rate, 'amount', l.amount, 'explanation', l.explanation)
              order by l.position), '[]')
          from public.payslip_lines l where l.payslip_id = t.id))
      from public.payslips t where t.payroll_id = p.id and t.published_at is not null),
    p.returned_on, p.return_reason, s.tin, s.nasscorp_number
  from public.staff s
  join public.payroll p on p.staff_id = s.id
  -- Null if the caller is not a member or has no staff record.
  where s.id = (select private.own_staff_id()) order by p.period_start desc, p.created_at desc;
$function$;
comment on function public.my_payslips is 'Nullable: payment_date, notes, calculation, payslips, returned_on, '
  'return_reason, tin, nasscorp_number';
grant execute on function public.my_payslips to authenticated;

-- A run belongs to the month in which its period ends. Once a return of the month is prepared, the lines of that count.
-- Amounts of different currencies are listed and summed apart. The rows are in one document, so that no limit on rows
-- cuts a return short: all of them, or with p_size page p_page (from 1) of them. `count` is the number of all rows.
create function public.statutory_schedule(
  p_month date, p_kind text, p_page integer default 1, p_size integer default null
) returns jsonb
language plpgsql
  stable
  security definer
  set search_path = ''
  set plan_cache_mode = force_custom_plan
  set work_mem = '32MB' as $$
declare
  first_day date;
  last_day date;
  rate_kinds text[];
begin
  perform private.require_pay_role();
  if p_month is null or p_month not between '2000-01-01' and '2100-12-31' then
    raise exception 'Choose a month.' using errcode = 'invalid_parameter_value';
  end if;
  rate_kinds := case p_kind
    when 'paye' then array['income_tax', 'income_tax_no_tin']
    when 'nasscorp' then array['nasscorp_employee', 'nasscorp_employer']
  end;
  if rate_kinds is null then
    raise exception 'A return is for paye or nasscorp.' using errcode = 'invalid_parameter_value';
  end if;
  if p_page is null or p_page not between 1 and 100000 or p_size not between 1 and 1000 then
    raise exception 'Choose a page, and a size of at most 1000.' using errcode = 'invalid_parameter_value';
  end if;
  first_day := date_trunc('month', p_month)::date;
  last_day := (first_day + interval '1 month - 1 day')::date;
  return (
    with known as materialized (
      select q.id from public.pay_returns q where q.kind = p_kind and q.month = first_day
    ), runs as materialized (
      select r.* from public.pay_runs r where r.period_end between first_day and last_day and r.status <> 'void'
    ), locked as materialized (
      select r.id, r.currency from runs r where r.status in ('locked', 'paid') and not exists (select from known)
    ), people as materialized (
      -- From an index alone: a payslip has the currency of its run.
      select s.staff_id, r.currency
      from locked r join public.payslips s on s.pay_run_id = r.id
      group by s.staff_id, r.currency
      union all
      select l.staff_id, l.currency from known k join public.pay_return_lines l on l.return_id = k.id
      group by l.staff_id, l.currency
    ), page as materialized (
      select p.staff_id, p.currency, f.full_name, f.tin, f.nasscorp_number, f.tax_resident
      from people p join public.staff f on f.id = p.staff_id
      order by p.currency desc, f.full_name, p.staff_id
      limit p_size offset (p_page - 1) * coalesce(p_size, 0)
    ), slips as (
      select p.staff_id, p.currency, p.full_name, p.tin, p.nasscorp_number, p.tax_resident, s.gross, s.taxable, t.tax,
        t.employee, s.employer_cost as employer
      from page p
      join locked r on r.currency = p.currency
      join public.payslips s on s.pay_run_id = r.id and s.staff_id = p.staff_id
      cross join lateral (
        select coalesce(sum(-l.amount) filter (where l.kind = 'income_tax'), 0) as tax,
          coalesce(sum(-l.amount) filter (where l.kind = 'nasscorp'), 0) as employee
        from public.payslip_lines l where l.payslip_id = s.id
      ) t
      union all
      select p.staff_id, p.currency, p.full_name, l.tin, l.nasscorp_number, l.tax_resident, l.gross, l.taxable, l.tax,
        l.employee, l.employer
      from known k join public.pay_return_lines l on l.return_id = k.id
      join page p on p.staff_id = l.staff_id and p.currency = l.currency
    ), lines as (
      select s.staff_id, s.full_name, s.currency, max(s.tin) as tin, max(s.nasscorp_number) as nasscorp_number,
        bool_and(s.tax_resident) as tax_resident, count(*)::integer as payslips, sum(s.gross) as gross,
        sum(s.taxable) as taxable, sum(s.tax) as tax, sum(s.employee) as employee, sum(s.employer) as employer
      from slips s group by s.staff_id, s.full_name, s.currency
    ), parts as materialized (
      select * from private.parts_of_return((select k.id from known k), array(select r.id from locked r))
    )
    select jsonb_build_object(
      'month', first_day,
      'due_on', private.pay_return_due_on(first_day),
      'rates', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', t.kind, 'from_amount', t.from_amount, 'rate', t.rate,
          'effective_from', t.effective_from, 'source', t.source) order by t.kind, t.from_amount), '[]')
        from public.pay_rates t
        where t.kind = any (rate_kinds) and t.effective_from = (
          select coalesce(max(u.effective_from) filter (where u.effective_from <= last_day), min(u.effective_from))
          from public.pay_rates u where u.kind = t.kind)
          and (t.kind <> 'income_tax_no_tin' or t.effective_from <= last_day)
      ),
      'exchange_rates', (
        select coalesce(jsonb_agg(distinct r.lrd_per_usd), '[]') from runs r
        where r.status in ('locked', 'paid') and r.lrd_per_usd is not null
      ),
      'runs', (select count(*) from runs r where r.status in ('locked', 'paid')),
      'open_runs', (select count(*) from runs r where r.status not in ('locked', 'paid')),
      'count', (select count(*) from people),
      'missing', (
        select count(distinct p.staff_id) from people p join public.staff f on f.id = p.staff_id
        where case p_kind when 'paye' then f.tin else f.nasscorp_number end is null
      ),
      'parts', (
        select coalesce(jsonb_agg(to_jsonb(p) order by p.is_reversal, p.period_end desc, p.pay_group,
          p.currency desc), '[]') from parts p
      ),
      'rows', (
        select coalesce(jsonb_agg(jsonb_build_object('staff_id', l.staff_id, 'full_name', l.full_name, 'tin', l.tin,
          'nasscorp_number', l.nasscorp_number, 'tax_resident', l.tax_resident, 'currency', l.currency,
          'payslips', l.payslips, 'gross', l.gross::text, 'taxable', l.taxable::text, 'tax', l.tax::text,
          'employee', l.employee::text, 'employer', l.employer::text)
          order by l.currency desc, l.full_name, l.staff_id), '[]')
        from lines l
      ),
      'totals', (
        select coalesce(jsonb_agg(to_jsonb(t) order by t.currency desc), '[]')
        from (
          select s.currency, (select count(*) from people p where p.currency = s.currency) as people,
            sum(s.gross::numeric)::text as gross, sum(s.taxable::numeric)::text as taxable,
            sum(s.tax::numeric)::text as tax, sum(s.employee::numeric)::text as employee,
            sum(s.employer::numeric)::text as employer
          from parts s group by s.currency
        ) t
      )
    )
  );
end
$$;
grant execute on function public.statutory_schedule to authenticated;

-- Approved adjustments that no run has paid yet, also of people who earned nothing in the period or have left: by the
-- group of their last basis. One that would take gross pay below zero waits for the next run.
create function private.adjustment_lines(p_run public.pay_runs, p_earned private.pay_line[])
returns setof private.pay_line
language sql stable security definer set search_path = '' as $$
  with sums as (
    select e.staff_id, sum(e.amount) as gross from unnest(p_earned) e group by e.staff_id
  ), waiting as (
    select a.*, s.id as payee, c.amount as due, coalesce(g.gross, 0) as gross
    from public.pay_adjustments a
    join public.staff s on s.id = a.staff_id or a.staff_id is null and s.user_id = a.user_id
    cross join lateral (
      select coalesce(a.converted_amount, a.amount) as amount, coalesce(a.converted_currency, a.currency) as currency
    ) c
    left join sums g on g.staff_id = s.id
    where a.status = 'approved' and a.payslip_line_id is null and c.currency = p_run.currency and c.amount <> 0
      and a.kind <> 'income_tax'
      and (g.staff_id is not null or (private.basis_on(s.id, p_run.period_end)).payment_frequency = p_run.pay_group)
  ), taken as (
    select w.*, case when w.due > 0 then w.due else -greatest(0, least(-w.due,
      w.gross + sum(greatest(w.due, 0)) over (partition by w.payee) + coalesce(sum(w.due) filter (where w.due < 0)
        over (
        partition by w.payee order by w.created_at, w.id rows between unbounded preceding and 1 preceding),
          0))) end as takes
    from waiting w
  )
  select t.payee, 950 + row_number() over (partition by t.payee order by t.created_at, t.id)::integer, 'adjustment',
    case t.kind when 'severance' then 'Severance'
      when 'thirteenth_month' then 'Thirteenth month ' || to_char(t.period_end, 'YYYY')
      else format('Correction of %s to %s', to_char(t.period_start, 'Mon FMDD'),
        to_char(t.period_end, 'Mon FMDD, YYYY')) end,
    1, '', t.takes, t.takes, t.taxable, jsonb_build_object('table', 'pay_adjustments', 'id', t.id, 'of', t.due),
    left(concat_ws(' ', case when t.takes <> t.due
      then format('%s of %s: no more pay was left, the rest follows in the next run.',
        private.money_text(-t.takes, p_run.currency), private.money_text(-t.due, p_run.currency)) end,
      case when t.converted_amount is not null
        then format('%s at L$%s per US$ of %s.', private.money_text(t.amount, t.currency),
        trim_scale(t.exchange_rate), to_char(t.exchange_rate_on, 'Mon FMDD, YYYY')) end,
      t.explanation,
      case when t.figure_before is not null and t.figure_after is not null then format('Paid %s, recomputed %s.',
        private.money_text(t.figure_before, t.currency), private.money_text(t.figure_after, t.currency)) end), 500)
  from taken t where t.takes <> 0;
$$;

-- Who is paid in a run, and by which basis on which of its days. A shift that begins on the last day of an employment
-- is paid to its end, so its hours after midnight have that day's basis: until hours_last. If the employment ended on
-- the day before the run, those hours are a piece without days.
create function private.run_pieces(
  p_pay_group text, p_currency text, p_from date, p_to date, p_staff uuid[] default null
)
returns table (
  staff_id uuid, user_id uuid, full_name text, basis_id uuid, basis text, amount numeric, first date, last date,
  hour_value numeric, rule public.time_rules, piece integer, hours_last date
)
language sql stable security definer set search_path = '' as $$
  select d.staff_id, d.user_id, d.full_name, d.basis_id, d.basis, d.amount, d.first, d.last,
    case d.basis when 'hourly' then d.amount
      -- A year of pay over 52 weeks of the regular hours: 143 a month is 0.6875 an hour.
      when 'salary' then round(
        d.amount * private.periods_a_year(d.payment_frequency) * 60 / (52 * (r.rule).week_minutes), 6) end,
    r.rule, row_number() over (partition by d.staff_id order by d.first)::integer,
    case when d.last = s.end_date then d.last + 1 else d.last end
  from (
    select b.* from private.basis_days(p_from, p_to, p_staff) b
    union all
    select b.staff_id, b.user_id, b.full_name, b.tax_resident, b.basis_id, b.basis, b.payment_frequency, b.amount,
      b.currency, p_from, b.last
    from private.basis_days(p_from - 1, p_from - 1, p_staff) b
    join public.staff e on e.id = b.staff_id and e.end_date = b.last
  ) d
  join public.staff s on s.id = d.staff_id
  join private.time_rule_days() r on d.last >= r.first and d.last < r.until
  where d.payment_frequency = p_pay_group and d.currency = p_currency;
$$;

-- The hours that pay runs pay: segments of approved and locked timesheets on [p_from - 7, p_to]. The days before p_from
-- are needed for weeks and night shifts that began there. p_segments replaces them, to answer what would have been
-- paid.
create function private.paid_segments(
  p_users uuid[], p_from date, p_to date, p_segments private.time_piece[] DEFAULT NULL::private.time_piece[]
)
returns TABLE(
  user_id uuid, day date, shift_key uuid, starts_at timestamp with time zone, minutes integer, class text, rate numeric,
  covered integer, shift_day date
)
language sql stable security definer set search_path = '' as $$
  with found as (
    -- Who clocks out and in again within a shift has two records of one shift.
    select s.user_id, s.day, coalesce(s.shift_id, s.attendance_id) as shift_key, s.starts_at, s.minutes, s.class,
      s.rate,
      s.time_rule_id
    from public.time_segments s join public.timesheets t on t.id = s.timesheet_id
    where p_segments is null and s.user_id = any (p_users) and s.day between p_from - 7 and p_to
      and (s.day < p_from or t.status in ('approved', 'locked'))
      -- Adjustments pay these.
      and not exists (
        select from private.late_hours h where h.timesheet_id = s.timesheet_id and h.attendance_id = s.attendance_id)
    union all
    select s.user_id, s.day, coalesce(s.shift_id, s.attendance_id), s.starts_at,
      (extract(epoch from s.ends_at - s.starts_at) / 60)::integer, s.class, s.rate, s.time_rule_id
    from unnest(p_segments) s
    where s.user_id = any (p_users) and s.day between p_from - 7 and p_to
  ), in_day as (
    select f.*, r.week_minutes, r.day_minutes, f.class in ('regular', 'night', 'holiday') as is_counted,
      coalesce(sum(f.minutes) filter (where f.class in ('regular', 'night', 'holiday')) over (
        partition by f.user_id, f.day order by f.starts_at rows between unbounded preceding and 1 preceding),
          0) as before
    from found f join public.time_rules r on r.id = f.time_rule_id
  ), counted as (
    -- Minutes beyond the day's limit don't count again towards the week's.
    select d.*, case when d.is_counted then
      least(d.before + d.minutes, d.day_minutes) - least(d.before, d.day_minutes) else 0 end as counts
    from in_day d
  )
  select f.user_id, f.day, f.shift_key, f.starts_at, f.minutes, f.class, f.rate,
    -- Of work on a holiday, the minutes within the limits of its day and week: a salary contains them once.
    case when f.class = 'holiday' then greatest(0, least(f.counts,
      f.week_minutes - coalesce(sum(f.counts) over (
        partition by f.user_id, date_trunc('week', f.day::timestamp) order by f.starts_at
        rows between unbounded preceding and 1 preceding), 0)
    ))::integer else 0 end,
    -- A shift counts on the day on which its paid work began.
    min(f.day) filter (where f.class not in ('unpaid', 'leave_paid', 'leave_unpaid')) over (
      partition by f.user_id, f.shift_key)
  from counted f;
$$;

-- Missing and credited minutes of approved and locked timesheets. p_days replaces them, to answer what would have been
-- paid.
create function private.paid_days(p_users uuid[], p_from date, p_to date, p_days public.timesheet_days[] default null)
returns table (user_id uuid, day date, missing_minutes integer, credited_minutes integer)
language sql stable security definer set search_path = '' as $$
  select d.user_id, d.day, d.missing_minutes, d.credited_minutes
  from public.timesheet_days d join public.timesheets t on t.id = d.timesheet_id
  where p_days is null and d.user_id = any (p_users) and d.day between p_from and p_to
    and t.status in ('approved', 'locked')
  union all
  select d.user_id, d.day, d.missing_minutes, d.credited_minutes from unnest(p_days) d
  where d.user_id = any (p_users) and d.day between p_from and p_to;
$$;

-- "104 h", "2 h 7 min". Shares of a week may be fractions of a minute.
create function private.pay_hours_text(p_minutes numeric) returns text
language sql immutable set search_path = '' return private.minutes_text(round(p_minutes));

-- One line for each basis, class and rate: hours from whole minutes, times a multiple of the hourly value.
create function private.hour_lines(
  p_currency text, p_from date, p_to date, p_pieces_of uuid[], p_pay_group text,
  p_segments private.time_piece[] default null, p_days public.timesheet_days[] default null
) returns setof private.pay_line
language sql stable security definer set search_path = '' as $$
  with pieces as materialized (
    select * from private.run_pieces(p_pay_group, p_currency, p_from, p_to, p_pieces_of)
  ), segments as materialized (
    select s.* from private.paid_segments(
      array(select distinct p.user_id from pieces p where p.user_id is not null), p_from, p_to, p_segments) s
    where s.day >= p_from
  ), credits as materialized (
    select d.* from private.paid_days(
      array(select distinct p.user_id from pieces p
        where p.basis = 'hourly' and p.user_id is not null), p_from, p_to, p_days) d
    where d.credited_minutes <> 0
  ), worked as (
    select p.staff_id, p.piece, count(distinct s.shift_key)
      filter (where s.shift_day between p.first and p.last) as shifts,
      coalesce(sum(s.minutes) filter (where s.class not in ('unpaid', 'leave_paid', 'leave_unpaid')), 0) as minutes,
      count(distinct s.day) filter (where s.class = 'leave_paid') as leave_days
    from pieces p join segments s on s.user_id = p.user_id and s.day between p.first and p.hours_last
      and (s.day <= p.last or s.shift_day <= p.last)
    where p.basis = 'shift' group by p.staff_id, p.piece
  ), classes as (
    -- What a salary covers, and what comes on top of it, are lines of their own.
    select p.staff_id, p.piece, p.basis, p.basis_id, p.amount, p.hour_value, s.class, s.rate, part.covered,
      p.last < p.first as is_after, sum(part.minutes) as minutes
    from pieces p
    join segments s on s.user_id = p.user_id and s.day between p.first and p.hours_last
      and (s.day <= p.last or s.shift_day <= p.last)
    cross join lateral (values
      (true, case when s.class = 'holiday' then s.covered
        when s.class in ('regular', 'night', 'leave_paid') then s.minutes else 0 end),
      (false, case when s.class = 'holiday' then s.minutes - s.covered
        when s.class in ('overtime_1', 'overtime_2') then s.minutes else 0 end)
    ) part (covered, minutes)
    where s.class not in ('unpaid', 'leave_unpaid') and part.minutes > 0
    group by p.staff_id, p.piece, p.basis, p.basis_id, p.amount, p.hour_value, s.class, s.rate, part.covered, is_after
  ), valued as (
    select c.staff_id, c.piece, c.basis_id, c.class, c.rate, sum(c.minutes) as minutes, v.multiple, v.hour_value
    from classes c
    left join worked w on w.staff_id = c.staff_id and w.piece = c.piece
    cross join lateral (select
      case c.basis when 'hourly' then c.rate
        when 'salary' then case when c.covered then c.rate - 1 else c.rate end
        else case when c.class in ('regular', 'leave_paid') then 0 else greatest(c.rate - 1, 0) end end as multiple,
      case when c.basis = 'shift' then coalesce(round(c.amount * w.shifts * 60 / nullif(w.minutes, 0), 6), 0)
        else c.hour_value end as hour_value
    ) v
    where (c.basis <> 'shift' or c.class not in ('regular', 'leave_paid'))
      -- The run before has paid what a salary or a shift contains.
      and not (c.is_after and v.multiple * v.hour_value = 0)
    group by c.staff_id, c.piece, c.basis_id, c.class, c.rate, v.multiple, v.hour_value
  )
  select v.staff_id, v.piece * 100 + case v.class when 'regular' then 10 when 'night' then 20 when 'overtime_1' then 30
      when 'overtime_2' then 40 when 'holiday' then 50 else 60 end, v.class,
    case v.class when 'regular' then 'Regular hours' when 'night' then 'Night hours' when 'overtime_1' then 'Overtime'
      when 'overtime_2' then 'Overtime, second tier' when 'holiday' then 'Holiday hours' else 'Paid leave' end,
    round(v.minutes::numeric / 60, 4), 'h', round(v.hour_value * v.multiple, 6),
    round(v.minutes * round(v.hour_value * v.multiple, 6) / 60, 2), true,
    jsonb_build_object('table', 'pay_bases', 'id', v.basis_id, 'minutes', v.minutes),
    case when v.multiple = 0 then format('%s are in the pay.', private.pay_hours_text(v.minutes))
      when v.multiple = v.rate then format('%s x %s x %s an hour.', private.pay_hours_text(v.minutes),
        trim_scale(v.rate),
        private.money_text(v.hour_value, p_currency))
      else format('%s at %s times; the pay contains them once, so %s x %s an hour come on top.',
        private.pay_hours_text(v.minutes), trim_scale(v.rate), trim_scale(v.multiple),
        private.money_text(v.hour_value, p_currency)) end
  from valued v
  union all
  select p.staff_id, p.piece * 100 + 10, 'regular', 'Shifts', w.shifts, 'shifts', p.amount, w.shifts * p.amount, true,
    jsonb_build_object('table', 'pay_bases', 'id', p.basis_id),
    format('%s shifts at %s.', w.shifts, private.money_text(p.amount, p_currency))
  from pieces p join worked w on w.staff_id = p.staff_id and w.piece = p.piece where w.shifts > 0
  union all
  select p.staff_id, p.piece * 100 + 60, 'leave_paid', 'Paid leave', w.leave_days, 'days',
    round(p.amount * (p.rule).leave_rate, 6), round(w.leave_days * round(p.amount * (p.rule).leave_rate, 6), 2), true,
    jsonb_build_object('table', 'pay_bases', 'id', p.basis_id),
    format('%s days of paid leave, each as one shift.', w.leave_days)
  from pieces p join worked w on w.staff_id = p.staff_id and w.piece = p.piece where w.leave_days > 0
  union all
  -- Grace and rounding of the days, which are no segments.
  select p.staff_id, p.piece * 100 + 15, 'regular', 'Grace and rounding', round(c.minutes::numeric / 60, 4), 'h',
    p.amount,
    round(c.minutes * p.amount / 60, 2), true,
    jsonb_build_object('table', 'pay_bases', 'id', p.basis_id, 'minutes', c.minutes),
    format('%s min of grace and rounding.', c.minutes)
  from pieces p
  join lateral (
    select sum(d.credited_minutes) as minutes from credits d
      where d.user_id = p.user_id and d.day between p.first and p.last
  ) c on true
  where p.basis = 'hourly' and c.minutes <> 0;
$$;

-- Everything that a person earned in a period: salary, hours, unpaid time and allowances, as lines.
create function private.earning_lines(
  p_pay_group text, p_currency text, p_from date, p_to date, p_staff uuid[] default null,
  p_segments private.time_piece[] default null, p_days public.timesheet_days[] default null
) returns setof private.pay_line
language sql stable security definer set search_path = '' as $$
  with pieces as materialized (
    select p.*, p_to - p_from + 1 as period_days, p.last - p.first + 1 as days
    from private.run_pieces(p_pay_group, p_currency, p_from, p_to, p_staff) p
  ), salaries as materialized (
    select p.*, case when p.days = p.period_days then p.amount
      else round(p.amount * p.days / p.period_days, 2) end as salary
    from pieces p where p.basis = 'salary' and p.days > 0
  ), unpaid as (
    select s.*, u.leave_unpaid, u.missing,
      least(s.salary, round(u.leave_unpaid * s.hour_value / 60, 2)) as for_leave,
      least(s.salary, round(u.missing * s.hour_value / 60, 2)) as for_missing
    from salaries s
    join private.unpaid_time(p_pay_group, p_currency, p_from, p_to, p_staff, p_segments, p_days) u
      on u.staff_id = s.staff_id and u.piece = s.piece
  ), days_worked as materialized (
    select s.user_id, s.day, s.shift_key, s.shift_day
    from private.paid_segments(
      array(select distinct p.user_id from pieces p where p.user_id is not null
        and exists (select from public.pay_items i where i.staff_id = p.staff_id and i.per <> 'period')),
      p_from, p_to, p_segments) s
    where s.day >= p_from and s.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
  )
  select s.staff_id, s.piece * 100, 'salary',
    case when s.days = s.period_days then 'Salary' else format('Salary, %s to %s', to_char(s.first, 'Mon FMDD'),
      to_char(s.last, 'Mon FMDD')) end,
    case when s.days = s.period_days then 1 else s.days end, case when s.days = s.period_days then '' else 'days' end,
    case when s.days = s.period_days then s.amount else round(s.amount / s.period_days, 6) end, s.salary, true,
    jsonb_build_object('table', 'pay_bases', 'id', s.basis_id),
    case when s.days = s.period_days then format('%s for the period.', private.money_text(s.amount, p_currency))
      else format('%s of %s days of %s.', s.days, s.period_days, private.money_text(s.amount, p_currency)) end
  from salaries s
  union all
  select h.* from private.hour_lines(p_currency, p_from, p_to, p_staff, p_pay_group, p_segments, p_days) h
  union all
  select u.staff_id, u.piece * 100 + 70, 'leave_unpaid', 'Unpaid leave', round(u.leave_unpaid::numeric / 60, 4), 'h',
    u.hour_value, -u.for_leave, true,
    jsonb_build_object('table', 'pay_bases', 'id', u.basis_id, 'minutes', u.leave_unpaid),
    format('%s of unpaid leave in weeks of less than %s paid, x %s.', private.pay_hours_text(u.leave_unpaid),
      private.pay_hours_text((u.rule).week_minutes), private.money_text(u.hour_value, p_currency))
  from unpaid u where u.for_leave > 0
  union all
  select u.staff_id, u.piece * 100 + 80, 'absence', 'Missing hours', round(u.missing::numeric / 60, 4), 'h',
    u.hour_value,
    -least(u.for_missing, u.salary - u.for_leave), true,
    jsonb_build_object('table', 'pay_bases', 'id', u.basis_id, 'minutes', u.missing),
    format('%s planned but not worked, in weeks of less than %s paid, x %s.', private.pay_hours_text(u.missing),
      private.pay_hours_text((u.rule).week_minutes), private.money_text(u.hour_value, p_currency))
  from unpaid u where least(u.for_missing, u.salary - u.for_leave) > 0
  union all
  select i.staff_id, 900 + row_number() over (partition by i.staff_id order by i.effective_from, i.name, i.id)::integer,
    'allowance', i.name, q.quantity, q.unit, q.rate, q.amount, i.taxable,
    jsonb_build_object('table', 'pay_items', 'id', i.id), q.explanation
  from public.pay_items i
  cross join lateral (
    -- The days of the run's pieces on which the item is in force.
    select coalesce(sum(least(p.last, i.effective_to) - greatest(p.first, i.effective_from) + 1), 0)::integer as days,
      max(p.period_days) as period_days, min(p.user_id::text)::uuid as user_id
    from pieces p
    where p.staff_id = i.staff_id and p.first <= coalesce(i.effective_to, p.last) and p.last >= i.effective_from
  ) d
  cross join lateral (
    select count(distinct w.day) filter (where w.day between i.effective_from and coalesce(i.effective_to, p_to)
        and w.day between p.first and p.last) as days,
      count(distinct w.shift_key) filter (where w.shift_day between i.effective_from and coalesce(i.effective_to, p_to)
        and w.shift_day between p.first and p.last) as shifts
    from days_worked w join pieces p on p.staff_id = i.staff_id where w.user_id = d.user_id
  ) w
  cross join lateral (
    select case i.per when 'day' then w.days when 'shift' then w.shifts
        else case when d.days = d.period_days then 1 else d.days end end as quantity,
      case i.per when 'day' then 'days' when 'shift' then 'shifts'
        else case when d.days = d.period_days then '' else 'days' end end as unit,
      case when i.per = 'period' and d.days < d.period_days then round(i.amount / d.period_days, 6)
        else i.amount end as rate,
      case i.per when 'day' then w.days * i.amount when 'shift' then w.shifts * i.amount
        else case when d.days = d.period_days then i.amount
          else round(i.amount * d.days / d.period_days, 2) end end as amount,
      case i.per when 'day' then format('%s for each of %s days worked.', private.money_text(i.amount, p_currency),
        w.days)
        when 'shift' then format('%s for each of %s shifts.', private.money_text(i.amount, p_currency), w.shifts)
        else case when d.days = d.period_days
          then format('%s for the period.', private.money_text(i.amount, p_currency))
          else format('%s of %s days of %s.', d.days, d.period_days, private.money_text(i.amount, p_currency)) end
      end as explanation
  ) q
  where i.kind = 'allowance' and i.currency = p_currency and d.days > 0 and q.amount > 0;
$$;

-- The margin shares the pay of a period over its worked minutes, which are others now.
create function private.forget_minutes_of_sheets(p_sheets uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  runs uuid[] := array(select t.pay_run_id from public.timesheets t
    where t.id = any (p_sheets) and t.pay_run_id is not null);
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('private.payslips_apart', 0));
  delete from private.summed_pay_runs d where d.pay_run_id = any (runs);
  delete from private.paid_minutes m where m.pay_run_id = any (runs);
  delete from private.wage_sums w where w.pay_run_id = any (runs);
  update private.settled_runs d set is_summed = false where d.pay_run_id = any (runs);
end
$$;

-- A figure that changes with any of a person's approved hours, so that locking notices. The factors are primes.
create function private.hours_fingerprints(p_users uuid[], p_from date, p_to date)
returns table (user_id uuid, hours_key bigint)
language sql stable security definer set search_path = '' as $$
  select t.user_id, sum(
    t.regular_minutes + t.overtime_1_minutes * 3 + t.overtime_2_minutes * 5 + t.night_minutes * 7
    + t.holiday_minutes * 11 + t.leave_paid_minutes * 13 + t.leave_unpaid_minutes * 17 + t.missing_minutes * 19
    + t.credited_minutes * 23)::bigint
  from public.timesheets t
  where t.user_id = any (p_users) and t.period_start <= p_to and t.period_end >= p_from
    and t.status in ('approved', 'locked')
  group by t.user_id;
$$;

-- @param p_beside, p_withheld taxable pay of the month in other runs and its tax, in LRD. A negative amount is given
-- back.
create function private.month_tax(
  p_taxable numeric, p_currency text, p_lrd_per_usd numeric, p_on date, p_resident boolean, p_beside numeric,
  p_withheld numeric, p_has_tin boolean default true
) returns table (amount numeric, explanation text)
language plpgsql stable security definer set search_path = '' as $$
declare
  exchange numeric := case p_currency when 'USD' then p_lrd_per_usd else 1 end;
  month numeric := p_taxable * exchange + p_beside;
  flat numeric;
  bands date;
  tax numeric;
  -- The least share without a tax number. Unlike other rates it doesn't count before its first day.
  least_share numeric := case when not p_has_tin then (
    select r.rate from public.pay_rates r where r.kind = 'income_tax_no_tin' and r.effective_from <= p_on
    order by r.effective_from desc limit 1) end;
  rest text := case when p_beside <> 0 or p_withheld <> 0 then format(' Withheld in other runs of the month: L$%s.',
    to_char(p_withheld, 'FM999,999,999,990.00')) else '' end;
  base text := private.money_text(p_taxable, p_currency) || case when p_beside <> 0
    then format(' and L$%s of other runs of the month', to_char(p_beside, 'FM999,999,999,999,990.00')) else '' end;
begin
  if not p_resident then
    flat := coalesce(private.pay_rate('income_tax_non_resident', p_on), 0);
  end if;
  if flat >= coalesce(least_share, 0) then
    amount := round((month * flat - p_withheld) / exchange, 2);
    explanation := format('%s%% of %s, for non-residents.%s', trim_scale(flat * 100), base, rest);
    return next;
    return;
  end if;
  select coalesce(max(r.effective_from) filter (where r.effective_from <= p_on), min(r.effective_from))
  into bands from public.pay_rates r where r.kind = 'income_tax';
  select coalesce(sum((least(month * 12, b.upper) - b.from_amount) * b.rate), 0) into tax
  from (
    select r.from_amount, r.rate, coalesce(lead(r.from_amount)
      over (order by r.from_amount), 'Infinity'::numeric) as upper
    from public.pay_rates r where r.kind = 'income_tax' and r.effective_from = bands
  ) b
  where month * 12 > b.from_amount;
  if not p_resident or month * least_share > tax / 12 then
    amount := round((month * least_share - p_withheld) / exchange, 2);
    explanation := format('%s%% of %s, without a tax number (TIN).%s', trim_scale(least_share * 100), base, rest);
    return next;
    return;
  end if;
  amount := round((tax / 12 - p_withheld) / exchange, 2);
  explanation := format('%s x 12 = L$%s a year%s; tax L$%s a year.%s', base,
    to_char(month * 12, 'FM999,999,999,999,990.00'),
    case when p_currency = 'USD' then format(' at L$%s per US$', trim_scale(exchange)) else '' end,
    to_char(tax, 'FM999,999,999,990.00'), rest);
  return next;
end
$$;

-- What the payslip paid before taxes and repayments, without corrections of earlier periods.
create function private.paid_before_tax(p_payslip_id uuid) returns numeric
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(l.amount), 0) from public.payslip_lines l
  where l.payslip_id = p_payslip_id and l.kind not in
    ('adjustment', 'income_tax', 'nasscorp', 'deduction', 'advance', 'loan', 'uniform', 'other');
$$;

-- What a person would be paid before tax for these days if these records had been known: p_extra as
-- private.worked_spans has them.
create function private.pay_with_records(
  p_staff_id uuid, p_user_id uuid, p_pay_group text, p_currency text, p_first date, p_last date, p_extra jsonb
) returns numeric
language plpgsql stable security definer set search_path = '' as $$
declare
  first date := date_trunc('week', p_first::timestamp)::date - 7;
  last date := date_trunc('week', p_last::timestamp)::date + 6;
  segments private.time_piece[];
  days public.timesheet_days[];
begin
  segments := array(select c from private.computed_segments(array[p_user_id], first, last, p_extra) c);
  days := array(
    select row(null, null, d.user_id, d.day, d.planned, d.worked, d.paid, d.missing, d.credited, d.issues,
      d.explanations)
      ::public.timesheet_days
    from private.computed_days(array[p_user_id], first, last, segments, p_extra) d);
  return (
    select coalesce(sum(e.amount), 0)
    from private.earning_lines(p_pay_group, p_currency, p_first, p_last, array[p_staff_id], segments, days) e);
end
$$;

-- Repayments of advances, loans and uniforms, oldest first: each its part at most, all together a share of the pay that
-- is left, rounded down. What does not fit waits for the next run.
create function private.repayment_lines(p_run public.pay_runs, p_lines private.pay_line[])
returns setof private.pay_line
language sql stable security definer set search_path = '' as $$
  with sums as (
    select l.staff_id, trunc(greatest(0, sum(l.amount)) * (
      select (r.rule).max_deduction_share from private.time_rule_days() r
      where p_run.period_end >= r.first and p_run.period_end < r.until
    ), 2) as room
    from unnest(p_lines) l group by l.staff_id
  ), due as (
    select b.id, b.staff_id, b.kind, b.repay_from, b.created_at, s.room, b.balance,
      least(b.repay_per_period, b.balance) as amount
    from (
      select l.*, private.ledger_balance(l.id) as balance from public.staff_ledger l
      where l.entry = 'issue' and l.currency = p_run.currency and l.repay_from <= p_run.period_end
    ) b
    join sums s on s.staff_id = b.staff_id
    where b.balance > 0
  ), taken as (
    select d.*, greatest(0, least(d.amount, d.room - coalesce(sum(d.amount) over (
      partition by d.staff_id order by d.repay_from, d.created_at, d.id
      rows between unbounded preceding and 1 preceding), 0))) as takes
    from due d
  )
  select t.staff_id, 1200 + row_number() over (partition by t.staff_id
    order by t.repay_from, t.created_at, t.id)::integer,
    t.kind, case t.kind when 'advance' then 'Advance repaid' when 'loan' then 'Loan repaid' when 'uniform'
      then 'Uniform'
      else 'Repayment' end, null::numeric, '', null::numeric, -t.takes, false,
    jsonb_build_object('table', 'staff_ledger', 'id', t.id),
    format('%s of %s owed%s.', private.money_text(t.takes, p_run.currency),
      private.money_text(t.balance, p_run.currency),
      case when t.takes < t.amount then '; more than the allowed share of pay waits for the next run' else '' end)
  from taken t where t.takes > 0;
$$;

-- The sentences about computed segments, by day: what a rule made of worked time, and leave.
create function private.segment_sentences(p_segments private.time_piece[])
returns table (user_id uuid, day date, place integer, code text, sentence text)
language sql stable security definer set search_path = '' as $$
  select s.user_id, s.day, 50, s.rule || case when s.class = 'overtime_2' then '_2' else '' end,
    case s.rule
      when 'break' then format('%s of break are not paid.', private.minutes_text(s.minutes))
      when 'day_limit' then format('%s beyond %s a day are overtime at %s times the rate.',
        private.minutes_text(s.minutes), private.minutes_text(r.day_minutes), s.rate)
      when 'week_limit' then format('%s beyond %s this week are overtime at %s times the rate.',
        private.minutes_text(s.minutes), private.minutes_text(r.week_minutes), s.rate)
      when 'rest_day' then format('The seventh day of work this week: %s at %s times the rate.',
        private.minutes_text(s.minutes), s.rate)
      when 'night' then format('%s between %s and %s are paid at %s times the rate.', private.minutes_text(s.minutes),
        to_char(r.night_start, 'FMHH12:MI AM'), to_char(r.night_end, 'FMHH12:MI AM'), s.rate)
      when 'holiday' then format('%s: %s at %s times the rate.', coalesce(h.name, 'Holiday'),
        private.minutes_text(s.minutes), s.rate)
    end
  from (
    select p.user_id, p.day, p.class, p.rule, trim_scale(p.rate) as rate, p.time_rule_id,
      sum(extract(epoch from p.ends_at - p.starts_at)) / 60 as minutes
    from unnest(p_segments) p
    where p.rule in ('break', 'day_limit', 'week_limit', 'rest_day', 'holiday') or p.rule = 'night' and p.rate <> 1
    group by p.user_id, p.day, p.class, p.rule, p.rate, p.time_rule_id
  ) s
  join public.time_rules r on r.id = s.time_rule_id
  left join private.holidays_between(
    (select min(p.day) from unnest(p_segments) p), (select max(p.day) from unnest(p_segments) p)) h on h.day = s.day
  union all
  select s.user_id, s.day, 60, 'leave', format('%s leave: %s %s%s.', initcap(l.type), private.minutes_text(s.minutes),
    case when s.class = 'leave_paid' then 'paid' else 'unpaid' end,
    case when s.class = 'leave_unpaid' and l.type = 'sick' and l.type = any (r.paid_leave_types)
      then format(', because %s days a year are paid', r.sick_paid_days) else '' end)
  from (
    select p.user_id, p.day, p.class, p.leave_request_id, p.time_rule_id,
      sum(extract(epoch from p.ends_at - p.starts_at)) / 60 as minutes
    from unnest(p_segments) p where p.leave_request_id is not null
    group by p.user_id, p.day, p.class, p.leave_request_id, p.time_rule_id
  ) s
  join public.leave_requests l on l.id = s.leave_request_id join public.time_rules r on r.id = s.time_rule_id;
$$;

-- Standing deductions, as far as pay is left after tax and social security.
create function private.standing_lines(p_run public.pay_runs, p_lines private.pay_line[]) returns setof private.pay_line
language sql stable security definer set search_path = '' as $$
  with sums as (
    select l.staff_id, sum(l.amount) as net from unnest(p_lines) l group by l.staff_id
  ), pieces as materialized (
    select p.*, s.net from private.run_pieces(p_run.pay_group, p_run.currency, p_run.period_start, p_run.period_end,
      array(select i.staff_id from public.pay_items i where i.kind = 'deduction')) p
    join sums s on s.staff_id = p.staff_id
  ), worked as materialized (
    select s.user_id, s.day, s.shift_key, s.shift_day
    from private.paid_segments(array(select distinct p.user_id from pieces p where p.user_id is not null),
      p_run.period_start, p_run.period_end) s
    where s.day >= p_run.period_start and s.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
  ), due as (
    select i.id, i.staff_id, i.name, i.per, i.amount as each, i.effective_from, d.net, case i.per
      when 'day' then w.days * i.amount when 'shift' then w.shifts * i.amount
      else case when d.days = p_run.period_end - p_run.period_start + 1 then i.amount
        else round(i.amount * d.days / (p_run.period_end - p_run.period_start + 1), 2) end end as amount
    from public.pay_items i
    cross join lateral (
      select sum(least(p.last, i.effective_to) - greatest(p.first, i.effective_from) + 1)::integer as days,
        min(p.net) as net, min(p.user_id::text)::uuid as user_id
      from pieces p
      where p.staff_id = i.staff_id and p.first <= coalesce(i.effective_to, p.last) and p.last >= i.effective_from
    ) d
    cross join lateral (
      select count(distinct w.day) filter (where w.day between i.effective_from and coalesce(i.effective_to, w.day)
          and w.day between p.first and p.last) as days,
        count(distinct w.shift_key) filter (where w.shift_day between i.effective_from
          and coalesce(i.effective_to, w.shift_day)
          and w.shift_day between p.first and p.last) as shifts
      from worked w join pieces p on p.staff_id = i.staff_id where w.user_id = d.user_id
    ) w
    where i.kind = 'deduction' and i.currency = p_run.currency and d.days > 0
  ), taken as (
    select d.*, greatest(0, least(d.amount, d.net - coalesce(sum(d.amount) over (
      partition by d.staff_id order by d.effective_from, d.name, d.id rows between unbounded preceding
        and 1 preceding), 0)
    )) as takes
    from due d where d.amount > 0
  )
  select t.staff_id, 1100 + row_number() over (partition by t.staff_id
    order by t.effective_from, t.name, t.id)::integer,
    'deduction', t.name, null::numeric, '', null::numeric, -t.takes, false,
    jsonb_build_object('table', 'pay_items', 'id', t.id),
    case when t.takes < t.amount then format('%s of %s: no more pay was left.',
      private.money_text(t.takes, p_run.currency), private.money_text(t.amount, p_run.currency))
    else format('%s for each %s.', private.money_text(t.each, p_run.currency), t.per) end
  from taken t where t.takes > 0;
$$;

-- Taxable pay and tax in LRD, at the rate of each run, of the other calculated runs of the month. Tax of the month that
-- is given back is not withheld, whichever run pays it.
create function private.taxed_in_other_runs(p_run public.pay_runs)
returns table (staff_id uuid, taxable numeric, withheld numeric)
language sql stable security definer set search_path = '' as $$
  with span as (
    select date_trunc('month', p_run.period_end::timestamp)::date as first,
      (date_trunc('month', p_run.period_end::timestamp) + interval '1 month - 1 day')::date as last
  )
  select t.staff_id, sum(t.taxable), sum(t.withheld)
  from (
    select s.staff_id, s.taxable * e.rate as taxable, private.tax_of_payslip(s.id) * e.rate as withheld
    from span x
    join public.pay_runs r on r.period_end between x.first and x.last
    cross join lateral (select case r.currency when 'USD' then r.lrd_per_usd else 1 end as rate) e
    join public.payslips s on s.pay_run_id = r.id
    where r.id <> p_run.id and r.status in ('calculated', 'in_review', 'approved', 'locked', 'paid')
    union all
    select a.staff_id, 0, -a.amount * case a.currency when 'USD' then (a.details ->> 'lrd_per_usd')::numeric else 1 end
    from span x join public.pay_adjustments a on a.period_start = x.first
    where a.kind = 'income_tax' and a.status = 'approved' and a.staff_id is not null
  ) t
  group by t.staff_id;
$$;

-- Income tax that a payslip withholds for its own month.
create function private.tax_of_payslip(p_payslip_id uuid) returns numeric
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(-l.amount), 0) from public.payslip_lines l
  where l.payslip_id = p_payslip_id and l.kind = 'income_tax'
    and l.source ->> 'table' is distinct from 'pay_adjustments';
$$;

-- Income tax on the taxable lines and social security on gross.
create function private.statutory_lines(p_run pay_runs, p_earned private.pay_line[]) returns SETOF private.pay_line
language sql stable security definer set search_path = '' as $function$
  with sums as (
    select e.staff_id, sum(e.amount) as gross,
      greatest(0, coalesce(sum(e.amount) filter (where e.taxable), 0)) as taxable
    from unnest(p_earned) e group by e.staff_id
  )
  select s.staff_id, 1000, 'income_tax', 'Income tax', null::numeric, '', null::numeric, -t.amount, false,
    '{"table": "pay_rates"}'::jsonb, t.explanation
  from sums s join public.staff p on p.id = s.staff_id
  left join private.taxed_in_other_runs(p_run) o on o.staff_id = s.staff_id
  cross join lateral private.month_tax(s.taxable, p_run.currency, p_run.lrd_per_usd, p_run.period_end, p.tax_resident,
    coalesce(o.taxable, 0), coalesce(o.withheld, 0), p.tin is not null) t
  where t.amount <> 0
  union all
  select s.staff_id, 1010, 'nasscorp', 'NASSCORP', null, '', r.rate, -round(s.gross * r.rate, 2), false,
    '{"table": "pay_rates"}', format('%s%% of %s.', trim_scale(r.rate * 100),
      private.money_text(s.gross, p_run.currency))
  from sums s cross join lateral private.pay_rate('nasscorp_employee', p_run.period_end) r (rate)
  where round(s.gross * r.rate, 2) > 0;
$function$;

-- Each payslip is shared over the worked minutes of its period. Without any (an office) it belongs to no site and to
-- the month in which the period ends.
create function private.wages_of_payslips(p_payslips uuid[])
returns table (pay_run_id uuid, site_id uuid, month date, wages numeric, employer numeric, minutes bigint)
language sql stable security definer set search_path = '' as $$
  with slips as materialized (
    select s.id, s.user_id, s.gross, s.employer_cost, r.id as run, r.period_start, r.period_end,
      d.pay_run_id is not null as is_summed
    from public.payslips s
    join public.pay_runs r on r.id = s.pay_run_id
    left join private.summed_pay_runs d on d.pay_run_id = r.id
    where s.id = any (p_payslips)
  ), sheets as materialized (
    select s.id as slip, h.id, s.period_start, s.period_end
    from slips s
    -- Look-ups, here and below: the planner expects thousands where a few are apart.
    cross join lateral (
      select h.* from public.timesheets h
      where h.user_id = s.user_id and h.period_start <= s.period_end and h.period_end >= s.period_start
      offset 0
    ) h
    where not (s.is_summed and h.status = 'locked' and h.pay_run_id is not distinct from s.run)
  ), months as (
    select s.id, m.site_id, m.month, m.minutes
    from slips s
    cross join lateral (
      select m.site_id, m.month, m.minutes from private.paid_minutes m where m.payslip_id = s.id offset 0
    ) m
    where s.is_summed
    union all
    select h.slip, t.site_id, date_trunc('month', t.day)::date, sum(t.minutes)::bigint
    from sheets h
    cross join lateral (
      select t.site_id, t.day, t.minutes from public.time_segments t
      where t.timesheet_id = h.id and t.day between h.period_start and h.period_end
        and t.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
      offset 0
    ) t
    group by 1, 2, 3
  ), worked as (
    select m.id, m.site_id, m.month, sum(m.minutes) as minutes, sum(sum(m.minutes)) over (partition by m.id) as of_slip
    from months m group by 1, 2, 3
  )
  select s.run, w.site_id, coalesce(w.month, date_trunc('month', s.period_end)::date),
    sum(s.gross * coalesce(w.minutes / w.of_slip, 1)), sum(s.employer_cost * coalesce(w.minutes / w.of_slip, 1)),
    coalesce(sum(w.minutes), 0)::bigint
  -- The hours of a deleted account are nobody's.
  from slips s left join worked w on w.id = s.id and s.user_id is not null
  group by s.run, w.site_id, coalesce(w.month, date_trunc('month', s.period_end)::date);
$$;
