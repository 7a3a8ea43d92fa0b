-- An approved adjustment in another currency than the pay is converted at a dated rate, or waits for a run of its currency. A
-- recovery above the pay is taken as far as the pay allows; the rest is an adjustment of its own, for the next run.

alter table public.pay_adjustments
  add column converted_amount numeric(14, 2), add column converted_currency text,
  add column exchange_rate numeric(14, 6), add column exchange_rate_on date,
  add constraint pay_adjustments_converted_currency_check check (converted_currency in ('USD', 'LRD')),
  add constraint pay_adjustments_other_currency check (converted_currency <> currency),
  add constraint pay_adjustments_conversion
    check (num_nonnulls(converted_amount, converted_currency, exchange_rate, exchange_rate_on) in (0, 4));

-- Another amount, or another currency, is converted again by somebody.
create function private.drop_conversion() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.converted_amount is not distinct from old.converted_amount then
    new.converted_amount := null;
    new.converted_currency := null;
    new.exchange_rate := null;
    new.exchange_rate_on := null;
  end if;
  return new;
end
$$;
create trigger c_conversion before update on public.pay_adjustments
  for each row when ((old.amount, old.currency) is distinct from (new.amount, new.currency))
  execute function private.drop_conversion();

-- Pays an adjustment in the other currency, at the rate of today, or again in its own.
create function public.convert_adjustment(p_id uuid, p_currency text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  a public.pay_adjustments;
  r public.pay_rates;
begin
  perform private.require_pay_role();
  if p_currency is null or p_currency not in ('USD', 'LRD') then
    raise exception 'Choose USD or LRD.' using errcode = 'invalid_parameter_value';
  end if;
  select * into a from public.pay_adjustments x where x.id = p_id for update;
  if not found then
    raise exception 'This adjustment no longer exists.' using errcode = 'PT404';
  end if;
  if a.payslip_line_id is not null then
    raise exception 'A run has paid this adjustment.' using errcode = 'PT409';
  end if;
  if a.status <> 'approved' or a.amount is null then
    raise exception 'Only an approved adjustment is converted.' using errcode = 'PT409';
  end if;
  if auth.uid() is not null and (a.user_id = auth.uid() or a.details ->> 'entered_by' = auth.uid()::text) then
    raise exception 'Someone else must decide this adjustment.' using errcode = 'insufficient_privilege';
  end if;
  if p_currency = a.currency then
    update public.pay_adjustments x
    set converted_amount = null, converted_currency = null, exchange_rate = null, exchange_rate_on = null where x.id = a.id;
    return;
  end if;
  select t.* into r from public.pay_rates t
  where t.kind = 'lrd_per_usd' and t.effective_from <= private.company_date() and t.rate > 0
  order by t.effective_from desc limit 1;
  if not found then
    raise exception 'There is no exchange rate yet. Enter one under Pay Rates.' using errcode = 'PT409';
  end if;
  update public.pay_adjustments x set converted_currency = p_currency, exchange_rate = r.rate, exchange_rate_on = r.effective_from,
    converted_amount = round(case p_currency when 'LRD' then a.amount * r.rate else a.amount / r.rate end, 2)
  where x.id = a.id;
end
$$;
revoke all on function public.convert_adjustment from public, anon;
grant execute on function public.convert_adjustment to authenticated;

create or replace function private.adjustment_lines(p_run public.pay_runs, p_earned private.pay_line[])
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
      and (g.staff_id is not null or (private.basis_on(s.id, p_run.period_end)).payment_frequency = p_run.pay_group)
  ), taken as (
    select w.*, case when w.due > 0 then w.due else -greatest(0, least(-w.due,
      w.gross + sum(greatest(w.due, 0)) over (partition by w.payee) + coalesce(sum(w.due) filter (where w.due < 0) over (
        partition by w.payee order by w.created_at, w.id rows between unbounded preceding and 1 preceding), 0))) end as takes
    from waiting w
  )
  select t.payee, 950 + row_number() over (partition by t.payee order by t.created_at, t.id)::integer, 'adjustment',
    format('Correction of %s to %s', to_char(t.period_start, 'Mon FMDD'), to_char(t.period_end, 'Mon FMDD, YYYY')),
    1, '', t.takes, t.takes, true, jsonb_build_object('table', 'pay_adjustments', 'id', t.id, 'of', t.due),
    left(concat_ws(' ', case when t.takes <> t.due then format('%s of %s: no more pay was left, the rest follows in the next run.',
        private.money_text(-t.takes, p_run.currency), private.money_text(-t.due, p_run.currency)) end,
      case when t.converted_amount is not null then format('%s at L$%s per US$ of %s.', private.money_text(t.amount, t.currency),
        trim_scale(t.exchange_rate), to_char(t.exchange_rate_on, 'Mon FMDD, YYYY')) end,
      t.explanation,
      case when t.figure_before is not null and t.figure_after is not null then format('Paid %s, recomputed %s.',
        private.money_text(t.figure_before, t.currency), private.money_text(t.figure_after, t.currency)) end), 500)
  from taken t where t.takes <> 0;
