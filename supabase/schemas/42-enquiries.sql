-- From an enquiry to a contract: quotes, their mails, and what is made of an accepted one.

-- ── Tables ────────────────────────────────────────────────────────────

-- What the company offers at one site. A draft changes; what is sent stays as it is, and a new version replaces it.
create table public.quotes (
  id uuid default gen_random_uuid() primary key,
  enquiry_id uuid references public.contact_messages on delete set null,
  client_id uuid references public.clients on delete set null, -- Null: not a client yet.
  contract_id uuid references public.contracts on delete set null, -- What it was turned into.
  -- Null until the first version is sent; counted without gaps within the company's year of that day.
  year integer check (year between 1900 and 2199),
  sequence integer check (sequence > 0),
  version integer not null default 1 check (version between 1 and 100),
  number text generated always as ((((('QUO-' || (year)::text) || '-') || lpad((sequence)::text,
    greatest(4, length((sequence)::text)), '0')) || case when version > 1 then '-v' || (version)::text else '' end))
    stored,
  -- 'superseded' by the next version that was sent. That a sent one has expired is computed: public.quote_state.
  status text not null default 'draft' check (status in ('draft', 'sent', 'accepted', 'declined', 'superseded')),
  client_name text not null check (char_length(client_name) between 1 and 200),
  contact_name text check (char_length(contact_name) <= 100),
  email text check (char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  site_name text not null check (char_length(site_name) between 1 and 200),
  site_address text not null check (char_length(site_address) between 1 and 300),
  currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  starts_on date not null check (starts_on between '2020-01-01' and '2199-12-31'), -- The taxes are those of this day.
  valid_until date not null check (valid_until between '2020-01-01' and '2199-12-31'), -- Last day, inclusive.
  payment_terms_days integer not null default 30 check (payment_terms_days between 0 and 180),
  prices_include_tax boolean not null default false,
  terms text check (char_length(terms) <= 2000),
  -- Of an average month.
  subtotal numeric(16,2) not null default 0,
  tax numeric(16,2) not null default 0,
  total numeric(16,2) generated always as ((subtotal + tax)) stored not null,
  vat_number text check (char_length(vat_number) <= 40), -- Of the company, when it was sent.
  sent_on date,
  sent_by uuid references public.profiles on delete set null,
  decided_on date,
  decided_by uuid references public.profiles on delete set null,
  reason text check (char_length(reason) <= 500), -- Why it was declined.
  mailed_at timestamptz,
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint quotes_number_key unique (year, sequence, version),
  constraint quotes_numbered_once_sent check ((year is null) = (sequence is null)
    and (year is null) = (status = 'draft' and version = 1)),
  constraint quotes_sent check ((status = 'draft') = (sent_on is null)),
  constraint quotes_decided check (status not in ('accepted', 'declined') or decided_on is not null),
  constraint quotes_contract_of_accepted check (contract_id is null or status = 'accepted')
);
comment on column public.quotes.subtotal is 'Derived from the lines';
comment on column public.quotes.tax is 'Derived from the lines';
comment on column public.quotes.mailed_at is 'Derived: when a mail with it was last handed to the mail server';
create index quotes_enquiry_id_idx on public.quotes (enquiry_id, created_at desc);
create index quotes_client_id_idx on public.quotes (client_id);
create unique index quotes_contract_id_idx on public.quotes (contract_id) where contract_id is not null;
create index quotes_sent_by_idx on public.quotes (sent_by);
create index quotes_decided_by_idx on public.quotes (decided_by);
create index quotes_created_by_idx on public.quotes (created_by);
create index quotes_created_at_idx on public.quotes (created_at);
alter publication supabase_realtime add table public.quotes;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.quotes',
  'client_name', 'contact_name', 'email', 'site_name', 'site_address', 'terms', 'reason');
create trigger b_author before insert or update on public.quotes for each row execute function private.stamp_author();
create trigger c_keep_sent before update on public.quotes
  for each row when (old.status <> 'draft') execute function private.keep_sent_quote();
create trigger c_printable before insert or update of client_name, site_address on public.quotes
  for each row execute function private.refuse_unprintable('client_name', 'site_address');
