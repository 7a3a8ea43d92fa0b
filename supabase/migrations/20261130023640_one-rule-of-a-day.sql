-- Functions name others that come below.
set local check_function_bodies = off;

-- It returns how many people it has told.
drop function private.tell_addressees(public.announcements);

create or replace FUNCTION private.prepare_invoice_line()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  tax record;
begin
  if new.position is null then
    new.position := 1 + coalesce((
      select max(l.position) from public.invoice_lines l where l.invoice_id = new.invoice_id), 0);
  end if;
  -- A line that is credited stays as it was issued, whatever has been agreed since.
  if new.kind = 'other' and (tg_op = 'INSERT'
    or (new.invoice_id, new.quantity, new.rate, new.tax_name, new.tax_rate, new.vat_treatment)
      is distinct from (old.invoice_id, old.quantity, old.rate, old.tax_name, old.tax_rate, old.vat_treatment))
  then
    new.amount := round(new.quantity * new.rate, 2);
    new.price_with_tax := null;
    select t.*, c.prices_include_tax into tax from public.invoices i
    join public.contracts c on c.id = i.contract_id
    cross join lateral private.tax_days(i.contract_id, null, i.period_end, i.period_end) t
    where i.id = new.invoice_id;
    if tax.vat_treatment is null then
      new.vat_treatment := null;
    else
      -- A line by hand may be without VAT where others have it, never the other way round.
      new.vat_treatment := case when tax.vat_treatment = 'exempt' then 'exempt'
        else coalesce(new.vat_treatment, 'standard') end;
      new.tax_name := tax.tax_name;
      new.tax_rate := case when new.vat_treatment = 'standard' then tax.tax_rate else 0 end;
    end if;
    if tax.prices_include_tax and new.tax_rate > 0 then
      new.price_with_tax := new.amount;
      new.amount := private.price_without_tax(new.price_with_tax, new.tax_rate);
    end if;
  end if;
  return new;
end
$function$;

create or replace FUNCTION private.bill_to_of(p_contract_id uuid, p_day date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_strip_nulls(jsonb_build_object('tin', k.tin,
      'vat_certificate', (private.vat_exemption_on(k.id, p_day)).certificate))
    || jsonb_build_object('name', coalesce(c.bill_to_name, k.name), 'address',
      coalesce(c.bill_to_address, k.location), 'email', c.bill_to_email)
  from public.contracts c join public.clients k on k.id = c.client_id where c.id = p_contract_id;
$function$;

create or replace FUNCTION private.vat_return_to_change(p_month date, p_status text)
 RETURNS public.vat_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_one public.vat_returns;
begin
  perform private.require_vat_month(p_month);
  perform pg_advisory_xact_lock(hashtextextended('vat returns', 0));
  select * into found_one from public.vat_returns r where r.month = p_month for update;
  if found_one.status is distinct from p_status then
    raise exception 'Someone has already changed this return. Reload it.' using errcode = 'PT409';
  end if;
  return found_one;
end
$function$;

create or replace FUNCTION private.tax_days(p_contract_id uuid, p_contract_post_id uuid, p_first date, p_last date)
 RETURNS TABLE(first date, last date, tax_name text, tax_rate numeric, vat_treatment text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with terms as materialized (
    select c.client_id, c.tax_name, coalesce(p.vat_treatment, 'standard') as treatment
    from public.contracts c left join public.contract_posts p on p.id = p_contract_post_id
    where c.id = p_contract_id
  ), changes as (
    select p_first as day
    union
    select d.day from public.vat_registrations r
    cross join lateral (values (r.registered_from), (r.registered_to + 1)) d (day)
    where d.day > p_first and d.day <= p_last
    union
    select d.day from terms t join public.vat_exemptions e on e.client_id = t.client_id
    cross join lateral (values (e.valid_from), (e.valid_to + 1)) d (day)
    where d.day > p_first and d.day <= p_last
    union
    select x.effective_from from public.tax_rates x where x.effective_from > p_first and x.effective_from <= p_last
  ), spans as (
    select c.day, coalesce(lead(c.day) over (order by c.day) - 1, p_last) as last, x.tax_name, x.tax_rate, x.treatment
    from changes c
    cross join terms t
    cross join lateral private.vat_registration_on(c.day) r
    cross join lateral private.vat_exemption_on(t.client_id, c.day) e
    cross join lateral (
      select coalesce(r.tax_name, t.tax_name) as tax_name,
        case when r.id is null then null when e.id is not null then 'exempt' else t.treatment end as treatment
    ) n
    cross join lateral (
      select n.tax_name, n.treatment,
        case when n.treatment in ('zero', 'exempt') then 0 else private.tax_rate_on(n.tax_name, c.day) end as tax_rate
    ) x
  ), islands as (
    -- A change of what doesn't apply here divides nothing.
    select s.*, row_number() over (order by s.day)
      - row_number() over (partition by s.tax_name, s.tax_rate, s.treatment order by s.day) as island
    from spans s
  )
  select min(i.day), max(i.last), case when i.tax_rate is not null then i.tax_name end, i.tax_rate, i.treatment
  from islands i group by i.tax_name, i.tax_rate, i.treatment, i.island;
$function$;

create or replace FUNCTION private.tell_addressees(a public.announcements)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  told integer;
begin
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select p.id, 'announcement', private.announcement_headline(a), left(a.body, 300),
    '/staff/announcements?open=' || a.id, private.announcement_key(a.id, a.version, p.id)
  from private.addressees_of(a.audience, a.counties, a.site_id, a.role, a.created_by) p (id)
  order by p.id
  on conflict (dedupe_key) do nothing;
  get diagnostics told = row_count;
  return told;
end
$function$;

create or replace FUNCTION public.publish_announcement(p_id uuid, p_title text, p_body text, p_must_read boolean, p_audience text, p_last_day date, p_region text DEFAULT NULL::text, p_counties text[] DEFAULT NULL::text[], p_site_id uuid DEFAULT NULL::uuid, p_role text DEFAULT NULL::text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  made public.announcements;
  reached integer;
begin
  perform private.require_announcer();
  -- One at a time, so that two at once are not both the last one allowed.
  perform pg_advisory_xact_lock(hashtextextended('announcements of ' || auth.uid(), 0));
  select * into made from public.announcements a where a.id = p_id and a.created_by = auth.uid();
  if found then
    return (select count(*) from private.announcement_people(made) p where p.is_addressed);
  end if;
  perform private.check_last_day(p_last_day);
  if (
    select count(*) from public.announcements a
    where a.created_by = auth.uid() and a.created_at > now() - interval '1 day'
  ) >= 20 then
    raise exception 'You have written 20 announcements within a day. Edit one of them, or wait.'
      using errcode = 'PT429';
  end if;
  insert into public.announcements (
    id, title, body, must_read, audience, region, counties, site_id, role, last_day, created_by
  ) values (
    p_id, p_title, p_body, p_must_read, p_audience, p_region, p_counties, p_site_id, p_role, p_last_day, auth.uid()
  ) returning * into made;
  reached := private.tell_addressees(made);
  if reached = 0 then
    raise exception 'This reaches nobody today. Choose another audience.' using errcode = 'check_violation';
  end if;
  return reached;
end
$function$;

CREATE OR REPLACE FUNCTION private.vat_exemption_on(p_client_id uuid, p_day date)
 RETURNS public.vat_exemptions
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select e from public.vat_exemptions e
  where e.client_id = p_client_id and p_day >= e.valid_from and (e.valid_to is null or p_day <= e.valid_to);
$function$;

drop function private.withholding_name();
