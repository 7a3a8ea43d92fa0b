-- Rights are true or false, never null: `if not private.may_plan(null)` would let the caller pass.
create or replace function private.may_plan(site uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')
    or coalesce(site = any (private.supervised_sites()), false);
end
$$;

create or replace function private.may_oversee(site uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'ops_manager', 'supervisor')
    or coalesce(site = any (private.supervised_sites()), false);
end
$$;

-- A search is at most 200 characters: it is split into words for every row.
create or replace function private.holds_words(p_search text, variadic p_texts text[]) returns boolean
language sql immutable set search_path = '' as $$
  select not exists (
    select from (
      select found.word
      from regexp_split_to_table(coalesce(lower(left(p_search, 200)), ''), '\s+') with ordinality found (word, place)
      where found.word <> ''
      order by found.place
      limit 8
    ) wanted
    where not exists (select from unnest(p_texts) held where strpos(lower(held), wanted.word) > 0)
  );
$$;

create or replace function public.client_totals(p_search text default null)
returns table (client_count integer, total_guards integer, monthly_revenue numeric)
language sql stable set search_path = '' as $$
  select count(*)::integer, coalesce(sum(c.number_of_guards), 0)::integer, coalesce(sum(c.monthly_rate), 0)
  from public.clients c
  where private.holds_words(p_search, c.name, c.location);
$$;

create or replace function public.expense_totals(p_from date, p_to date)
returns table (month date, category text, total numeric)
language sql stable set search_path = '' as $$
  select private.require_day(p_from, 'first day'), private.require_day(p_to, 'last day');
  select private.require_period(private.company_midnight(p_from), private.company_midnight(p_to));
  select date_trunc('month', e.expense_date)::date, e.category, sum(e.amount)
  from public.expense_reports e
  where e.expense_date between p_from and p_to
  group by 1, 2
  order by 1, 2;
$$;

-- Infinite times have no milliseconds.
create or replace function private.hash_of_event(
  id uuid, kind text, assignment_id uuid, device_at timestamptz, server_offset_ms bigint,
  entered_at timestamptz, gps text, previous_hash text
) returns text
language plpgsql immutable set search_path = '' as $$
begin
  if isfinite(device_at) is false or isfinite(entered_at) is false then
    raise exception 'A clock event needs a date and a time.' using errcode = 'invalid_parameter_value';
  end if;
  return encode(sha256(convert_to(concat_ws('|', id, kind, assignment_id,
    floor(extract(epoch from device_at) * 1000)::bigint, coalesce(server_offset_ms::text, ''),
    coalesce(floor(extract(epoch from entered_at) * 1000)::bigint::text, ''), coalesce(gps, ''),
    coalesce(previous_hash, '')), 'UTF8')), 'hex');
end
$$;