create trigger d_touch before update on public.quotes for each row execute function private.touch();
select private.keep_history_of('public.quotes');
alter table public.quotes enable row level security;
revoke insert, update, delete, truncate on public.quotes from service_role;
grant select on public.quotes to authenticated;
create policy "Admins, operations managers and finance read quotes" on public.quotes
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'finance')));

create table public.quote_lines (
  id uuid default gen_random_uuid() primary key,
  quote_id uuid not null references public.quotes on delete cascade,
  position integer not null check (position between 1 and 50),
  post_name text not null check (char_length(post_name) between 1 and 100),
  guards integer not null check (guards between 1 and 100), -- At once.
  hours_a_day numeric(4,2) not null check (hours_a_day > 0 and hours_a_day <= 24),
  days_a_week integer not null check (days_a_week between 1 and 7),
  rate numeric(14,4) not null check (rate between 0 and '9999999999'::bigint::numeric), -- Of an hour of a guard.
  vat_treatment text not null default 'standard' check (vat_treatment in ('standard', 'zero', 'exempt')),
  -- Of an average month: a year has 52 weeks.
  hours numeric(12,2) generated always as (round(((((guards)::numeric * hours_a_day) * (days_a_week)::numeric)
    * (52)::numeric) / (12)::numeric, 2)) stored not null,
  -- As in a line of an invoice.
  amount numeric(14,2) not null default 0 check (amount between 0 and 999999999999.99),
  tax_name text check (char_length(tax_name) <= 100),
  tax_rate numeric(6,4) check (tax_rate between 0 and 1),
  taxed_as text check (taxed_as in ('standard', 'zero', 'exempt')), -- Null outside a registration for VAT.
  price_with_tax numeric(14,2),
  tax_amount numeric(14,2) generated always as (coalesce((price_with_tax - amount), round((amount * coalesce(tax_rate,
    (0)::numeric)), 2))) stored not null,
  constraint quote_lines_position_key unique (quote_id, position)
);
comment on column public.quote_lines.amount is 'Derived: the hours of an average month times the rate';
-- A contract bills a post once.
create unique index quote_lines_post_key on public.quote_lines (quote_id, lower(post_name));
alter publication supabase_realtime add table public.quote_lines;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.quote_lines', 'post_name');
create trigger c_keep_sent before insert or update or delete on public.quote_lines
  for each row execute function private.keep_sent_quote_line();
select private.keep_history_of('public.quote_lines');
alter table public.quote_lines enable row level security;
revoke insert, update, delete, truncate on public.quote_lines from service_role;
grant select on public.quote_lines to authenticated;
create policy "Admins, operations managers and finance read lines of quotes" on public.quote_lines
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'finance')));

-- Which quotes were mailed, when and to whom. The server sends the mail after the commit.
create table public.quote_mails (
  id uuid default gen_random_uuid() primary key,
  quote_id uuid not null references public.quotes on delete cascade,
  email text not null check (char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  sent_by uuid references public.profiles on delete set null,
  mailed_at timestamptz,
  created_at timestamptz not null default now()
);
comment on column public.quote_mails.mailed_at is 'Derived: when the mail was handed to the mail server';
create index quote_mails_quote_id_idx on public.quote_mails (quote_id, created_at);
create index quote_mails_sent_by_idx on public.quote_mails (sent_by, created_at);
create index quote_mails_created_at_idx on public.quote_mails (created_at);
alter publication supabase_realtime add table public.quote_mails;
-- Triggers, in the order in which they fire:
create trigger z_marks_quote after update of mailed_at on public.quote_mails
  for each row when (new.mailed_at is not null) execute function private.mark_quote_mailed();
select private.keep_history_of('public.quote_mails');
alter table public.quote_mails enable row level security;
revoke insert, update, delete, truncate on public.quote_mails from service_role;
grant select on public.quote_mails to authenticated;
create policy "Admins, operations managers and finance read where quotes went" on public.quote_mails
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'finance')));

-- Mails to send; a row is deleted once it is sent.
create table private.quote_mail_queue (
  mail_id uuid primary key references public.quote_mails on delete cascade,
  attempts integer not null default 0,
  next_at timestamptz default now(), -- Time of the next attempt; null after the last one failed.
  last_error text
);
create index quote_mail_queue_next_at_idx on private.quote_mail_queue (next_at);
alter table private.quote_mail_queue enable row level security;

