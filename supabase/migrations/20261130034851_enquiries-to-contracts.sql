-- Functions name columns and functions that come below.
set local check_function_bodies = off;

create or replace FUNCTION private.stamp_handling()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null then
    if (new.state, new.note, new.stage, new.lost_reason, new.owner_id, new.next_action, new.next_action_on)
      is distinct
        from (old.state, old.note, old.stage, old.lost_reason, old.owner_id, old.next_action, old.next_action_on)
    then
      new.handled_by := auth.uid();
      new.handled_at := now();
    else
      new.handled_by := old.handled_by;
      new.handled_at := old.handled_at;
    end if;
  end if;
  return new;
end
$function$;

create or replace FUNCTION public.erase_enquirer(p_enquiry_id uuid, p_name text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  known public.contact_messages;
  enquiries uuid[];
  papers uuid[];
begin
  perform private.require_admin();
  select * into known from public.contact_messages m where m.id = p_enquiry_id;
  if not found then
    raise exception 'There is no such enquiry.' using errcode = 'PT404';
  end if;
  perform private.require_typed_name(p_name, known.name);
  enquiries := array(select m.id from public.contact_messages m where lower(m.email) = lower(known.email));
  perform private.begin_erasure(private.plan_erasure('enquiry', null, null, null, '{}', '{}', '{}'), 'Former enquirer');
  papers := private.forget_addressee(enquiries);
  delete from public.contact_messages m where m.id = any (enquiries);
  set local session_replication_role = replica;
  update public.audit_log a set
    old_values = case when a.old_values is not null then '{}'::jsonb end,
    new_values = case when a.new_values is not null then '{}'::jsonb end
  where a.row_id = any (enquiries) and a.table_name = 'contact_messages';
  update public.audit_log a set
    old_values = a.old_values - '{client_name,contact_name,email}'::text[],
    new_values = a.new_values - '{client_name,contact_name,email}'::text[]
  where a.row_id = any (papers) and a.table_name in ('quotes', 'quote_mails');
  set local session_replication_role = origin;
  perform private.record_security_event('person_erased', p_enquiry_id, '{}');
  return cardinality(enquiries);
end
$function$;

create or replace FUNCTION private.due_dates()
 RETURNS TABLE(topic text, subject text, user_id uuid, falls_on date, line text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today constant date := private.reminder_date();
  -- Monday of the week to come.
  week constant date := date_trunc('week', today)::date + 7;
  long_ago constant date := today - 60;
begin
  return query
  select case when e.ends_on < today then 'certificate_over' else 'certificate' end, e.id::text, e.user_id, e.ends_on,
    format('%s, %s', k.title, private.day_text(e.ends_on))
  from (
    select c.*, private.company_date_of(c.expires_at) as ends_on from public.certifications c
    where c.expires_at > now() - make_interval(days => private.expiring_days())
      and c.expires_at <= now() + make_interval(days => private.expiring_days())
  ) e
  join public.training_courses k on k.id = e.course_id
  join public.profiles p on p.id = e.user_id and (p.left_on is null or p.left_on >= today)
  where not exists (
    select from public.certifications n
    where n.user_id = e.user_id and n.course_id = e.course_id and n.expires_at > e.expires_at
  );

  return query
  select 'contract', c.id::text, null::uuid, c.ends_on,
    format('%s: %s, last day %s', k.name, c.title, private.day_text(c.ends_on))
  from public.contracts c
  join public.clients k on k.id = c.client_id
  where c.ends_on between today and today + private.contract_ending_days();

  return query
  select 'billing', format('%s:%s', d.contract_id, d.first), null::uuid, d.due_on,
    format('%s: %s, %s', k.name, d.title, private.period_text(d.first, d.last))
  from private.billing_due(today, null) d
  join public.clients k on k.id = d.client_id
  where d.state = 'due';

  return query
  select 'pay_run', format('%s:%s', s.payment_frequency, s.currency), null::uuid, t.period_end + 1,
    format('%s, %s: %s', initcap(s.payment_frequency), s.currency, private.period_text(t.period_start, t.period_end))
  from public.timesheets t
  join public.staff s on s.user_id = t.user_id
  where t.period_end >= long_ago and t.period_end < today
    and not exists (
      select from public.pay_runs r
      where r.status <> 'void' and r.pay_group = s.payment_frequency and r.currency = s.currency
        and daterange(r.period_start, r.period_end, '[]') && daterange(t.period_start, t.period_end, '[]')
    )
  group by s.payment_frequency, s.currency, t.period_start, t.period_end;

  -- VAT that begins within a month, or has begun, while nobody has said whether the company is registered.
  return query
  select 'vat', x.name, null::uuid, x.effective_from, format('%s of %s%% from %s', x.name, trim_scale(x.rate * 100),
    private.day_text(x.effective_from))
  from (
    select p.name, p.rate, p.effective_from from public.rate_proposals p where p.kind = 'tax'
    union all
    select t.name, t.rate, t.effective_from from public.tax_rates t
  ) x
  where x.name = private.vat_name() and x.effective_from between long_ago and today + 31
    and not exists (select from public.vat_registrations)
    and not exists (select from public.setup_marks m where m.step = 'vat' and m.mark = 'confirmed');

  -- The owner's own; those of nobody are for all who answer enquiries.
  return query
  select case when m.owner_id is null then 'enquiry' else 'own_enquiry' end, m.id::text, m.owner_id, m.next_action_on,
    format('%s: %s', coalesce(m.company, m.name), m.next_action)
  from public.contact_messages m
  where m.next_action_on between long_ago and today;

  return query
  select 'roster', 'week', null::uuid, week, format('%s of %s seats of the week from %s are open.',
    sum(s.open), sum(s.needed), private.day_text(week))
  from (
    select h.required_headcount as needed, greatest(h.required_headcount - (
      select count(*) from public.assignments a where a.shift_id = h.id and a.counts_as_staffed
    ), 0) as open
    from public.shifts h
    where h.start_time >= private.company_midnight(week) and h.start_time < private.company_midnight(week + 7)
  ) s
  where not exists (select from public.roster_periods r where r.starts_on = week and r.state = 'published')
  having sum(s.open) > 0;
end
$function$;

create or replace FUNCTION private.tell_of_due_dates()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  shown constant integer := 15;
  sent integer;
begin
  with due as materialized (
    select d.*, row_number() over (partition by d.topic order by d.falls_on, d.line) as place
    from private.due_dates() d
    where not exists (
      select from private.told_dates t
      where t.topic = d.topic and t.subject = d.subject and t.falls_on = d.falls_on
    )
  ),
  told as (
    insert into private.told_dates (topic, subject, falls_on)
    select distinct d.topic, d.subject, d.falls_on from due d order by 1, 2, 3 on conflict do nothing
  ),
  lists as (
    select d.topic, count(*) as things, min(d.falls_on) as first_on,
      string_agg(coalesce(private.name_of_person(d.user_id) || ': ', '') || d.line, e'\n' order by d.place)
        filter (where d.place <= shown)
        || case when count(*) > shown then format(e'\nand %s more', count(*) - shown) else '' end as body
    from due d group by d.topic
  ),
  messages as (
    select r.user_id, l.topic, t.kind, case when l.things = 1 then t.one else format(t.many, l.things) end as title,
      l.body, format(t.link, l.first_on) as link
    from lists l
    join private.due_topics() t on t.topic = l.topic
    cross join lateral private.holders_of(t.roles) r
    union all
    select d.user_id, d.topic || ':' || d.subject, 'certificate',
      case when d.topic = 'certificate' then 'A certificate of yours ends soon' else 'A certificate of yours has ended'
      end, d.line || e'\nAsk the office to renew it.', '/staff/me'
    from due d where d.topic in ('certificate', 'certificate_over')
    union all
    select d.user_id, 'own_enquiry:' || d.subject, 'enquiry', 'The next step of an enquiry is yours', d.line,
      '/admin/enquiries?open=' || d.subject
    from due d where d.topic = 'own_enquiry'
    -- In order, so that two at once never deadlock.
    order by 1, 2
  )
  select count(private.notify(m.user_id, m.kind, m.title, m.body, m.link,
    format('due:%s:%s:%s', m.topic, pg_current_xact_id(), m.user_id)))
  into sent from messages m;
  return sent;
end
$function$;

create or replace FUNCTION private.due_topics()
 RETURNS TABLE(topic text, kind text, roles text[], one text, many text, link text)
 LANGUAGE sql
 IMMUTABLE ROWS 8
 SET search_path TO ''
AS $function$
  values
    ('certificate', 'certificate', '{hr}'::text[], 'A certificate ends within 30 days',
      '%s certificates end within 30 days', '/admin/certifications?state=expiring'),
    ('certificate_over', 'certificate', '{hr,ops_manager}', 'A certificate has ended',
      '%s certificates have ended', '/admin/certifications?state=expired'),
    ('contract', 'contract', '{finance,ops_manager}', 'A contract ends soon', '%s contracts end soon',
      '/admin/contracts'),
    ('billing', 'billing', '{finance}', 'An invoice is due', 'Invoices are due: %s', '/admin/invoices'),
    ('pay_run', 'pay_run', '{finance}', 'A pay run is due', 'Pay runs are due: %s', '/admin/payruns'),
    ('vat', 'billing', '{finance}', 'VAT begins: confirm the registration and the rate', null, '/admin/invoices/vat'),
    ('enquiry', 'enquiry', '{ops_manager}', 'An enquiry needs its next step', '%s enquiries need their next step',
      '/admin/enquiries'),
    ('roster', 'roster', '{dispatcher,ops_manager}', 'The roster of next week is not published', null,
      '/admin/roster?gaps=open&week=%s');
$function$;

create or replace FUNCTION private.tax_days(p_contract_id uuid, p_contract_post_id uuid, p_first date, p_last date)
 RETURNS TABLE(first date, last date, tax_name text, tax_rate numeric, vat_treatment text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select t.* from public.contracts c
  left join public.contract_posts p on p.id = p_contract_post_id
  cross join lateral private.tax_days_of(c.client_id, c.tax_name, coalesce(p.vat_treatment, 'standard'), p_first,
    p_last) t
  where c.id = p_contract_id;
$function$;

alter table private.document_numbers drop constraint document_numbers_kind_check;

alter table private.document_numbers add constraint document_numbers_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text, 'quote'::text])));

