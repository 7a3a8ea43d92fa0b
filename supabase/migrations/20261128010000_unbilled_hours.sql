-- What the screen of unbilled hours lists.

-- The hours of each guard at each site in [p_from, p_to] by what keeps them from being billed: the reasons of unbilled_time,
-- and waived, with the reason that was given as note.
create function public.unbilled_hours(p_from date, p_to date, p_client_id uuid default null)
returns table (
  id text, client_id uuid, client_name text, contract_id uuid, site_id uuid, site_name text, user_id uuid, full_name text,
  reason text, note text, minutes integer, first_at timestamptz, last_at timestamptz, attendance_ids uuid[]
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  perform private.require_billed_days(p_from, p_to);
  return query
  with hours as (
    select u.client_id, u.client_name, u.contract_id, u.site_id, u.site_name, u.user_id, u.full_name, u.reason,
      null::text as note, u.minutes, u.starts_at, u.ends_at, u.attendance_id
    from public.unbilled_time(p_from, p_to, p_client_id) u
    union all
    select s.client_id, k.name, null, b.site_id, s.name, b.user_id, p.full_name, 'waived', b.waived_reason, b.minutes,
      lower(b.span), upper(b.span), b.attendance_id
    from public.billed_time b
    join public.sites s on s.id = b.site_id
    left join public.clients k on k.id = s.client_id
    left join public.profiles p on p.id = b.user_id
    where b.waived_at is not null and b.freed_at is null and (p_client_id is null or s.client_id = p_client_id)
      and lower(b.span) >= private.company_midnight(p_from) and lower(b.span) < private.company_midnight(p_to + 1)
  )
  select concat_ws(' ', h.site_id, h.user_id, h.contract_id, h.reason, md5(h.note)), h.client_id, h.client_name, h.contract_id,
    h.site_id, h.site_name, h.user_id, coalesce(nullif(h.full_name, ''), 'Former user'), h.reason, h.note,
    sum(h.minutes)::integer, min(h.starts_at), max(h.ends_at),
    coalesce(array_agg(distinct h.attendance_id) filter (where h.attendance_id is not null), '{}')
  from hours h
  group by h.client_id, h.client_name, h.contract_id, h.site_id, h.site_name, h.user_id, h.full_name, h.reason, h.note;
end
$$;
comment on function public.unbilled_hours is 'Nullable: client_id, client_name, contract_id, note';

-- The sums of unbilled_hours, by client and reason.
create function public.unbilled_totals(p_from date, p_to date, p_client_id uuid default null)
returns table (client_id uuid, client_name text, reason text, minutes bigint, guards bigint)
language sql stable set search_path = '' as $$
  select u.client_id, u.client_name, u.reason, sum(u.minutes), count(distinct u.user_id)
  from public.unbilled_hours(p_from, p_to, p_client_id) u
  group by u.client_id, u.client_name, u.reason
  order by u.client_name, u.reason;
$$;
comment on function public.unbilled_totals is 'Nullable: client_id, client_name';

revoke all on function public.unbilled_hours, public.unbilled_totals from public, anon;
grant execute on function public.unbilled_hours, public.unbilled_totals to authenticated, service_role;
