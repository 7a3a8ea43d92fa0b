-- What the search fields of contracts and invoices look through, and the clock events behind a line of an invoice.

create function public.search_text(contract public.contracts) returns text
language sql stable
return concat_ws(' ', (select c.name from public.clients c where c.id = contract.client_id), contract.title);

create function public.search_text(invoice public.invoices) returns text
language sql stable
return concat_ws(' ', (select c.name from public.clients c where c.id = invoice.client_id), invoice.number);

-- The time that a line bills, each piece with the clock events that it comes from; in the order of the days. Definer,
-- because finance reads no attendance beyond what is billed.
create function public.hours_of_line(p_line_id uuid)
returns table (
  full_name text, kind text, starts_at timestamptz, ends_at timestamptz, minutes integer,
  clock_in_at timestamptz, clock_out_at timestamptz, corrected boolean
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  return query
    select coalesce(nullif(p.full_name, ''), p.email, 'Former user'), b.kind, lower(b.span), upper(b.span), b.minutes,
      a.clock_in_at, a.clock_out_at, a.corrected_at is not null
    from public.billed_time b
    join public.profiles p on p.id = b.user_id
    left join public.attendance a on a.id = b.attendance_id
    where b.invoice_line_id = p_line_id
    order by lower(b.span), 1;
end
$$;

comment on function public.hours_of_line is 'Nullable: clock_in_at, clock_out_at';

revoke all on function public.search_text(public.contracts), public.search_text(public.invoices), public.hours_of_line
  from public, anon;
grant execute on function public.search_text(public.contracts), public.search_text(public.invoices) to authenticated;
grant execute on function public.hours_of_line to authenticated, service_role;
