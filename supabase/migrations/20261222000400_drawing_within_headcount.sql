-- Draws drafts without time above the headcount, and with the corrections that finance accepted (decision 0098).

create or replace function private.draw_drafts(p_from date, p_to date, p_scopes private.draft_scope[])
 RETURNS TABLE(client_id uuid, invoice_id uuid, contract_id uuid, currency text, total numeric, line_count integer, problems jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
 SET enable_nestloop TO 'off'
 SET work_mem TO '32MB'
AS $function$
declare
  contracts uuid[] := array(select s.contract_id from unnest(p_scopes) s);
  drafts uuid[];
  spans private.unbilled_span[];
  billed private.unbilled_span[];
  left_over private.unbilled_span[];
  surplus private.unbilled_span[];
  corrections private.invoice_corrections[];
  lines private.draft_line[];
  drawn uuid[];
  invoices uuid[];
  emptied uuid[];
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
  delete from public.billed_time b using unnest(p_scopes) s
  where b.is_surplus and b.waived_at is not null and lower(b.span) >= private.company_midnight(s.first)
    and lower(b.span) < private.company_midnight(s.last + 1) and s.contract_id = (
      private.contract_post_on(b.site_id, b.post_id, (lower(b.span) at time zone (select z.time_zone from private.settings z))::date)
    ).contract_id;

  spans := array(
    select u from private.unbilled_spans(array(
      select t.id from public.sites t where t.client_id in (select s.client_id from unnest(p_scopes) s)
      union
      select c.site_id from public.contract_posts c where c.contract_id = any (contracts)
    ), (select min(s.first) from unnest(p_scopes) s), (select max(s.last) from unnest(p_scopes) s)) u
    left join unnest(p_scopes) s on s.contract_id = u.contract_id
    where u.contract_id is null and u.day between p_from and p_to or u.day between s.first and s.last
  );
  select array_agg(h.piece) filter (where not h.is_surplus), array_agg(h.piece) filter (where h.is_surplus) into spans, surplus
  from private.within_headcount(spans) h;
  billed := array(
    select u from unnest(spans) u where u.is_approved and u.contract_id is not null and u.basis <> 'fixed' and u.rate is not null
  );
  left_over := array(
    select u from unnest(spans) u where not u.is_approved or u.contract_id is null or u.basis <> 'fixed' and u.rate is null
  );
  insert into public.billed_time (user_id, attendance_id, shift_id, post_id, site_id, span, kind, waived_at, waived_reason, is_surplus)
  select u.user_id, u.attendance_id, u.shift_id, u.post_id, u.site_id, u.span, u.kind, now(), 'Above the agreed headcount', true
  from unnest(surplus) u where u.is_approved;
  lines := array(select l from private.hour_lines(billed) l)
    || array(select l from private.fixed_lines(p_scopes) l)
    || array(select l from private.minimum_lines(p_scopes) l)
    || array(select l from private.gap_lines(p_scopes) l)
    || array(select l from private.estimate_lines(p_scopes, left_over) l)
    || array(select l from private.settlement_lines(p_scopes) l);

  -- A draft below zero can't be issued: what corrects others waits for the contract's next one.
  with older as materialized (
    select i.id from public.invoices i
    where i.contract_id = any (contracts) and i.status = 'draft' and i.total < 0 and i.period_end < p_from
  ), freed as (
    delete from public.invoice_lines l using older o where l.invoice_id = o.id and l.kind = 'correction' returning l.invoice_id
  )
  select array_agg(distinct f.invoice_id) into emptied from freed f;
  delete from public.invoices i
  where i.id = any (emptied) and not exists (select from public.invoice_lines l where l.invoice_id = i.id);
  corrections := array(
    select k from private.invoice_corrections k
    join public.invoice_lines l on l.id = k.invoice_line_id
    where k.contract_id = any (contracts) and k.status = 'accepted' and l.credited_at is null
      and not exists (select from public.invoice_lines t where t.correction_id = k.id and t.credited_at is null)
    order by k.created_at, k.id
  );

  select array_agg(p.contract_id), array_agg(p.invoice_id) into drawn, invoices
  from private.prepare_drafts(p_from, p_to, array(
    select l.contract_id from unnest(lines) l union select k.contract_id from unnest(corrections) k
  ), drafts) p;
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
  insert into public.invoice_lines (invoice_id, position, contract_post_id, site_id, post_id, kind, description, quantity, unit, rate,
    amount, tax_name, tax_rate, days, correction_id, explanation)
  select n.id, 1 + coalesce((select max(o.position) from public.invoice_lines o where o.invoice_id = n.id and o.kind <> 'other'), 0)
      + row_number() over (partition by n.id order by i.period_start, l.position, lower(k.days), k.decided_at, k.id),
    l.contract_post_id, l.site_id, l.post_id, 'correction', left('Correction of ' || i.number || ', ' || l.description, 300),
    round(k.minutes / 60.0, 4), 'h', k.rate - k.billed_rate, k.amount, l.tax_name, l.tax_rate, k.days, k.id,
    format('%s: the rate is %s, and %s was billed.', private.days_text(lower(k.days), upper(k.days) - 1), trim_scale(k.rate),
      trim_scale(k.billed_rate))
  from unnest(corrections) k
  join public.invoice_lines l on l.id = k.invoice_line_id
  join public.invoices i on i.id = l.invoice_id
  join unnest(drawn, invoices) n (contract_id, id) on n.contract_id = k.contract_id;
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
$function$
;

revoke all on all functions in schema private from public;