drop trigger c_stamp_handling on public.contact_messages;

CREATE TRIGGER c_stamp_handling BEFORE UPDATE ON public.contact_messages FOR EACH ROW EXECUTE FUNCTION private.stamp_handling();

comment on column public.contact_messages.handled_by is 'Derived: who last changed it';

comment on column public.contact_messages.handled_at is 'Derived: when it was last changed';

create table public.quotes ();

create table public.quote_lines ();

create table public.quote_mails ();

create table private.quote_mail_queue ();

create table private.made_of_quotes ();

alter table public.quotes add column enquiry_id uuid;

alter table public.quotes add column client_id uuid;

alter table public.quotes add column contract_id uuid;

alter table public.quotes add column year integer;

alter table public.quotes add column sequence integer;

alter table public.quotes add column client_name text not null;

alter table public.quotes add column contact_name text;

alter table public.quotes add column email text;

alter table public.quotes add column site_name text not null;

alter table public.quotes add column site_address text not null;

alter table public.quotes add column starts_on date not null;

alter table public.quotes add column valid_until date not null;

alter table public.quotes add column terms text;

alter table public.quotes add column vat_number text;

alter table public.quotes add column sent_on date;

alter table public.quotes add column sent_by uuid;

alter table public.quotes add column decided_on date;

