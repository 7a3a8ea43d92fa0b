-- Which minutes of whom are billed or waived. Segments get new ids when time is computed again, so spans are stored: a
-- minute of a person is billed once, until a credit note takes its line back.
create table public.billed_time (
  id uuid primary key default gen_random_uuid(),
  -- Null: waived.
  invoice_line_id uuid references public.invoice_lines (id) on delete cascade,
  -- No foreign keys to facts, as in time_segments.
  user_id uuid not null,
  attendance_id uuid,
  shift_id uuid,
  post_id uuid,
  site_id uuid not null,
  span tstzrange not null check (lower(span) < upper(span)),
  minutes integer not null generated always as ((extract(epoch from upper(span) - lower(span)) / 60)::integer) stored,
  kind text not null check (kind in ('regular', 'overtime', 'night', 'holiday', 'rest_day')),
  waived_by uuid references public.profiles (id) on delete set null,
  waived_at timestamptz,
  waived_reason text check (char_length(waived_reason) between 1 and 500),
  freed_at timestamptz,
  constraint billed_time_billed_or_waived check (
    (invoice_line_id is null) = (waived_at is not null) and (waived_at is null) = (waived_reason is null)),
  constraint billed_time_once exclude using gist (user_id with =, span with &&) where (freed_at is null)
);
comment on column public.billed_time.freed_at is 'Derived: since then a credit note takes the line back, and these minutes can be billed again';
create index billed_time_invoice_line_id_idx on public.billed_time (invoice_line_id) where invoice_line_id is not null;
create index billed_time_waived_by_idx on public.billed_time (waived_by) where waived_by is not null;
create index billed_time_begin_idx on public.billed_time (lower(span));
create index time_segments_site_id_idx on public.time_segments (site_id, starts_at) where site_id is not null;

-- The lines of a draft follow from recorded facts, so the activity log leaves out the minutes behind them; it records what
-- is waived.
select private.keep_history_of_computed('public.billed_time');

alter table public.billed_time enable row level security;
revoke all on public.billed_time from anon, authenticated, service_role;
grant select on public.billed_time to authenticated, service_role;
create policy "Admins and finance read which time is billed" on public.billed_time
  for select to authenticated using ((select private.may_bill()));

-- What an issued invoice has billed never changes, for anybody; it is freed together with its line.
create function private.keep_issued_time() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrong boolean;
begin
  if tg_op = 'UPDATE' then
    wrong := exists (
      select from new_rows n join old_rows o on o.id = n.id
      left join public.invoice_lines l on l.id = n.invoice_line_id
      where to_jsonb(n) - 'freed_at' - 'waived_by' <> to_jsonb(o) - 'freed_at' - 'waived_by'
        or n.waived_by is distinct from o.waived_by and n.waived_by is not null
        or n.freed_at is distinct from o.freed_at and n.freed_at is distinct from l.credited_at
    );
  elsif tg_op = 'TRUNCATE' then
    wrong := exists (
      select from public.billed_time b join public.invoice_lines l on l.id = b.invoice_line_id
      join public.invoices i on i.id = l.invoice_id where i.status <> 'draft'
    );
  elsif tg_op = 'INSERT' then
    wrong := exists (
      select from new_rows n join public.invoice_lines l on l.id = n.invoice_line_id
      join public.invoices i on i.id = l.invoice_id where i.status <> 'draft'
    );
  else
    wrong := exists (
      select from old_rows o join public.invoice_lines l on l.id = o.invoice_line_id
      join public.invoices i on i.id = l.invoice_id where i.status <> 'draft'
    );
  end if;
  if wrong then
    raise exception 'These minutes are on an issued invoice. Only a credit note frees them.' using errcode = 'PT409';
  end if;
  return null;
end
$$;
create trigger c_issued_inserts after insert on public.billed_time referencing new table as new_rows
  for each statement execute function private.keep_issued_time();
create trigger c_issued_updates after update on public.billed_time referencing old table as old_rows new table as new_rows
  for each statement execute function private.keep_issued_time();
create trigger c_issued_deletes after delete on public.billed_time referencing old table as old_rows
  for each statement execute function private.keep_issued_time();
create trigger c_issued_truncate before truncate on public.billed_time
  for each statement execute function private.keep_issued_time();

create function private.free_credited_time() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.billed_time b set freed_at = new.credited_at where b.invoice_line_id = new.id and b.freed_at is null;
  return null;
end
$$;
create trigger z_free_time after update of credited_at on public.invoice_lines
  for each row when (old.credited_at is null and new.credited_at is not null)
  execute function private.free_credited_time();

-- An invoice has used this rate: its hours name the kind, the post and the days.
create function private.keep_billed_rate() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.invoices i
    join public.invoice_lines l on l.invoice_id = i.id
      and (old.contract_post_id is null or l.contract_post_id = old.contract_post_id)
      and l.kind not in ('fixed', 'other') and l.rate = old.amount
    where i.contract_id = old.contract_id and i.status <> 'draft' and i.period_end >= old.effective_from
  ) then
    raise exception 'An issued invoice uses this rate. Add a rate with a later date instead.' using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger c_keep_billed before delete on public.rates
  for each row execute function private.keep_billed_rate();
create trigger c_keep_billed_terms before update on public.rates for each row
  when ((old.contract_id, old.contract_post_id, old.kind, old.amount, old.effective_from)
    is distinct from (new.contract_id, new.contract_post_id, new.kind, new.amount, new.effective_from))
  execute function private.keep_billed_rate();

revoke all on all functions in schema private from public;