$$;

-- What a run took of an adjustment is settled; the rest waits beside it. Before the adjustments get their lines.
create function private.split_adjustments(p_run public.pay_runs) returns void
language plpgsql set search_path = '' as $$
declare
  part record;
  share numeric;
begin
  for part in
    select a as whole, l.amount as takes, (l.source ->> 'of')::numeric as due
    from public.payslip_lines l
    join public.payslips s on s.id = l.payslip_id
    join public.pay_adjustments a on a.id = (l.source ->> 'id')::uuid
    where s.pay_run_id = p_run.id and l.kind = 'adjustment' and l.amount <> (l.source ->> 'of')::numeric
    order by a.id
  loop
    share := case when (part.whole).converted_amount is null then part.takes
      else round((part.whole).amount * part.takes / part.due, 2) end;
    insert into public.pay_adjustments (staff_id, user_id, kind, period_start, period_end, pay_run_id, amount, currency,
      details, explanation, status, decided_by, decided_at, note, converted_amount, converted_currency, exchange_rate,
      exchange_rate_on)
    values ((part.whole).staff_id, (part.whole).user_id,
      -- Late events of an assignment have one row.
      case (part.whole).kind when 'late_event' then 'manual' else (part.whole).kind end, (part.whole).period_start, (part.whole).period_end,
      (part.whole).pay_run_id, (part.whole).amount - share, (part.whole).currency,
      (part.whole).details - array['assignment_id', 'events'] || jsonb_build_object('rest_of', (part.whole).id), (part.whole).explanation, 'approved',
      (part.whole).decided_by, (part.whole).decided_at, (part.whole).note, (part.whole).converted_amount - part.takes,
      (part.whole).converted_currency, (part.whole).exchange_rate, (part.whole).exchange_rate_on);
    update public.pay_adjustments a set amount = share,
      converted_amount = case when a.converted_amount is not null then part.takes end
    where a.id = (part.whole).id;
  end loop;
end
$$;

