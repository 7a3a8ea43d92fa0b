-- What the search fields of contracts and invoices look through, and the clock events behind a line of an invoice.

create function public.search_text(contract public.contracts) returns text
language sql stable
return concat_ws(' ', (select c.name from public.clients c where c.id = contract.client_id), contract.title);

create function public.search_text(invoice public.invoices) returns text
language sql stable
return concat_ws(' ', (select c.name from public.clients c where c.id = invoice.client_id), invoice.number);

-- The time that a line bills, each piece with the clock events that it comes from; in the order of the days. Of a monthly
-- amount: what was worked at its post in its month, by record of attendance. Definer, because finance reads no attendance
-- beyond what is billed.
create function public.hours_of_line(p_line_id uuid)
returns table (
  full_name text, kind text, starts_at timestamptz, ends_at timestamptz, minutes integer,
  clock_in_at timestamptz, clock_out_at timestamptz, corrected boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare
  line public.invoice_lines;
begin
  perform private.require_billing_role();
  select * into line from public.invoice_lines l where l.id = p_line_id;
  return query
    with work as (
      select b.user_id, b.attendance_id, b.kind, lower(b.span) as starts, upper(b.span) as ends, b.minutes
      from public.billed_time b where b.invoice_line_id = line.id
      union all
      select s.user_id, s.attendance_id, line.kind, min(s.starts_at), max(s.ends_at), sum(s.minutes)::integer
      from public.contract_posts c
      join public.time_segments s on s.site_id = c.site_id and s.day >= line.month and s.day < line.month + interval '1 month'
        and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
      left join public.shifts h on h.id = s.shift_id
      cross join lateral (select (private.contract_post_on(s.site_id, h.post_id, s.day)).id as id offset 0) p
      where line.kind = 'fixed' and c.id = line.contract_post_id and p.id = c.id
      group by s.user_id, s.attendance_id
    )
    select coalesce(nullif(p.full_name, ''), p.email, 'Former user'), w.kind, w.starts, w.ends, w.minutes,
      a.clock_in_at, a.clock_out_at, a.corrected_at is not null
    from work w
    join public.profiles p on p.id = w.user_id
    left join public.attendance a on a.id = w.attendance_id
    order by w.starts, 1;
end
$$;

comment on function public.hours_of_line is 'Nullable: clock_in_at, clock_out_at';

revoke all on function public.search_text(public.contracts), public.search_text(public.invoices), public.hours_of_line
  from public, anon;
grant execute on function public.search_text(public.contracts), public.search_text(public.invoices) to authenticated;
grant execute on function public.hours_of_line to authenticated, service_role;
