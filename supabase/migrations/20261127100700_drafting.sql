-- Drafts of invoices. Drawing again replaces what came from hours and rates, so that a repetition changes nothing.

-- What a draft leaves out, by contract: [{code, text, …}]. A row without a contract is of a client's sites.
create function private.draft_problems(p_scopes private.draft_scope[], p_left private.unbilled_span[])
returns table (client_id uuid, contract_id uuid, problem jsonb)
language sql stable security definer set search_path = '' as $$
  with places as (
    select u.contract_id, u.site_id, u.post_id, u.contract_id is null as lacks_contract, u.is_approved,
      sum(u.minutes) as minutes, min(u.day) as first, max(u.day) as last,
      coalesce((select concat_ws(', ', s.name, p.name) from public.sites s left join public.posts p on p.id = u.post_id
        where s.id = u.site_id), '') as place
    from unnest(p_left) u
    where u.contract_id is null or u.is_approved and u.basis <> 'fixed' and u.rate is null
    group by u.contract_id, u.site_id, u.post_id, u.is_approved
  )
  select s.client_id, u.contract_id, jsonb_build_object('code', 'hours_not_approved', 'minutes', sum(u.minutes), 'text',
    format('%s h of %s are not approved, so they are not on the invoice.', trim_scale(round(sum(u.minutes) / 60.0, 2)),
      private.count_text(count(distinct u.user_id), 'guard')))
  from unnest(p_left) u join unnest(p_scopes) s on s.contract_id = u.contract_id
  where not u.is_approved and u.basis <> 'fixed' and s.last < private.company_date()
  group by s.client_id, u.contract_id
  union all
  select s.client_id, p.contract_id, jsonb_build_object('code', 'no_rate', 'minutes', p.minutes, 'site_id', p.site_id,
    'post_id', p.post_id, 'text', format('%s has no rate for %s h, %s.', p.place, trim_scale(round(p.minutes / 60.0, 2)),
      private.days_text(p.first, p.last)))
  from places p join unnest(p_scopes) s on s.contract_id = p.contract_id
  union all
  select t.client_id, null::uuid, jsonb_build_object('code', 'no_contract', 'minutes', sum(p.minutes), 'site_id', p.site_id,
    'post_id', p.post_id, 'text', format('%s h at %s belong to no contract, %s.', trim_scale(round(sum(p.minutes) / 60.0, 2)), p.place,
      private.days_text(min(p.first), max(p.last))))
  from places p join public.sites t on t.id = p.site_id
  where p.lacks_contract
  group by t.client_id, p.site_id, p.post_id, p.place;
$$;

-- The invoice of each contract that has lines: one of its drafts that overlap, else a new one. Lines by hand move to it,
-- and the other drafts go.
create function private.prepare_drafts(p_from date, p_to date, p_contracts uuid[], p_drafts uuid[])
returns table (contract_id uuid, invoice_id uuid)
language plpgsql security definer set search_path = '' as $$
declare
  merged uuid[];
begin
  with kept as (
    select distinct on (i.contract_id) i.contract_id, i.id from public.invoices i
    where i.id = any (p_drafts) order by i.contract_id, i.created_at, i.id
  ), moved as (
    update public.invoice_lines l set invoice_id = k.id
    from public.invoices i join kept k on k.contract_id = i.contract_id
    where l.invoice_id = i.id and i.id = any (p_drafts) and i.id <> k.id
  )
  select array_agg(i.id) into merged
  from public.invoices i join kept k on k.contract_id = i.contract_id
  where i.id = any (p_drafts) and i.id <> k.id;
  delete from public.invoices i
  where i.id = any (merged) or i.id = any (p_drafts) and i.contract_id <> all (p_contracts)
    and not exists (select from public.invoice_lines l where l.invoice_id = i.id);
  insert into public.invoices (contract_id, client_id, period_start, period_end, currency)
  select c.id, c.client_id, p_from, p_to, c.currency
  from public.contracts c
  where c.id = any (p_contracts)
    and not exists (select from public.invoices i where i.id = any (p_drafts) and i.contract_id = c.id)
  order by c.id;
  update public.invoices i set period_start = d.first, period_end = d.last
  from public.contracts c
  cross join lateral (
    select greatest(p_from, c.starts_on) as first,
      case when c.ends_on >= greatest(p_from, c.starts_on) then least(p_to, c.ends_on) else p_to end as last
  ) d
  where c.id = i.contract_id and i.status = 'draft' and (i.id = any (p_drafts) or i.contract_id = any (p_contracts)
      and i.period_start = p_from and i.period_end = p_to)
    and (i.period_start, i.period_end) <> (d.first, d.last);
  return query
  select distinct on (i.contract_id) i.contract_id, i.id from public.invoices i
  join public.contracts c on c.id = i.contract_id
  where i.status = 'draft' and i.period_start <= p_to and i.period_end >= p_from
    and (i.id = any (p_drafts) or i.contract_id = any (p_contracts))
  order by i.contract_id, i.created_at, i.id;