create or replace function public.lock_pay_run(id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
declare
  run public.pay_runs := private.run_to_change(lock_pay_run.id, 'approved', 'locked', 'paid');
  people uuid[];
  other text;
begin
  if run.status <> 'approved' then
    return;
  end if;
  people := array(select s.user_id from public.payslips s where s.pay_run_id = run.id and s.user_id is not null);
  -- Nobody changes these hours between here and the end.
  perform from public.timesheets t
  where t.user_id = any (people) and t.period_start <= run.period_end and t.period_end >= run.period_start
  order by t.id for no key update;
  select string_agg(c.full_name, ', ' order by c.full_name) into other from (
    select p.full_name from public.payslips s
    join public.staff p on p.id = s.staff_id
    left join private.hours_keys(people, run.period_start, run.period_end) h on h.user_id = s.user_id
    where s.pay_run_id = run.id and s.hours_key <> coalesce(h.hours_key, 0)
    order by 1 limit 5
  ) c;
  if other is not null then
    raise exception 'Hours have changed since the calculation: %. Return the run and calculate it again.', other
      using errcode = 'PT409';
  end if;

  -- Nor these corrections, which another run may have paid, or somebody decided otherwise.
  perform from public.pay_adjustments a
  where a.id in (select (l.source ->> 'id')::uuid from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
    where s.pay_run_id = run.id and l.kind = 'adjustment')
  order by a.id for no key update;
  select string_agg(c.full_name, ', ' order by c.full_name) into other from (
    select distinct p.full_name
    from public.payslip_lines l
    join public.payslips s on s.id = l.payslip_id
    join public.staff p on p.id = s.staff_id
    left join public.pay_adjustments a on a.id = (l.source ->> 'id')::uuid
    where s.pay_run_id = run.id and l.kind = 'adjustment'
      and ((a.status, coalesce(a.converted_amount, a.amount), coalesce(a.converted_currency, a.currency))
          is distinct from ('approved', coalesce((l.source ->> 'of')::numeric, l.amount), s.currency)
        or a.payslip_line_id is not null)
    order by 1 limit 5
  ) c;
  if other is not null then
    raise exception 'Corrections have changed since the calculation: %. Return the run and calculate it again.', other
      using errcode = 'PT409';
  end if;

  perform private.refuse_unlockable(run);
  perform private.write_payroll(run);
  insert into public.staff_ledger (staff_id, entry, kind, loan_id, currency, amount, payslip_line_id)
  select s.staff_id, 'repayment', l.kind, (l.source ->> 'id')::uuid, run.currency, -l.amount, l.id
  from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
  where s.pay_run_id = run.id and l.kind in ('advance', 'loan', 'uniform', 'other')
  order by l.source ->> 'id';
  perform private.split_adjustments(run);
  update public.pay_adjustments a set payslip_line_id = l.id
  from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
  where s.pay_run_id = run.id and l.kind = 'adjustment' and a.id = (l.source ->> 'id')::uuid and a.payslip_line_id is null;
  update public.timesheets t set status = 'locked', locked_at = now(), pay_run_id = run.id
  where t.user_id = any (people) and t.status = 'approved'
    and t.period_start <= run.period_end and t.period_end >= run.period_start;
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select s.user_id, 'payslip', 'Your payslip for ' || private.period_text(run.period_start, run.period_end),
    format('Net pay: %s.', private.money_text(s.net, s.currency)), '/staff/payslips?open=' || s.payroll_id, 'payslip:' || s.id
  from public.payslips s where s.pay_run_id = run.id and s.user_id is not null
  on conflict (dedupe_key) do nothing;
  update public.pay_runs r set status = 'locked', locked_by = auth.uid(), locked_at = now() where r.id = run.id;
end
$function$;

-- Payroll records beside the run are findings: they can be added after the calculation.
create or replace function private.run_problems(p_run pay_runs, p_lines private.pay_line[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with people as materialized (
    select distinct s.id, s.user_id, s.full_name
    from private.run_pieces(p_run.pay_group, p_run.currency, p_run.period_start, p_run.period_end) p
    join public.staff s on s.id = p.staff_id
  ), found as (
    select 'hours_not_approved' as code, p.id as staff_id, p.full_name as name,
      format('Hours of %s to %s are not approved: no hour of them is paid now.', to_char(t.period_start, 'Mon FMDD'),
        to_char(t.period_end, 'Mon FMDD')) as text
    from people p join public.timesheets t on t.user_id = p.user_id
    where t.status in ('open', 'submitted') and t.period_start <= p_run.period_end and t.period_end >= p_run.period_start
    union all
    select 'no_account', p.id, p.full_name, 'The staff record has no user account, so no hours belong to it.'
    from people p where p.user_id is null
    union all
    select 'other_currency', p.id, p.full_name, format('%s is in %s, so this run leaves it out.', i.name, i.currency)
    from people p join public.pay_items i on i.staff_id = p.id
    where i.currency <> p_run.currency and i.effective_from <= p_run.period_end
      and coalesce(i.effective_to, p_run.period_end) >= p_run.period_start
    union all
    select 'adjustment_waits', p.id, p.full_name, format('%s of %s is taken, as far as the pay allows. The rest waits for the next run.',
      private.money_text(abs(coalesce(l.amount, 0)), p_run.currency), private.money_text(abs(c.amount), p_run.currency))
    from people p join public.pay_adjustments a on a.staff_id = p.id or a.staff_id is null and a.user_id = p.user_id
    cross join lateral (
      select coalesce(a.converted_amount, a.amount) as amount, coalesce(a.converted_currency, a.currency) as currency
    ) c
    left join unnest(p_lines) l on l.kind = 'adjustment' and l.source ->> 'id' = a.id::text
    where a.status = 'approved' and a.payslip_line_id is null and c.currency = p_run.currency and c.amount <> 0
      and l.amount is distinct from c.amount
    union all
    select 'adjustment_currency', p.id, p.full_name,
      format('%s waits for a run in %s. Convert it, or leave it for that run.', private.money_text(a.amount, a.currency), a.currency)
    from people p join public.pay_adjustments a on a.staff_id = p.id or a.staff_id is null and a.user_id = p.user_id
    where a.status = 'approved' and a.payslip_line_id is null and a.amount <> 0
      and coalesce(a.converted_currency, a.currency) <> p_run.currency
    union all
    select 'debt_currency', p.id, p.full_name, format(
      '%s of %s is owed in %s, so this run takes nothing. Enter the repayment by hand, or leave it for a run in %s.',
      private.money_text(b.balance, l.currency), case l.kind when 'advance' then 'an advance' when 'loan' then 'a loan'
        when 'uniform' then 'a uniform' else 'a debt' end, l.currency, l.currency)
    from people p join public.staff_ledger l on l.staff_id = p.id and l.entry = 'issue' and l.currency <> p_run.currency
      and l.repay_from <= p_run.period_end
    cross join lateral private.ledger_balance(l.id) b (balance)
    where b.balance > 0
  )
  select coalesce(jsonb_agg(jsonb_build_object('code', f.code, 'staff_id', f.staff_id, 'name', f.name, 'text', f.text)
    order by f.code, f.name, f.staff_id), '[]')
  from found f;
$function$;

revoke all on all functions in schema private from public;
