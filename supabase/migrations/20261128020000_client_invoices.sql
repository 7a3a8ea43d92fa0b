-- What contacts of clients see of the money: issued invoices, what was credited and paid, statements of account. Definer
-- functions that return named columns, because rows of invoices, lines and receipts also hold what is for the office alone.

-- What each of the caller's clients owes, in each currency in which it was ever billed or has paid. Positive amounts.
create function public.client_balances() returns table (
  client_id uuid, client_name text, currency text, open numeric, overdue numeric, on_account numeric, next_due date
)
language sql stable security definer set search_path = '' as $$
  with moves as (
    select i.client_id, i.currency, i.open_amount as open,
      case when i.due_on < private.company_date() then i.open_amount else 0 end as overdue, 0::numeric as on_account,
      case when i.open_amount > 0 then i.due_on end as due_on
    from public.invoices i
    where i.client_id = any ((select private.client_of_caller())::uuid[]) and i.status <> 'draft'
    union all
    select r.client_id, r.currency, 0, 0, r.unallocated, null
    from public.receipts r
    where r.client_id = any ((select private.client_of_caller())::uuid[]) and r.voided_at is null
  )
  select k.id, k.name, m.currency, sum(m.open), sum(m.overdue), sum(m.on_account), min(m.due_on)
  from moves m join public.clients k on k.id = m.client_id
  group by k.id, k.name, m.currency
  order by k.name, k.id, m.currency desc;
$$;
comment on function public.client_balances is 'Nullable: next_due';

-- The issued invoices of the caller's clients: those with something open first, the one due first at the top; then the newest.
create function public.client_invoices() returns table (
  id uuid, client_id uuid, client_name text, number text, currency text, status text, period_start date, period_end date,
  issued_on date, due_on date, total numeric, credited numeric, paid numeric, open_amount numeric
)
language sql stable security definer set search_path = '' as $$
  select i.id, k.id, k.name, i.number, i.currency, i.status, i.period_start, i.period_end, i.issued_on, i.due_on, i.total,
    i.credited, i.paid, i.open_amount
  from public.invoices i join public.clients k on k.id = i.client_id
  where i.client_id = any ((select private.client_of_caller())::uuid[]) and i.status <> 'draft'
  order by i.open_amount <= 0, case when i.open_amount > 0 then i.due_on end, i.year desc, i.sequence desc
  limit 500;
$$;

-- One issued invoice with its lines, as on its PDF, and with what was credited and paid of it.
create function public.client_invoice(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  select jsonb_build_object(
    'id', i.id, 'number', i.number, 'currency', i.currency, 'status', i.status, 'issued_on', i.issued_on, 'due_on', i.due_on,
    'period_start', i.period_start, 'period_end', i.period_end, 'bill_to', i.bill_to, 'subtotal', i.subtotal, 'tax', i.tax,
    'total', i.total, 'credited', i.credited, 'paid', i.paid, 'open_amount', i.open_amount,
    -- Printed on the PDF, too.
    'note', i.note,
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', l.id, 'site', s.name, 'post', p.name, 'description', l.description, 'quantity', l.quantity, 'unit', l.unit,
        'rate', l.rate, 'amount', l.amount, 'is_credited', l.credited_at is not null, 'has_days', l.kind = 'fixed' or exists (
          select from public.billed_time b where b.invoice_line_id = l.id)
      ) order by l.position, l.id)
      from public.invoice_lines l
      left join public.sites s on s.id = l.site_id
      left join public.posts p on p.id = l.post_id
      where l.invoice_id = i.id), '[]'),
    'credit_notes', coalesce((
      select jsonb_agg(jsonb_build_object('number', n.number, 'issued_on', n.issued_on, 'reason', n.reason, 'amount', n.amount)
        order by n.year, n.sequence)
      from public.credit_notes n where n.invoice_id = i.id), '[]'),
    'receipts', coalesce((
      select jsonb_agg(jsonb_build_object('received_on', r.received_on, 'method', private.receipt_method_text(r.method),
        'reference', r.reference, 'amount', a.amount) order by r.received_on, r.id)
      from public.receipt_allocations a join public.receipts r on r.id = a.receipt_id
      where a.invoice_id = i.id), '[]')
  ) into answer
  from public.invoices i
  where i.id = p_id and i.client_id = any (private.client_of_caller()) and i.status <> 'draft';
  if answer is null then
    raise exception 'There is no such invoice.' using errcode = 'PT404';
  end if;
  return answer;
end
$$;

-- The days behind a line: hours at the post and how many guards worked them, without names. Time over the company's
-- midnight is cut there, as the invoices' periods are. Behind a monthly amount is what was worked at the post in that month.
create function public.client_line_days(p_line_id uuid) returns table (day date, minutes integer, guards integer)
language plpgsql stable security definer set search_path = '' as $$
declare
  line public.invoice_lines;
begin
  select l.* into line from public.invoice_lines l join public.invoices i on i.id = l.invoice_id
  where l.id = p_line_id and i.client_id = any (private.client_of_caller()) and i.status <> 'draft';
  if line.id is null then
    raise exception 'There is no such line.' using errcode = 'PT404';
  end if;
  return query
    with pieces as (
      select d.day::date as day, b.user_id, extract(epoch from
        least(upper(b.span), (d.day + interval '1 day') at time zone z.time_zone)
        - greatest(lower(b.span), d.day at time zone z.time_zone)) / 60 as minutes
      from private.settings z
      cross join public.billed_time b
      cross join lateral generate_series(
        date_trunc('day', lower(b.span) at time zone z.time_zone),
        (upper(b.span) - interval '1 microsecond') at time zone z.time_zone, interval '1 day') d (day)
      where b.invoice_line_id = line.id
      union all
      select s.day, s.user_id, s.minutes
      from public.contract_posts c
      join public.time_segments s on s.site_id = c.site_id and s.day >= line.month and s.day < line.month + interval '1 month'
        and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
      left join public.shifts h on h.id = s.shift_id
      cross join lateral (select (private.contract_post_on(s.site_id, h.post_id, s.day)).id as id offset 0) p
      where line.kind = 'fixed' and c.id = line.contract_post_id and p.id = c.id
    )
    select p.day, sum(p.minutes)::integer, count(distinct p.user_id)::integer
    from pieces p
    group by p.day
    order by p.day;
end
$$;

-- The statement of account of one of the caller's clients; rows as client_statement gives them, without reasons of the
-- office for voided receipts.
create function public.client_account(p_client_id uuid, p_currency text, p_from date, p_to date) returns table (
  day date, kind text, document text, text text, charge numeric, payment numeric, balance numeric
)
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_client_id is null or not p_client_id = any (private.client_of_caller()) then
    raise exception 'There is no such client.' using errcode = 'PT404';
  end if;
  return query
    select s.day, s.kind, s.document, case s.kind when 'void' then 'Payment taken back' else s.text end, s.charge, s.payment,
      s.balance
    from public.client_statement(p_client_id, p_currency, p_from, p_to) s;
end
$$;

revoke all on function
  public.client_balances, public.client_invoices, public.client_invoice, public.client_line_days, public.client_account
from public, anon;
grant execute on function
  public.client_balances, public.client_invoices, public.client_invoice, public.client_line_days, public.client_account
to authenticated;