alter table public.quotes add column decided_by uuid;

alter table public.quotes add column reason text;

alter table public.quotes add column mailed_at timestamp with time zone;

alter table public.quotes add column id uuid default gen_random_uuid() not null;

alter table public.quotes add column version integer default 1 not null;

alter table public.quotes add column number text generated always as ((((('QUO-'::text || (year)::text) || '-'::text) || lpad((sequence)::text, GREATEST(4, length((sequence)::text)), '0'::text)) ||
CASE
    WHEN (version > 1) THEN ('-v'::text || (version)::text)
    ELSE ''::text
END)) stored;

alter table public.quotes add column status text default 'draft'::text not null;

alter table public.quotes add column currency text default 'USD'::text not null;

alter table public.quotes add column payment_terms_days integer default 30 not null;

alter table public.quotes add column prices_include_tax boolean default false not null;

alter table public.quotes add column subtotal numeric(16,2) default 0 not null;

alter table public.quotes add column tax numeric(16,2) default 0 not null;

alter table public.quotes add column total numeric(16,2) generated always as ((subtotal + tax)) stored not null;

alter table public.quotes add column created_by uuid default auth.uid();

alter table public.quotes add column created_at timestamp with time zone default now() not null;

alter table public.quotes add column updated_at timestamp with time zone default now() not null;

alter table public.quote_lines add column quote_id uuid not null;

alter table public.quote_lines add column "position" integer not null;

alter table public.quote_lines add column post_name text not null;

alter table public.quote_lines add column guards integer not null;

alter table public.quote_lines add column hours_a_day numeric(4,2) not null;

alter table public.quote_lines add column days_a_week integer not null;

alter table public.quote_lines add column rate numeric(14,4) not null;

alter table public.quote_lines add column tax_name text;

alter table public.quote_lines add column tax_rate numeric(6,4);

alter table public.quote_lines add column taxed_as text;

alter table public.quote_lines add column price_with_tax numeric(14,2);

alter table public.quote_lines add column id uuid default gen_random_uuid() not null;

alter table public.quote_lines add column vat_treatment text default 'standard'::text not null;

alter table public.quote_lines add column hours numeric(12,2) generated always as (round((((((guards)::numeric * hours_a_day) * (days_a_week)::numeric) * (52)::numeric) / (12)::numeric), 2)) stored not null;

alter table public.quote_lines add column amount numeric(14,2) default 0 not null;

alter table public.quote_lines add column tax_amount numeric(14,2) generated always as (COALESCE((price_with_tax - amount), round((amount * COALESCE(tax_rate, (0)::numeric)), 2))) stored not null;

alter table public.quote_mails add column quote_id uuid not null;

alter table public.quote_mails add column email text not null;

alter table public.quote_mails add column sent_by uuid;

alter table public.quote_mails add column mailed_at timestamp with time zone;

alter table public.quote_mails add column id uuid default gen_random_uuid() not null;

alter table public.quote_mails add column created_at timestamp with time zone default now() not null;

alter table private.quote_mail_queue add column mail_id uuid not null;

alter table private.quote_mail_queue add column last_error text;

alter table private.quote_mail_queue add column attempts integer default 0 not null;

alter table private.quote_mail_queue add column next_at timestamp with time zone default now();

alter table private.made_of_quotes add column quote_id uuid not null;

alter table private.made_of_quotes add column client_id uuid;

alter table private.made_of_quotes add column site_id uuid;

alter table private.made_of_quotes add column post_ids uuid[] default '{}'::uuid[] not null;

alter table public.contact_messages add column stage text default 'new'::text not null;

alter table public.contact_messages add column lost_reason text;

alter table public.contact_messages add column owner_id uuid;

alter table public.contact_messages add column next_action text;

alter table public.contact_messages add column next_action_on date;