-- What did not exist before a quote became a contract: taking the contract back removes it again.
create table private.made_of_quotes (
  quote_id uuid primary key references public.quotes on delete cascade,
  client_id uuid,
  site_id uuid,
  post_ids uuid[] not null default '{}'
);
alter table private.made_of_quotes enable row level security;

-- ── Functions ─────────────────────────────────────────────────────────

-- Who may own an enquiry, by name.
create function public.enquiry_owners() returns table (id uuid, name text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_client_manager();
  return query
  select p.id, coalesce(nullif(p.full_name, ''), p.email, p.phone) from public.profiles p
  where p.left_on is null and exists (
    select from public.user_roles r where r.user_id = p.id and r.role in ('admin', 'ops_manager')
  )
  order by 2, 1;
end
$$;
grant execute on function public.enquiry_owners to authenticated;

-- What is sent stays as the client has it. What becomes of it, and who is forgotten, moves on.
create function private.keep_sent_quote() returns trigger
language plpgsql set search_path = '' as $$
declare
  -- Generated columns are not computed yet.
  moving constant text[] := '{number,total,status,enquiry_id,client_id,contract_id,sent_by,decided_on,decided_by,'
    'reason,mailed_at,created_by,updated_at,contact_name,email}';
begin
  if to_jsonb(new) - moving <> to_jsonb(old) - moving or new.status = 'draft'
    or new.contact_name <> old.contact_name or new.email <> old.email
  then
    raise exception 'This quote has been sent, so it stays as it is. Make a new version.' using errcode = 'PT409';
  end if;
  return new;
end
$$;

-- Of a quote that is deleted, its lines go too: its row is gone before them.
create function private.keep_sent_quote_line() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.quotes q
    where q.id = case when tg_op = 'INSERT' then new.quote_id else old.quote_id end and q.status <> 'draft'
  ) then
    raise exception 'This quote has been sent, so it stays as it is. Make a new version.' using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create function private.mark_quote_mailed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.quotes q set mailed_at = new.mailed_at where q.id = new.quote_id;
  return null;
end
$$;

-- A sent quote whose last day is over has expired.
create function public.quote_state(quote public.quotes) returns text
language sql stable set search_path = ''
return case when quote.status = 'sent' and quote.valid_until < private.company_date() then 'expired'
  else quote.status end;
grant execute on function public.quote_state(quote public.quotes) to authenticated;

-- Prices the lines of a draft as a contract with these terms will: hours times rate, and the taxes of the first day.
create function private.price_quote(p_id uuid) returns public.quotes
language plpgsql security definer set search_path = '' as $$
declare
  priced public.quotes;
begin
  update public.quote_lines l set
    tax_name = t.tax_name, tax_rate = t.tax_rate, taxed_as = t.vat_treatment,
    price_with_tax = case when q.prices_include_tax and t.tax_rate > 0 then round(l.hours * l.rate, 2) end,
    amount = case when q.prices_include_tax and t.tax_rate > 0
      then private.price_without_tax(round(l.hours * l.rate, 2), t.tax_rate) else round(l.hours * l.rate, 2) end
  from public.quotes q, public.quote_lines x
  cross join lateral (select c.client_id, c.starts_on from public.quotes c where c.id = x.quote_id) c
  cross join lateral private.tax_days_of(c.client_id, null, x.vat_treatment, c.starts_on, c.starts_on) t
  where q.id = p_id and l.quote_id = q.id and x.id = l.id;
  update public.quotes q set subtotal = s.subtotal, tax = s.tax,
    vat_number = (private.vat_registration_on(q.starts_on)).number
  from (
    select coalesce(sum(l.amount), 0) as subtotal, coalesce(sum(l.tax_amount), 0) as tax
    from public.quote_lines l where l.quote_id = p_id
  ) s
  where q.id = p_id returning q.* into priced;
  return priced;
end
$$;

