-- The preview of the journal comes in pages; what is exported is journal_lines, as before.

-- The period of journal_lines, checked.
create function private.require_journal_days(p_from date, p_to date) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  perform private.require_day(p_from, 'first day');
  perform private.require_day(p_to, 'last day');
  if p_to < p_from or p_to - p_from > 400 then
    raise exception 'The period must be at most 400 days.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- Of all documents of the period: {documents, lines, totals, unbalanced, rows}. `documents` and `lines` are their numbers, `totals`
-- the [{currency, debit, credit}], `unbalanced` the names of those whose debits and credits differ, and `rows` the lines of
-- journal_lines of the documents on page p_page (from 1).
create function public.journal_page(p_from date, p_to date, p_page integer default 1, p_size integer default 20) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
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
    ), placed as materialized (
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

revoke all on all functions in schema private from public;
revoke all on function public.journal_page from public, anon;
grant execute on function public.journal_page to authenticated, service_role;