CREATE OR REPLACE FUNCTION private.follow_stage()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.stage is distinct from old.stage then
    new.state := case when new.stage = 'new' then 'new' when new.stage in ('won', 'lost') then 'closed'
      else 'answered' end;
  elsif new.state is distinct from old.state then
    new.stage := case when new.state = 'new' then 'new'
      when new.state = 'answered' and old.stage in ('new', 'won', 'lost') then 'talks' else old.stage end;
  end if;
  if new.stage <> 'lost' then
    new.lost_reason := null;
  end if;
  if old.stage = 'won' and new.stage <> 'won' and exists (
    select from public.quotes q where q.enquiry_id = new.id and q.contract_id is not null
  ) then
    raise exception 'This enquiry has a contract. Take the contract back first.' using errcode = 'PT409';
  end if;
  if new.state = 'closed' then
    new.next_action := null;
    new.next_action_on := null;
  end if;
  if new.owner_id is null and auth.uid() is not null and old.owner_id is null
    and (new.stage <> 'new' or new.next_action is not null)
  then
    new.owner_id := auth.uid();
  end if;
  if new.owner_id is distinct from old.owner_id and new.owner_id is not null and not exists (
    select from public.user_roles r where r.user_id = new.owner_id and r.role in ('admin', 'ops_manager')
  ) then
    raise exception 'The owner must be an administrator or an operations manager.' using errcode = 'check_violation';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tax_days_of(p_client_id uuid, p_tax_name text, p_treatment text, p_first date, p_last date)
 RETURNS TABLE(first date, last date, tax_name text, tax_rate numeric, vat_treatment text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with changes as (
    select p_first as day
    union
    select d.day from public.vat_registrations r
    cross join lateral (values (r.registered_from), (r.registered_to + 1)) d (day)
    where d.day > p_first and d.day <= p_last
    union
    select d.day from public.vat_exemptions e
    cross join lateral (values (e.valid_from), (e.valid_to + 1)) d (day)
    where e.client_id = p_client_id and d.day > p_first and d.day <= p_last
    union
    select x.effective_from from public.tax_rates x where x.effective_from > p_first and x.effective_from <= p_last
  ), spans as (
    select c.day, coalesce(lead(c.day) over (order by c.day) - 1, p_last) as last, x.tax_name, x.tax_rate, x.treatment
    from changes c
    cross join lateral private.vat_registration_on(c.day) r
    cross join lateral private.vat_exemption_on(p_client_id, c.day) e
    cross join lateral (
      select coalesce(r.tax_name, p_tax_name) as tax_name,
        case when r.id is null then null when e.id is not null then 'exempt' else p_treatment end as treatment
    ) n
    cross join lateral (
      select n.tax_name, n.treatment,
        case when n.treatment in ('zero', 'exempt') then 0 else private.tax_rate_on(n.tax_name, c.day) end as tax_rate
    ) x
  ), islands as (
    -- A change of what doesn't apply here divides nothing.
    select s.*, row_number() over (order by s.day)
      - row_number() over (partition by s.tax_name, s.tax_rate, s.treatment order by s.day) as island
    from spans s
  )
  select min(i.day), max(i.last), case when i.tax_rate is not null then i.tax_name end, i.tax_rate, i.treatment
  from islands i group by i.tax_name, i.tax_rate, i.treatment, i.island;
$function$;

CREATE OR REPLACE FUNCTION private.keep_sent_quote()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.keep_sent_quote_line()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from public.quotes q
    where q.id = case when tg_op = 'INSERT' then new.quote_id else old.quote_id end and q.status <> 'draft'
  ) then
    raise exception 'This quote has been sent, so it stays as it is. Make a new version.' using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_quote_mailed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.quotes q set mailed_at = new.mailed_at where q.id = new.quote_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.price_quote(p_id uuid)
 RETURNS public.quotes
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.queue_quote_mail(p_quote public.quotes, p_email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.require_quote_turner()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.may_turn_quotes() then
    raise exception 'Only admins, and operations managers who also have finance, may do this.'
      using errcode = 'insufficient_privilege';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.client_of_quote(p_quote public.quotes)
 RETURNS public.clients
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into public.clients (name, number_of_guards, monthly_rate, location)
  select p_quote.client_name, sum(l.guards), case when p_quote.currency = 'USD' then p_quote.subtotal
    else round(p_quote.subtotal / private.pay_rate('lrd_per_usd', p_quote.starts_on), 2) end, p_quote.site_address
  from public.quote_lines l where l.quote_id = p_quote.id returning *;
$function$;

CREATE OR REPLACE FUNCTION private.posts_of_quote(p_quote public.quotes, p_contract uuid, p_site uuid)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.forget_addressee(p_enquiries uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.quote_state(quote public.quotes)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN CASE WHEN (((quote).status = 'sent'::text) AND ((quote).valid_until < private.company_date())) THEN 'expired'::text ELSE (quote).status END;

CREATE OR REPLACE FUNCTION public.save_quote(p_id uuid, p_enquiry_id uuid, p_terms jsonb, p_lines jsonb, p_seen timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS public.quotes
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.delete_quote(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_client_manager();
  if exists (select from public.quotes q where q.id = p_id and q.status <> 'draft') then
    raise exception 'This quote has been sent, so it stays as it is. Make a new version.' using errcode = 'PT409';
  end if;
  delete from public.quotes q where q.id = p_id;
end
$function$;

CREATE OR REPLACE FUNCTION public.send_quote(p_id uuid, p_email text DEFAULT NULL::text)
 RETURNS public.quotes
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.revise_quote(p_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.answer_quote(p_id uuid, p_status text, p_reason text DEFAULT NULL::text)
 RETURNS public.quotes
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.may_turn_quotes()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text]) AND private.may_bill());

CREATE OR REPLACE FUNCTION public.turn_into_contract(p_quote_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.take_contract_back(p_quote_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

alter table public.contact_messages add constraint contact_messages_stage_check CHECK ((stage = ANY (ARRAY['new'::text, 'talks'::text, 'quoted'::text, 'won'::text, 'lost'::text])));

alter table public.contact_messages add constraint contact_messages_lost_reason_check CHECK (((char_length(lost_reason) >= 1) AND (char_length(lost_reason) <= 500)));

alter table public.contact_messages add constraint contact_messages_next_action_check CHECK (((char_length(next_action) >= 1) AND (char_length(next_action) <= 200)));

alter table public.contact_messages add constraint contact_messages_next_action_on_check CHECK (((next_action_on >= '2020-01-01'::date) AND (next_action_on <= '2199-12-31'::date)));

alter table public.contact_messages add constraint contact_messages_lost_with_reason CHECK (((stage = 'lost'::text) = (lost_reason IS NOT NULL)));

alter table public.contact_messages add constraint contact_messages_decided_is_closed CHECK (((stage <> ALL (ARRAY['won'::text, 'lost'::text])) OR (state = 'closed'::text)));

alter table public.contact_messages add constraint contact_messages_new_in_both CHECK (((state <> 'new'::text) OR (stage = 'new'::text)));

alter table public.contact_messages add constraint contact_messages_next_action_has_day CHECK (((next_action IS NULL) = (next_action_on IS NULL)));

alter table public.contact_messages add constraint contact_messages_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.quotes add constraint quotes_vat_number_check CHECK ((char_length(vat_number) <= 40));

alter table public.quotes add constraint quotes_year_check CHECK (((year >= 1900) AND (year <= 2199)));

alter table public.quotes add constraint quotes_sequence_check CHECK ((sequence > 0));

alter table public.quotes add constraint quotes_version_check CHECK (((version >= 1) AND (version <= 100)));

alter table public.quotes add constraint quotes_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'sent'::text, 'accepted'::text, 'declined'::text, 'superseded'::text])));

