-- Which invoices were mailed, when and to whom. The server sends the mail after the commit.
create table public.invoice_mails (
  id uuid primary key default gen_random_uuid(),
  invoice_id uuid not null references public.invoices (id),
  email text not null check (char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  sent_by uuid references public.profiles (id) on delete set null,
  mailed_at timestamptz,
  created_at timestamptz not null default now()
);
comment on column public.invoice_mails.mailed_at is 'Derived: when the mail was handed to the mail server';
create index invoice_mails_invoice_id_idx on public.invoice_mails (invoice_id, created_at);
create index invoice_mails_sent_by_idx on public.invoice_mails (sent_by, created_at);
select private.keep_history_of('public.invoice_mails');

alter table public.invoice_mails enable row level security;
revoke all on public.invoice_mails from anon, authenticated;
grant select on public.invoice_mails to authenticated;
create policy "Admins and finance read where invoices were mailed" on public.invoice_mails
  for select to authenticated using ((select private.may_bill()));
alter publication supabase_realtime add table public.invoice_mails;

-- Mails to send; a row is deleted once it is sent.
create table private.invoice_mail_queue (
  mail_id uuid primary key references public.invoice_mails (id) on delete cascade,
  attempts integer not null default 0,
  -- Time of the next attempt; null after the last one failed.
  next_at timestamptz default now(),
  last_error text
);
create index invoice_mail_queue_next_at_idx on private.invoice_mail_queue (next_at);
alter table private.invoice_mail_queue enable row level security;
revoke all on private.invoice_mail_queue from public, anon, authenticated;

create function private.mark_invoice_mailed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.invoices i set mailed_at = new.mailed_at where i.id = new.invoice_id;
  return null;
end
$$;
create trigger z_marks_invoice after update of mailed_at on public.invoice_mails
  for each row when (new.mailed_at is not null) execute function private.mark_invoice_mailed();

-- Mails issued invoices: to the address given, or to that of each invoice. One that can't be mailed has a row that says why.
create function public.send_invoices(p_ids uuid[], p_email text default null)
returns table (id uuid, email text, refusal text)
language plpgsql security definer set search_path = '' as $$
declare
  chosen text := nullif(btrim(p_email), '');
begin
  perform private.require_billing_role();
  if p_ids is null or cardinality(p_ids) not between 1 and 500 then
    raise exception 'Choose 1 to 500 invoices.' using errcode = 'invalid_parameter_value';
  end if;
  if chosen is not null and (char_length(chosen) > 255 or chosen !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$') then
    raise exception 'Enter an e-mail address.' using errcode = 'invalid_parameter_value';
  end if;
  if (select count(*) from public.invoice_mails m where m.sent_by = auth.uid() and m.created_at > now() - interval '1 hour')
    + cardinality(p_ids) > 1000
  then
    raise exception 'You have mailed 1000 invoices within an hour. Please try again later.' using errcode = 'PT429';
  end if;
  for send_invoices.id, send_invoices.email, send_invoices.refusal in
    select x.id, coalesce(chosen, i.bill_to ->> 'email'), case
      when i.id is null then 'This invoice no longer exists.'
      when i.status = 'draft' then 'Issue this invoice first.'
      when coalesce(chosen, i.bill_to ->> 'email') is null then 'The contract has no e-mail address.'
      when exists (
        select from private.invoice_mail_queue q join public.invoice_mails m on m.id = q.mail_id
        where m.invoice_id = i.id and m.email = coalesce(chosen, i.bill_to ->> 'email') and q.next_at is not null
      ) then 'This mail is on its way already.'
      when coalesce(chosen, i.bill_to ->> 'email') !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' then 'The contract''s e-mail address is wrong.'
      end
    from (select u.id, min(u.place) as place from unnest(p_ids) with ordinality u (id, place) group by u.id) x
    left join public.invoices i on i.id = x.id
    order by x.place
  loop
    if refusal is null then
      with mail as (
        insert into public.invoice_mails (invoice_id, email, sent_by)
        values (send_invoices.id, send_invoices.email, auth.uid()) returning invoice_mails.id
      )
      insert into private.invoice_mail_queue (mail_id) select m.id from mail m;
    end if;
    return next;
  end loop;
end
$$;
comment on function public.send_invoices is 'Nullable: email, refusal';

revoke all on all functions in schema private from public;
revoke all on function public.send_invoices from public, anon;
grant execute on function public.send_invoices to authenticated, service_role;
