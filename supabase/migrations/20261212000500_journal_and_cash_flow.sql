-- As before; expenses are summed before they are added to accounts and loans.
create or replace function public.cashflow() returns table (
  currency text,
  inflows numeric,
  outflows numeric,
  net numeric,
  bank_balance numeric,
  loan_balance numeric
)
language sql stable set search_path = '' as $$
  with movement as (
    select b.currency,
      case when b.balance_type = 'Cr' then coalesce(b.current_balance, 0) else 0 end as inflow,
      case when b.balance_type = 'Dr' then coalesce(b.current_balance, 0) else 0 end as outflow,
      case b.balance_type when 'Cr' then 1 else -1 end * coalesce(b.current_balance, 0) as bank,
      0::numeric as loan
    from public.bank_accounts b
    union all
    select l.currency, coalesce(l.total_credit, 0), coalesce(l.total_debit, 0), 0, coalesce(l.current_balance, 0)
    from public.loans l
    union all
    select 'USD', coalesce(f.total_revenue, 0), coalesce(f.total_expenses, 0), 0, 0
    from public.financial_statements f
    union all
    select 'USD', 0, sum(e.amount), 0, 0 from public.expense_reports e having count(*) > 0
  )
  select m.currency, sum(m.inflow), sum(m.outflow), sum(m.inflow) - sum(m.outflow), sum(m.bank), sum(m.loan)
  from movement m
  group by m.currency
  order by m.currency;
$$;

-- As before, in memory, and texts are joined for the lines of the page alone.
create or replace function public.journal_page(p_from date, p_to date, p_page integer default 1, p_size integer default 20) returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '64MB' as $$
begin
  perform private.require_journal_days(p_from, p_to);
  if p_page is null or p_page not between 1 and 100000 or p_size is null or p_size not between 1 and 1000 then
    raise exception 'Choose a page, and a size of at most 1000.' using errcode = 'invalid_parameter_value';
  end if;
  return (
    with lines as materialized (
      select j.* from private.journal_entries(p_from, p_to) j where j.amount <> 0
    ), documents as materialized (
      select l.day, l.kind, l.document, l.currency, sum(l.amount) as difference,
        row_number() over (order by l.day, l.kind, l.document, l.currency desc) as place
      from lines l group by l.day, l.kind, l.document, l.currency
    ), placed as (
      select d.place as of_document, l.*
      from lines l
      join documents d on d.day = l.day and d.kind = l.kind and d.document = l.document and d.currency = l.currency
    )
    select jsonb_build_object(
      'documents', (select count(*) from documents),
      'lines', (select count(*) from lines),
      'totals', (
        select coalesce(jsonb_agg(jsonb_build_object('currency', t.currency, 'debit', t.debit::text, 'credit', t.credit::text)
          order by t.currency desc), '[]')
        from (
          select l.currency, sum(greatest(l.amount, 0)) as debit, sum(greatest(-l.amount, 0)) as credit
          from lines l group by l.currency
        ) t
      ),
      'unbalanced', (
        select coalesce(jsonb_agg(d.document order by d.place), '[]') from documents d where d.difference <> 0
      ),
      'rows', (
        select coalesce(jsonb_agg(jsonb_build_object('day', l.day, 'kind', l.kind, 'document', l.document,
          'account_code', a.code, 'account_name', a.name, 'debit', greatest(l.amount, 0)::text,
          'credit', greatest(-l.amount, 0)::text, 'currency', l.currency, 'text', l.text) order by l.of_document, l.place), '[]')
        from placed l
        join public.chart_of_accounts a on a.key = l.key
        where l.of_document > (p_page - 1) * p_size and l.of_document <= p_page * p_size
      )
    )
  );
end
$$;