alter table public.quotes add constraint quotes_client_name_check CHECK (((char_length(client_name) >= 1) AND (char_length(client_name) <= 200)));

alter table public.quotes add constraint quotes_contact_name_check CHECK ((char_length(contact_name) <= 100));

alter table public.quotes add constraint quotes_email_check CHECK (((char_length(email) <= 255) AND (email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'::text)));

alter table public.quotes add constraint quotes_site_name_check CHECK (((char_length(site_name) >= 1) AND (char_length(site_name) <= 200)));

alter table public.quotes add constraint quotes_site_address_check CHECK (((char_length(site_address) >= 1) AND (char_length(site_address) <= 300)));

alter table public.quotes add constraint quotes_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'LRD'::text])));

alter table public.quotes add constraint quotes_starts_on_check CHECK (((starts_on >= '2020-01-01'::date) AND (starts_on <= '2199-12-31'::date)));

alter table public.quotes add constraint quotes_valid_until_check CHECK (((valid_until >= '2020-01-01'::date) AND (valid_until <= '2199-12-31'::date)));

alter table public.quotes add constraint quotes_payment_terms_days_check CHECK (((payment_terms_days >= 0) AND (payment_terms_days <= 180)));

alter table public.quotes add constraint quotes_terms_check CHECK ((char_length(terms) <= 2000));

alter table public.quotes add constraint quotes_pkey PRIMARY KEY (id);

alter table public.quotes add constraint quotes_number_key UNIQUE (year, sequence, version);

alter table public.quotes add constraint quotes_reason_check CHECK ((char_length(reason) <= 500));

alter table public.quotes add constraint quotes_numbered_once_sent CHECK ((((year IS NULL) = (sequence IS NULL)) AND ((year IS NULL) = ((status = 'draft'::text) AND (version = 1)))));

alter table public.quotes add constraint quotes_sent CHECK (((status = 'draft'::text) = (sent_on IS NULL)));

alter table public.quotes add constraint quotes_decided CHECK (((status <> ALL (ARRAY['accepted'::text, 'declined'::text])) OR (decided_on IS NOT NULL)));

alter table public.quotes add constraint quotes_contract_of_accepted CHECK (((contract_id IS NULL) OR (status = 'accepted'::text)));

alter table public.quotes add constraint quotes_enquiry_id_fkey FOREIGN KEY (enquiry_id) REFERENCES public.contact_messages(id) ON DELETE SET NULL;

alter table public.quotes add constraint quotes_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE SET NULL;

alter table public.quotes add constraint quotes_contract_id_fkey FOREIGN KEY (contract_id) REFERENCES public.contracts(id) ON DELETE SET NULL;

alter table public.quotes add constraint quotes_sent_by_fkey FOREIGN KEY (sent_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.quotes add constraint quotes_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.quotes add constraint quotes_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.quote_lines add constraint quote_lines_position_check CHECK ((("position" >= 1) AND ("position" <= 50)));

alter table public.quote_lines add constraint quote_lines_post_name_check CHECK (((char_length(post_name) >= 1) AND (char_length(post_name) <= 100)));

alter table public.quote_lines add constraint quote_lines_guards_check CHECK (((guards >= 1) AND (guards <= 100)));

alter table public.quote_lines add constraint quote_lines_hours_a_day_check CHECK (((hours_a_day > (0)::numeric) AND (hours_a_day <= (24)::numeric)));

alter table public.quote_lines add constraint quote_lines_days_a_week_check CHECK (((days_a_week >= 1) AND (days_a_week <= 7)));

alter table public.quote_lines add constraint quote_lines_rate_check CHECK (((rate >= (0)::numeric) AND (rate <= ('9999999999'::bigint)::numeric)));

alter table public.quote_lines add constraint quote_lines_vat_treatment_check CHECK ((vat_treatment = ANY (ARRAY['standard'::text, 'zero'::text, 'exempt'::text])));

alter table public.quote_lines add constraint quote_lines_amount_check CHECK (((amount >= (0)::numeric) AND (amount <= 999999999999.99)));

alter table public.quote_lines add constraint quote_lines_tax_name_check CHECK ((char_length(tax_name) <= 100));

alter table public.quote_lines add constraint quote_lines_tax_rate_check CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (1)::numeric)));

alter table public.quote_lines add constraint quote_lines_taxed_as_check CHECK ((taxed_as = ANY (ARRAY['standard'::text, 'zero'::text, 'exempt'::text])));

alter table public.quote_lines add constraint quote_lines_pkey PRIMARY KEY (id);

alter table public.quote_lines add constraint quote_lines_position_key UNIQUE (quote_id, "position");

alter table public.quote_lines add constraint quote_lines_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES public.quotes(id) ON DELETE CASCADE;

