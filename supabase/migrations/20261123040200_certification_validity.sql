-- Whether a certification is valid, about to expire or expired, by the database's clock: for filters, badges and totals.

-- A computed column: `select=*,validity`, `validity=eq.expiring`. Expiring is what the dashboard counts: the coming 30 days.
create function public.validity(certification public.certifications) returns text
language sql stable set search_path = '' as $$
  select case
    when certification.expires_at < now() then 'expired'
    when certification.expires_at <= now() + interval '30 days' then 'expiring'
    else 'valid'
  end;
$$;

-- How many certifications of each course are in which state, of those that the caller may read.
create function public.certification_totals() returns table (
  course_id uuid, valid integer, expiring integer, expired integer
)
language sql stable set search_path = '' as $$
  select
    c.course_id,
    (count(*) filter (where c.expires_at > now() + interval '30 days'))::integer,
    (count(*) filter (where c.expires_at >= now() and c.expires_at <= now() + interval '30 days'))::integer,
    (count(*) filter (where c.expires_at < now()))::integer
  from public.certifications c
  group by c.course_id;
$$;

revoke all on function public.validity(public.certifications), public.certification_totals() from public, anon;
grant execute on function public.validity(public.certifications), public.certification_totals() to authenticated;