-- Stores a draft with its lines, new under an id that the caller chose, so that a repeat is the same quote.
-- @param p_seen updated_at of the version on screen; null for a new one
create function public.save_quote(
  p_id uuid, p_enquiry_id uuid, p_terms jsonb, p_lines jsonb, p_seen timestamptz default null
) returns public.quotes
language plpgsql security definer set search_path = '' as $$
declare
  terms public.quotes := jsonb_populate_record(null::public.quotes, p_terms);
  saved public.quotes;
begin
  perform private.require_client_manager();
  if p_id is null or jsonb_typeof(p_lines) is distinct from 'array' or jsonb_array_length(p_lines) not between 1 and 50
  then
    raise exception 'A quote has 1 to 50 lines.' using errcode = 'invalid_parameter_value';
  end if;
  select * into saved from public.quotes q where q.id = p_id for update;
  if saved.status <> 'draft' then
    raise exception 'This quote has been sent, so it stays as it is. Make a new version.' using errcode = 'PT409';
  elsif saved.id is not null and p_seen is not null and saved.updated_at <> p_seen then
    raise exception 'Someone else has just changed this quote. Check their changes, then save again.'
      using errcode = 'PT409';
  end if;
  if saved.id is null and not exists (select from public.contact_messages m where m.id = p_enquiry_id) then
    raise exception 'This enquiry no longer exists.' using errcode = 'PT404';
  end if;
  insert into public.quotes as q (id, enquiry_id, client_id, client_name, contact_name, email, site_name, site_address,
    currency, starts_on, valid_until, payment_terms_days, prices_include_tax, terms)
  values (p_id, p_enquiry_id, terms.client_id, terms.client_name, terms.contact_name, terms.email, terms.site_name,
    terms.site_address, terms.currency, terms.starts_on, terms.valid_until, terms.payment_terms_days,
    terms.prices_include_tax, terms.terms)
  on conflict (id) do update set client_id = excluded.client_id, client_name = excluded.client_name,
    contact_name = excluded.contact_name, email = excluded.email, site_name = excluded.site_name,
    site_address = excluded.site_address, currency = excluded.currency, starts_on = excluded.starts_on,
    valid_until = excluded.valid_until, payment_terms_days = excluded.payment_terms_days,
    prices_include_tax = excluded.prices_include_tax, terms = excluded.terms;
  delete from public.quote_lines l where l.quote_id = p_id;
  insert into public.quote_lines (quote_id, position, post_name, guards, hours_a_day, days_a_week, rate, vat_treatment)
  select p_id, e.place, r.post_name, r.guards, r.hours_a_day, r.days_a_week, r.rate,
    coalesce(r.vat_treatment, 'standard')
  from jsonb_array_elements(p_lines) with ordinality e (line, place)
  cross join lateral jsonb_populate_record(null::public.quote_lines, e.line) r;
  return private.price_quote(p_id);
end
$$;
grant execute on function public.save_quote to authenticated;