alter table public.quote_mails add constraint quote_mails_email_check CHECK (((char_length(email) <= 255) AND (email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'::text)));

alter table public.quote_mails add constraint quote_mails_pkey PRIMARY KEY (id);

alter table public.quote_mails add constraint quote_mails_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES public.quotes(id) ON DELETE CASCADE;

alter table public.quote_mails add constraint quote_mails_sent_by_fkey FOREIGN KEY (sent_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table private.quote_mail_queue add constraint quote_mail_queue_pkey PRIMARY KEY (mail_id);

alter table private.quote_mail_queue add constraint quote_mail_queue_mail_id_fkey FOREIGN KEY (mail_id) REFERENCES public.quote_mails(id) ON DELETE CASCADE;

alter table private.made_of_quotes add constraint made_of_quotes_pkey PRIMARY KEY (quote_id);

alter table private.made_of_quotes add constraint made_of_quotes_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES public.quotes(id) ON DELETE CASCADE;

CREATE INDEX quotes_sent_by_idx ON public.quotes USING btree (sent_by);

CREATE INDEX contact_messages_owner_id_idx ON public.contact_messages USING btree (owner_id);

CREATE INDEX quote_mails_quote_id_idx ON public.quote_mails USING btree (quote_id, created_at);

CREATE INDEX contact_messages_next_action_idx ON public.contact_messages USING btree (next_action_on) WHERE (next_action_on IS NOT NULL);

CREATE INDEX quotes_created_at_idx ON public.quotes USING btree (created_at);

CREATE UNIQUE INDEX quotes_contract_id_idx ON public.quotes USING btree (contract_id) WHERE (contract_id IS NOT NULL);

CREATE INDEX quotes_enquiry_id_idx ON public.quotes USING btree (enquiry_id, created_at DESC);

CREATE INDEX contact_messages_stage_idx ON public.contact_messages USING btree (stage, created_at DESC);

CREATE INDEX quote_mail_queue_next_at_idx ON private.quote_mail_queue USING btree (next_at);

CREATE INDEX quotes_client_id_idx ON public.quotes USING btree (client_id);

CREATE UNIQUE INDEX quote_lines_post_key ON public.quote_lines USING btree (quote_id, lower(post_name));

CREATE INDEX quotes_created_by_idx ON public.quotes USING btree (created_by);

CREATE INDEX quote_mails_created_at_idx ON public.quote_mails USING btree (created_at);

CREATE INDEX quotes_decided_by_idx ON public.quotes USING btree (decided_by);

CREATE INDEX quote_mails_sent_by_idx ON public.quote_mails USING btree (sent_by, created_at);

select private.tidy_texts_of('public.contact_messages',
  'name', 'email', 'company', 'message', 'note', 'lost_reason', 'next_action');

CREATE TRIGGER b_stage BEFORE UPDATE OF state, stage, owner_id, next_action, next_action_on ON public.contact_messages FOR EACH ROW EXECUTE FUNCTION private.follow_stage();

select private.tidy_texts_of('public.quotes',
  'client_name', 'contact_name', 'email', 'site_name', 'site_address', 'terms', 'reason');

CREATE TRIGGER b_author BEFORE INSERT OR UPDATE ON public.quotes FOR EACH ROW EXECUTE FUNCTION private.stamp_author();

CREATE TRIGGER c_keep_sent BEFORE UPDATE ON public.quotes FOR EACH ROW WHEN ((old.status <> 'draft'::text)) EXECUTE FUNCTION private.keep_sent_quote();

CREATE TRIGGER c_printable BEFORE INSERT OR UPDATE OF client_name, site_address ON public.quotes FOR EACH ROW EXECUTE FUNCTION private.refuse_unprintable('client_name', 'site_address');

CREATE TRIGGER d_touch BEFORE UPDATE ON public.quotes FOR EACH ROW EXECUTE FUNCTION private.touch();

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.quotes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.quotes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.quotes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

select private.tidy_texts_of('public.quote_lines', 'post_name');

CREATE TRIGGER c_keep_sent BEFORE INSERT OR DELETE OR UPDATE ON public.quote_lines FOR EACH ROW EXECUTE FUNCTION private.keep_sent_quote_line();

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.quote_lines REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.quote_lines REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.quote_lines REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER z_marks_quote AFTER UPDATE OF mailed_at ON public.quote_mails FOR EACH ROW WHEN ((new.mailed_at IS NOT NULL)) EXECUTE FUNCTION private.mark_quote_mailed();

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.quote_mails REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.quote_mails REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.quote_mails REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

create policy "Admins, operations managers and finance read quotes" on public.quotes for select to authenticated using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'finance'::text]) AS has_role));

create policy "Admins, operations managers and finance read lines of quotes" on public.quote_lines for select to authenticated using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'finance'::text]) AS has_role));

create policy "Admins, operations managers and finance read where quotes went" on public.quote_mails for select to authenticated using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'finance'::text]) AS has_role));

alter table public.quotes enable row level security;

alter table public.quote_lines enable row level security;

alter table public.quote_mails enable row level security;

alter table private.quote_mail_queue enable row level security;

alter table private.made_of_quotes enable row level security;

alter table public.quotes replica identity default;

alter table public.quote_lines replica identity default;

alter table public.quote_mails replica identity default;

alter table private.quote_mail_queue replica identity default;

alter table private.made_of_quotes replica identity default;

alter publication supabase_realtime add table public.quotes;

alter publication supabase_realtime add table public.quote_lines;

alter publication supabase_realtime add table public.quote_mails;

grant SELECT on public.quotes to authenticated;

revoke insert, update, delete, truncate on public.quotes from service_role;

grant SELECT on public.quote_lines to authenticated;

revoke insert, update, delete, truncate on public.quote_lines from service_role;