end
$$;

-- Draws the drafts of these contracts for [p_from, p_to]. @returns one row for each draft, and one for what has problems
-- but nothing to bill
create function private.draw_drafts(p_from date, p_to date, p_scopes private.draft_scope[])
returns table (
  client_id uuid, invoice_id uuid, contract_id uuid, currency text, total numeric, line_count integer, problems jsonb
)
-- Thousands of rows from functions: estimates of their number are far off.
language plpgsql security definer set search_path = '' set jit = off set enable_nestloop = off set work_mem = '32MB' as $$
declare
  contracts uuid[] := array(select s.contract_id from unnest(p_scopes) s);
  drafts uuid[];
  spans private.unbilled_span[];
  billed private.unbilled_span[];
  left_over private.unbilled_span[];
  lines private.draft_line[];
  drawn uuid[];
  invoices uuid[];
  was_computing text := current_setting('app.computing_time', true);
begin
  drafts := array(
    select i.id from (
      select i.id from public.invoices i
      where i.contract_id = any (contracts) and i.status = 'draft' and i.period_start <= p_to and i.period_end >= p_from
      order by i.id for update
    ) i
  );
  perform set_config('app.computing_time', 'on', true);
  delete from public.billed_time b using public.invoice_lines l
  where l.id = b.invoice_line_id and l.invoice_id = any (drafts);
  delete from public.invoice_lines l where l.invoice_id = any (drafts) and l.kind <> 'other';

  spans := array(
    select u from private.unbilled_spans(array(
      select t.id from public.sites t where t.client_id in (select s.client_id from unnest(p_scopes) s)
      union
      select c.site_id from public.contract_posts c where c.contract_id = any (contracts)
    ), (select min(s.first) from unnest(p_scopes) s), (select max(s.last) from unnest(p_scopes) s)) u
    left join unnest(p_scopes) s on s.contract_id = u.contract_id
    where u.contract_id is null and u.day between p_from and p_to or u.day between s.first and s.last
  );
  billed := array(
    select u from unnest(spans) u where u.is_approved and u.contract_id is not null and u.basis <> 'fixed' and u.rate is not null
  );
  left_over := array(
    select u from unnest(spans) u where not u.is_approved or u.contract_id is null or u.basis <> 'fixed' and u.rate is null
  );
  lines := array(select l from private.hour_lines(billed) l)
    || array(select l from private.fixed_lines(p_scopes) l)
    || array(select l from private.minimum_lines(p_scopes) l)
    || array(select l from private.gap_lines(p_scopes) l)
    || array(select l from private.estimate_lines(p_scopes, left_over) l)
    || array(select l from private.settlement_lines(p_scopes) l);

  select array_agg(p.contract_id), array_agg(p.invoice_id) into drawn, invoices
  from private.prepare_drafts(p_from, p_to, array(select distinct l.contract_id from unnest(lines) l), drafts) p;
  insert into public.invoice_lines (id, invoice_id, position, contract_post_id, site_id, post_id, kind, description,
    quantity, unit, rate, amount, tax_name, tax_rate, minutes, month, settles_line_id, days, explanation)
  select l.id, i.id, row_number() over (partition by i.id order by s.name, l.site_id, p.name nulls last, l.post_id,
      array_position(array['regular', 'overtime', 'night', 'holiday', 'rest_day', 'fixed', 'minimum', 'gap_credit',
        'estimate', 'settlement'], l.kind), l.month, l.rate, l.tax_rate, l.label),
    l.contract_post_id, l.site_id, l.post_id, l.kind, left(concat_ws(', ', s.name, p.name) || ': ' || l.label, 300),
    l.quantity, l.unit, l.rate, l.amount, l.tax_name, l.tax_rate, l.minutes, l.month, l.settles_line_id, l.days, l.explanation
  from unnest(lines) l
  join unnest(drawn, invoices) i (contract_id, id) on i.contract_id = l.contract_id
  left join public.sites s on s.id = l.site_id
  left join public.posts p on p.id = l.post_id;
  -- One row for each record of attendance and month: the pieces of a night are billed together.
  insert into public.billed_time (invoice_line_id, user_id, attendance_id, shift_id, post_id, site_id, span, kind)
  select g.id, g.user_id, g.attendance_id, g.shift_id, g.post_id, g.site_id, unnest(g.spans), g.kind
  from (
    select l.id, u.user_id, u.attendance_id, u.shift_id, u.post_id, u.site_id, u.kind, range_agg(u.span) as spans
    from unnest(billed) u
    join (
      select h.id, concat_ws('|', h.contract_post_id, h.post_id, h.kind, h.rate, h.tax_rate) as key
      from unnest(lines) h where h.kind in ('regular', 'overtime', 'night', 'holiday', 'rest_day')
    ) l on l.key = concat_ws('|', u.contract_post_id, u.post_id, u.kind, u.rate, u.tax_rate)
    group by l.id, u.user_id, u.attendance_id, u.shift_id, u.post_id, u.site_id, u.kind, date_trunc('month', u.day::timestamp)
  ) g;
  perform set_config('app.computing_time', coalesce(was_computing, ''), true);
  update public.invoice_lines l set position = m.place
  from (
    select o.id, count(*) filter (where o.kind <> 'other') over w
      + row_number() over (partition by o.invoice_id, o.kind = 'other' order by o.position, o.id) as place, o.kind
    from public.invoice_lines o where o.invoice_id = any (invoices)
    window w as (partition by o.invoice_id)
  ) m
  where l.id = m.id and m.kind = 'other' and l.position <> m.place;

  return query
  with found as materialized (
    select p.client_id, p.contract_id, jsonb_agg(p.problem order by p.problem ->> 'code', p.problem ->> 'text') as problems
    from private.draft_problems(p_scopes, left_over) p group by p.client_id, p.contract_id
  ), rows as materialized (
    select s.client_id, i.id, s.contract_id, s.currency, coalesce(own.problems, '[]') || coalesce(place.problems, '[]') as problems
    from unnest(drawn, invoices) i (contract_id, id)
    join unnest(p_scopes) s on s.contract_id = i.contract_id
    left join found own on own.contract_id = i.contract_id
    left join found place on place.contract_id is null and place.client_id = s.client_id
  ), noted as (
    update public.invoices i set problems = r.problems from rows r where i.id = r.id and i.problems <> r.problems
  )
  select r.client_id, r.id, r.contract_id, r.currency, i.total, (
    select count(*)::integer from public.invoice_lines l where l.invoice_id = r.id), r.problems
  from rows r join public.invoices i on i.id = r.id
  union all
  select f.client_id, null::uuid, f.contract_id, s.currency, 0::numeric, 0, f.problems
  from found f left join unnest(p_scopes) s on s.contract_id = f.contract_id
  where case when f.contract_id is null then not exists (select from rows r where r.client_id = f.client_id)
    else not exists (select from rows r where r.contract_id = f.contract_id) end;
end
$$;

revoke all on all functions in schema private from public;