create function public.delete_quote(p_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_client_manager();
  if exists (select from public.quotes q where q.id = p_id and q.status <> 'draft') then
    raise exception 'This quote has been sent, so it stays as it is. Make a new version.' using errcode = 'PT409';
  end if;
  delete from public.quotes q where q.id = p_id;
end
$$;
grant execute on function public.delete_quote to authenticated;

-- Gives a draft its number and day, and the enquiry the stage "quoted". With an address, a mail takes the PDF there,
-- also again for one that was sent before.
create function public.send_quote(p_id uuid, p_email text default null) returns public.quotes
language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  today constant date := private.company_date();
  address constant text := nullif(btrim(p_email), '');
begin
  perform private.require_client_manager();
  select * into quote from public.quotes q where q.id = p_id for update;
  if quote.id is null then
    raise exception 'This quote no longer exists.' using errcode = 'PT404';
  end if;
  if quote.status = 'draft' then
    if quote.valid_until < today then
      raise exception 'Its last day is over. Choose a later one first.' using errcode = 'PT409';
    end if;
    perform private.price_quote(p_id);
    update public.quotes q set
      year = coalesce(q.year, extract(year from today)::integer),
      sequence = coalesce(q.sequence, private.next_number('quote', extract(year from today)::integer)),
      status = 'sent', sent_on = today, sent_by = auth.uid()
    where q.id = p_id returning q.* into quote;
    update public.quotes q set status = 'superseded'
    where (q.year, q.sequence) = (quote.year, quote.sequence) and q.version < quote.version
      and q.status in ('sent', 'declined');
    update public.contact_messages m set stage = 'quoted'
    where m.id = quote.enquiry_id and m.stage in ('new', 'talks', 'lost');
  end if;
  if address is not null then
    perform private.queue_quote_mail(quote, address);
  end if;
  return quote;
end
$$;
grant execute on function public.send_quote to authenticated;

create function private.queue_quote_mail(p_quote public.quotes, p_email text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if char_length(p_email) > 255 or p_email !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' then
    raise exception 'Enter an e-mail address.' using errcode = 'invalid_parameter_value';
  end if;
  if p_quote.status in ('declined', 'superseded') then
    raise exception 'This quote no longer counts. Send the latest version.' using errcode = 'PT409';
  end if;
  if (select count(*) from public.quote_mails m
    where m.sent_by = auth.uid() and m.created_at > now() - interval '1 hour') >= 100
  then
    raise exception 'You have mailed 100 quotes within an hour. Please try again later.' using errcode = 'PT429';
  end if;
  -- A second press while the first mail waits.
  if exists (
    select from private.quote_mail_queue w join public.quote_mails m on m.id = w.mail_id
    where m.quote_id = p_quote.id and m.email = p_email and w.next_at is not null
  ) then
    return;
  end if;
  with mail as (
    insert into public.quote_mails (quote_id, email, sent_by) values (p_quote.id, p_email, auth.uid()) returning id
  )
  insert into private.quote_mail_queue (mail_id) select m.id from mail m;
end
$$;

-- A draft of the next version; the one that exists already, if there is one.
create function public.revise_quote(p_id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  latest public.quotes;
  made uuid;
begin
  perform private.require_client_manager();
  select * into quote from public.quotes q where q.id = p_id for update;
  if quote.id is null or quote.status = 'draft' then
    raise exception 'Only a quote that was sent gets a new version.' using errcode = 'PT409';
  end if;
  select * into latest from public.quotes q
  where (q.year, q.sequence) = (quote.year, quote.sequence) order by q.version desc limit 1 for update;
  if latest.status = 'draft' then
    return latest.id;
  elsif exists (
    select from public.quotes q where (q.year, q.sequence) = (quote.year, quote.sequence) and q.status = 'accepted'
  ) then
    raise exception 'This quote was accepted. Undo that first.' using errcode = 'PT409';
  end if;
  insert into public.quotes (enquiry_id, client_id, year, sequence, version, client_name, contact_name, email,
    site_name, site_address, currency, starts_on, valid_until, payment_terms_days, prices_include_tax, terms)
  values (quote.enquiry_id, quote.client_id, quote.year, quote.sequence, latest.version + 1, quote.client_name,
    quote.contact_name, quote.email, quote.site_name, quote.site_address, quote.currency, quote.starts_on,
    greatest(quote.valid_until, private.company_date() + 30), quote.payment_terms_days, quote.prices_include_tax,
    quote.terms)
  returning id into made;
  insert into public.quote_lines (quote_id, position, post_name, guards, hours_a_day, days_a_week, rate, vat_treatment)
  select made, l.position, l.post_name, l.guards, l.hours_a_day, l.days_a_week, l.rate, l.vat_treatment
  from public.quote_lines l where l.quote_id = p_id;
  perform private.price_quote(made);
  return made;
end
$$;
grant execute on function public.revise_quote to authenticated;

-- What the client answered: 'accepted' or 'declined'; 'sent' undoes that.
create function public.answer_quote(p_id uuid, p_status text, p_reason text default null) returns public.quotes
language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
begin
  perform private.require_client_manager();
  if p_status is null or p_status not in ('accepted', 'declined', 'sent') then
    raise exception 'The answer is accepted, declined or sent.' using errcode = 'invalid_parameter_value';
  end if;
  select * into quote from public.quotes q where q.id = p_id for update;
  if quote.status = p_status then
    return quote;
  elsif quote.id is null or quote.status in ('draft', 'superseded') then
    raise exception 'Only the latest quote that was sent is answered.' using errcode = 'PT409';
  elsif quote.contract_id is not null then
    raise exception 'This quote has a contract. Take the contract back first.' using errcode = 'PT409';
  elsif p_status = 'accepted' and quote.valid_until < private.company_date() then
    raise exception 'This quote has expired. Send a new version.' using errcode = 'PT409';
  end if;
  update public.quotes q set status = p_status,
    decided_on = case when p_status <> 'sent' then private.company_date() end,
    decided_by = case when p_status <> 'sent' then auth.uid() end,
    reason = case when p_status = 'declined' then nullif(btrim(p_reason), '') end
  where q.id = p_id returning q.* into quote;
  if p_status = 'accepted' and not private.may_turn_quotes() then
    perform private.notify(a.user_id, 'enquiry', 'A quote was accepted: make its contract',
      format('%s, %s', quote.number, quote.client_name), '/admin/enquiries/quotes/' || quote.id,
      format('quote_accepted:%s:%s', quote.id, a.user_id))
    from (select distinct r.user_id from public.user_roles r where r.role = 'admin' order by 1) a;
  end if;
  return quote;
end
$$;
grant execute on function public.answer_quote to authenticated;

-- Who may add both clients and contracts.
create function private.may_turn_quotes() returns boolean
language sql stable security definer set search_path = ''
return private.has_role('admin', 'ops_manager') and private.may_bill();
grant execute on function private.may_turn_quotes to authenticated;

create function private.require_quote_turner() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.may_turn_quotes() then
    raise exception 'Only admins, and operations managers who also have finance, may do this.'
      using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- Makes, or takes, the client and the site, and the contract with its posts and rates. The posts have no hours yet, so
-- nothing is planned and nothing is billed until a planner gives them some. A second press opens the first one's.
-- @returns the contract
create function public.turn_into_contract(p_quote_id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  client public.clients;
  place public.sites;
  made private.made_of_quotes;
  contract uuid;
begin
  perform private.require_quote_turner();
  select * into quote from public.quotes q where q.id = p_quote_id for update;
  if quote.contract_id is not null then
    return quote.contract_id;
  elsif quote.id is null or quote.status <> 'accepted' then
    raise exception 'Only an accepted quote becomes a contract.' using errcode = 'PT409';
  end if;
  -- Two quotes of one client make it once.
  perform pg_advisory_xact_lock(hashtextextended('turn_into_contract', 0));
  made.quote_id := quote.id;
  select * into client from public.clients c
  where c.id = quote.client_id or quote.client_id is null and lower(c.name) = lower(quote.client_name)
  order by lower(c.location) = lower(quote.site_address) desc, c.created_at limit 1;
  if client.id is null then
    client := private.client_of_quote(quote);
    made.client_id := client.id;
  end if;
  select * into place from public.sites s
  where s.client_id = client.id and lower(s.name) = lower(quote.site_name) order by s.created_at limit 1;
  if place.id is null then
    insert into public.sites (name, client_name, client_id, address)
    values (quote.site_name, client.name, client.id, quote.site_address) returning * into place;
    made.site_id := place.id;
  end if;
  insert into public.contracts (client_id, title, currency, starts_on, payment_terms_days, prices_include_tax,
    agreed_headcount, bill_to_email, notes)
  select client.id, left(format('%s, quote %s', quote.site_name, quote.number), 200), quote.currency, quote.starts_on,
    quote.payment_terms_days, quote.prices_include_tax, sum(l.guards), quote.email,
    concat_ws(e'\n\n', string_agg(format('%s: %s guards, %s h a day, %s days a week', l.post_name, l.guards,
      trim_scale(l.hours_a_day), l.days_a_week), e'\n' order by l.position), quote.terms)
  from public.quote_lines l where l.quote_id = quote.id returning id into contract;
  made.post_ids := private.posts_of_quote(quote, contract, place.id);
  insert into private.made_of_quotes select made.*;
  update public.quotes q set contract_id = contract, client_id = client.id where q.id = quote.id;
  update public.contact_messages m set stage = 'won' where m.id = quote.enquiry_id and m.stage <> 'won';
  return contract;
end
$$;
grant execute on function public.turn_into_contract to authenticated;

create function private.client_of_quote(p_quote public.quotes) returns public.clients
language sql security definer set search_path = '' as $$
  insert into public.clients (name, number_of_guards, monthly_rate, location)
  select p_quote.client_name, sum(l.guards), case when p_quote.currency = 'USD' then p_quote.subtotal
    else round(p_quote.subtotal / private.pay_rate('lrd_per_usd', p_quote.starts_on), 2) end, p_quote.site_address
  from public.quote_lines l where l.quote_id = p_quote.id returning *;
$$;

-- Bills each line of a quote at a post of the site. @returns the posts that did not exist
create function private.posts_of_quote(p_quote public.quotes, p_contract uuid, p_site uuid) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare
  line public.quote_lines;
  post uuid;
  billed uuid;
  made uuid[] := '{}';
begin
  for line in select * from public.quote_lines l where l.quote_id = p_quote.id order by l.position loop
    select p.id into post from public.posts p where p.site_id = p_site and lower(p.name) = lower(line.post_name);
    if post is null then
      insert into public.posts (site_id, name, headcount, valid_from)
      values (p_site, line.post_name, line.guards, p_quote.starts_on) returning id into post;
      made := made || post;
    end if;
    begin
      insert into public.contract_posts (contract_id, site_id, post_id, vat_treatment, starts_on)
      values (p_contract, p_site, post, line.vat_treatment, p_quote.starts_on) returning id into billed;
    exception when exclusion_violation then
      raise exception 'Another contract bills % from % on. End that post first.', line.post_name,
        private.day_text(p_quote.starts_on) using errcode = 'PT409';
    end;
    insert into public.rates (contract_id, contract_post_id, amount, effective_from)
    values (p_contract, billed, line.rate, p_quote.starts_on);
  end loop;
  return made;
end
$$;

-- Takes the contract of a quote back, with the client, site and posts that were made for it and that nothing else uses.
create function public.take_contract_back(p_quote_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  made private.made_of_quotes;
begin
  perform private.require_quote_turner();
  select * into quote from public.quotes q where q.id = p_quote_id for update;
  if quote.contract_id is null then
    return;
  end if;
  select * into made from private.made_of_quotes m where m.quote_id = quote.id;
  if exists (
    select from public.contract_posts b
    where b.contract_id = quote.contract_id and (
      exists (select from public.post_requirements r where r.post_id = b.post_id and b.post_id = any (made.post_ids))
      or exists (select from public.shifts h where h.post_id = b.post_id and h.start_time
        >= private.company_midnight(b.starts_on))
    )
  ) then
    raise exception 'Its posts have hours or shifts already. Change the contract instead.' using errcode = 'PT409';
  end if;
  delete from public.contracts c where c.id = quote.contract_id;
  delete from private.made_of_quotes m where m.quote_id = quote.id;
  update public.quotes q set client_id = null where q.id = quote.id and q.client_id = made.client_id;
  begin
    delete from public.posts p where p.id = any (made.post_ids);
    delete from public.sites s where s.id = made.site_id;
    delete from public.clients c where c.id = made.client_id;
  exception when foreign_key_violation or sqlstate 'PT409' then
    null; -- In use by now, so they stay.
  end;
  update public.contact_messages m set stage = 'quoted' where m.id = quote.enquiry_id and m.stage = 'won';
end
$$;
grant execute on function public.take_contract_back to authenticated;

-- Ends what quotes say about a person: all that became no contract, and the name in the others.
-- @returns the ids of the records whose copies are to be emptied
create function private.forget_addressee(p_enquiries uuid[]) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare
  papers uuid[];
begin
  papers := array(
    select q.id from public.quotes q where q.enquiry_id = any (p_enquiries)
    union all
    select m.id from public.quote_mails m join public.quotes q on q.id = m.quote_id
    where q.enquiry_id = any (p_enquiries)
  );
  delete from public.quotes q where q.enquiry_id = any (p_enquiries) and q.contract_id is null;
  delete from public.quote_mails m where m.id = any (papers);
  update public.quotes q set contact_name = null, email = null where q.enquiry_id = any (p_enquiries);
  return papers;
end
$$;