grant SELECT on public.quote_mails to authenticated;

revoke insert, update, delete, truncate on public.quote_mails from service_role;

grant UPDATE (lost_reason) on public.contact_messages to authenticated;

grant UPDATE (next_action) on public.contact_messages to authenticated;

grant UPDATE (next_action_on) on public.contact_messages to authenticated;

grant UPDATE (owner_id) on public.contact_messages to authenticated;

grant UPDATE (stage) on public.contact_messages to authenticated;

grant execute on function public.quote_state(public.quotes) to authenticated;

grant execute on function public.save_quote(uuid,uuid,jsonb,jsonb,timestamp with time zone) to authenticated;

grant execute on function public.delete_quote(uuid) to authenticated;

grant execute on function public.send_quote(uuid,text) to authenticated;

grant execute on function public.revise_quote(uuid) to authenticated;

grant execute on function public.answer_quote(uuid,text,text) to authenticated;

grant execute on function private.may_turn_quotes() to authenticated;

grant execute on function public.turn_into_contract(uuid) to authenticated;

grant execute on function public.take_contract_back(uuid) to authenticated;

comment on column public.quotes.subtotal is 'Derived from the lines';

comment on column public.quotes.tax is 'Derived from the lines';

comment on column public.quotes.mailed_at is 'Derived: when a mail with it was last handed to the mail server';

comment on column public.quote_lines.amount is 'Derived: the hours of an average month times the rate';

comment on column public.quote_mails.mailed_at is 'Derived: when the mail was handed to the mail server';

insert into private.retention_parts ("age","due","key","kind","target","blanked","is_quiet","position","stripped") select "age","due","key","kind","target","blanked","is_quiet","position","stripped" from jsonb_populate_record(null::private.retention_parts, '{"age": "r.created_at", "due": "r.created_at < $1", "key": "id", "kind": "enquiries", "target": "public.quote_mails", "blanked": null, "is_quiet": false, "position": 2, "stripped": null}');

insert into private.retention_parts ("age","due","key","kind","target","blanked","is_quiet","position","stripped") select "age","due","key","kind","target","blanked","is_quiet","position","stripped" from jsonb_populate_record(null::private.retention_parts, '{"age": "r.created_at", "due": "r.created_at < $1 and r.enquiry_id is null and r.contract_id is null", "key": "id", "kind": "enquiries", "target": "public.quotes", "blanked": null, "is_quiet": false, "position": 3, "stripped": null}');

insert into private.retention_parts ("age","due","key","kind","target","blanked","is_quiet","position","stripped") select "age","due","key","kind","target","blanked","is_quiet","position","stripped" from jsonb_populate_record(null::private.retention_parts, '{"age": "r.created_at", "due": "r.created_at < $1 and r.enquiry_id is null and coalesce(r.contact_name, r.email) is not null", "key": "id", "kind": "enquiries", "target": "public.quotes", "blanked": ["contact_name", "email"], "is_quiet": false, "position": 4, "stripped": null}');

-- Who was answered talks with the company; what is closed stays where it is.
update public.contact_messages set stage = 'talks' where state = 'answered';

CREATE OR REPLACE FUNCTION public.enquiry_owners()
 RETURNS TABLE(id uuid, name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_client_manager();
  return query
  select p.id, coalesce(nullif(p.full_name, ''), p.email, p.phone) from public.profiles p
  where p.left_on is null and exists (
    select from public.user_roles r where r.user_id = p.id and r.role in ('admin', 'ops_manager')
  )
  order by 2, 1;
end
$function$;

grant execute on function public.enquiry_owners() to authenticated;

create or replace FUNCTION public.find_records(p_text text)
 RETURNS TABLE(kind text, id uuid, title text, detail text, start_time timestamp with time zone, timezone text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with words as (
    select private.search_patterns(p_text) as patterns
  )
  (
    select 'client', c.id, c.name, c.location, null::timestamptz, null::text
    from public.clients c
    where c.id in (select private.found_clients(w.patterns) from words w)
    order by c.name, c.id limit 21
  )
  union all
  (
    select 'site', s.id, s.name, concat_ws(', ', s.client_name, s.address), null, null
    from public.sites s
    where s.id in (select private.found_sites(w.patterns) from words w)
    order by s.name, s.id limit 21
  )
  union all
  (
    select 'guard', p.id, coalesce(nullif(p.full_name, ''), p.email, p.phone), coalesce(p.email, p.phone), null, null
    from public.profiles p
    where p.id in (select private.found_people(w.patterns) from words w)
      and p.id <> (select auth.uid())
    order by 3, p.id limit 21
  )
  union all
  (
    -- Including the last twelve hours: a night shift is still running in the morning.
    select 'shift', h.id, s.name, s.client_name, h.start_time, s.timezone
    from public.shifts h join public.sites s on s.id = h.site_id, words w
    where h.start_time > now() - interval '12 hours' and cardinality(w.patterns) > 0
      and (
        h.site_id in (
          select t.id from public.sites t, words v
          where private.folded(concat_ws(' ', t.name, t.client_name)) like all (v.patterns)
        )
        or h.notes is not null
          and private.folded(concat_ws(' ', s.name, s.client_name, h.notes)) like all (w.patterns)
      )
    order by h.start_time, h.id limit 21
  )
  union all
  (
    select 'invoice', i.id, i.number, c.name, null, null
    from public.invoices i join public.clients c on c.id = i.client_id, words w
    where cardinality(w.patterns) > 0 and private.folded(i.number) like all (w.patterns)
    order by i.number desc, i.id limit 21
  )
  union all
  (
    select 'contact', k.client_id, k.full_name, concat_ws(', ', c.name, k.phone, k.email), null, null
    from public.client_contacts k join public.clients c on c.id = k.client_id, words w
    where cardinality(w.patterns) > 0 and k.revoked_at is null
      and private.folded(concat_ws(' ', k.full_name, k.email, k.phone)) like all (w.patterns)
    order by k.full_name, k.id limit 21
  )
  union all
  (
    select 'post', p.id, p.name, s.name, null, null
    from public.posts p join public.sites s on s.id = p.site_id, words w
    where cardinality(w.patterns) > 0 and private.folded(concat_ws(' ', p.name, p.code, s.name)) like all (w.patterns)
      and (p.valid_to is null or p.valid_to >= private.company_date())
    order by p.name, s.name, p.id limit 21
  )
  union all
  (
    select 'orders', o.id, o.title, concat_ws(', ', o.post_name, o.site_name), null, null
    from public.newest_post_orders o, words w
    where cardinality(w.patterns) > 0 and public.search_text(o) like all (w.patterns)
    order by o.title, o.site_name, o.id limit 21
  )
  union all
  (
    select 'contract', t.id, t.title, c.name, null, null
    from public.contracts t join public.clients c on c.id = t.client_id, words w
    where cardinality(w.patterns) > 0 and private.folded(concat_ws(' ', c.name, t.title)) like all (w.patterns)
    order by c.name, t.starts_on desc, t.id limit 21
  )
  union all
  (
    select 'enquiry', m.id, coalesce(m.company, m.name), concat_ws(', ', m.name, m.email), null, null
    from public.contact_messages m, words w
    where cardinality(w.patterns) > 0
      and private.folded(concat_ws(' ', m.name, m.email, m.company)) like all (w.patterns)
    order by m.created_at desc, m.id limit 21
  )
  union all
  (
    select 'quote', q.id, coalesce(q.number, 'Draft'), concat_ws(', ', q.client_name, q.site_name), null, null
    from public.quotes q, words w
    where cardinality(w.patterns) > 0
      and private.folded(concat_ws(' ', q.number, q.client_name, q.site_name)) like all (w.patterns)
    order by q.created_at desc, q.id limit 21
  )
  union all
  (
    -- Of a year: older ones are found in their list.
    select 'incident', i.id, i.title, s.name, i.created_at, s.timezone
    from public.incidents i join public.sites s on s.id = i.site_id, words w
    where cardinality(w.patterns) > 0 and i.created_at > now() - interval '1 year'
      and private.folded(concat_ws(' ', i.title, s.name)) like all (w.patterns)
    order by i.created_at desc, i.id limit 21
  );
$function$;

create or replace FUNCTION public.erasure_changes(p_kind text, p_id uuid)
 RETURNS TABLE(change text, record text, records bigint, reason text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person record;
  contact public.client_contacts;
  contacts uuid[];
  plan private.erasures;
  part private.personal_data;
  found_here bigint;
begin
  perform private.require_admin();
  if p_kind = 'enquiry' then
    return query
    with sent as materialized (
      select m.id from public.contact_messages m
      where lower(m.email) = (select lower(k.email) from public.contact_messages k where k.id = p_id)
    )
    select 'deleted', 'contact_messages', count(*), null::text from sent
    union all
    select 'deleted', 'quotes', count(*), null from public.quotes q
    where q.enquiry_id in (select s.id from sent s) and q.contract_id is null having count(*) > 0
    union all
    select 'blanked', 'quotes', count(*), null from public.quotes q
    where q.enquiry_id in (select s.id from sent s) and q.contract_id is not null having count(*) > 0;
    return;
  elsif p_kind = 'contact' then
    select * into contact from public.client_contacts c where c.id = p_id;
    contacts := private.records_of_contact(contact);
    plan := private.plan_contact_erasure(contact);
    return query
    select * from (
      select 'blanked', 'client_contacts', cardinality(contacts)::bigint, null::text
      union all select 'blanked', 'clients', count(*), null from public.clients c
        where lower(c.report_email) = contact.email
      union all select 'blanked', 'contracts', count(*), null from public.contracts c
        where lower(c.bill_to_email) = contact.email
      union all select 'replaced', 'letter_acknowledgements', count(*), null from public.letter_acknowledgements l
        where l.contact_id = any (contacts)
    ) c (change, record, records, reason)
    where c.records > 0;
  elsif p_kind = 'person' then
    select * into person from private.person_of(p_id);
    plan := private.plan_person_erasure(person.account, person.staff_record);
  else
    raise exception 'The kind is person, contact or enquiry.' using errcode = 'invalid_parameter_value';
  end if;
  for part in select * from private.personal_data p where to_regclass(p.target) is not null
      order by p.target, p.belongs loop
    if part.on_erasure <> 'keep' then
      execute format('select count(*) from %s r where (%s) and %s', part.target, part.belongs,
        case when part.on_erasure = 'delete' then 'true' else format('num_nonnulls(%s) > 0', (
          select string_agg(format('r.%I', c), ', ') from unnest(part.blanked) c)) end)
        into found_here using plan.account, plan.staff_record;
      if found_here > 0 then
        change := case part.on_erasure when 'delete' then 'deleted' else 'blanked' end;
        record := split_part(part.target, '.', 2);
        records := found_here;
        return next;
      end if;
    end if;
    found_here := case when part.texts = '{}' then 0 else private.erase_texts(plan, part, true) end;
    if found_here > 0 then
      change := 'replaced';
      record := split_part(part.target, '.', 2);
      records := found_here;
      return next;
    end if;
  end loop;
  return query select 'refused', null::text, null::bigint, r from unnest(plan.refused) r;
end
$function$;
