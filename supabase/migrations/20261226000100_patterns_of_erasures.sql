-- What an erasure may replace in texts. A pattern that could match anything but the person is refused, with a sentence.

-- What the company itself is called and reached by: no erasure replaces it. Written at every start.
alter table private.settings add column own_words text[] not null default '{}';

-- At least two words of two letters or more: one word may be any word ("Will"), one letter any letter.
create or replace function private.name_pattern(written text) returns text
language sql immutable strict set search_path = ''
return case when (
  select count(*) from regexp_split_to_table(btrim(written), '\s+') w where w ~ '[[:alpha:]].*[[:alpha:]]'
) >= 2 and written !~ '[^[:alnum:][:space:].,''’()-]' then
  '(?<![[:alnum:]])' || regexp_replace(private.escape_pattern(btrim(written)), '\s+', '\\s+', 'g') || '(?![[:alnum:]])'
end;

create or replace function private.email_pattern(written text) returns text
language sql immutable strict set search_path = ''
return case when btrim(written) ~ '^[^@\s]+@[^@\s]+\.[^@\s]{2,}$' then
  '(?<![[:alnum:]._%+-])' || private.escape_pattern(btrim(written)) || '(?![[:alnum:]_-]|\.[[:alnum:]])' end;

-- A phone number in any notation, with or without the country, or the number of an account. Never from fewer than seven
-- digits after the leading zeros, and never part of a decimal or of an id.
create or replace function private.number_pattern(written text) returns text
language sql immutable strict set search_path = ''
return (
  select case
    when char_length(significant) < 7 then null
    when written ~ '^[+0-9 ().-]+$' and digits ~ '^(?:(?:00)?231\d{7,9}|0\d{8,9})$' then
      '(?<![[:alnum:]-]|\d[.,])(?:(?:\+|00)?231[ .()/-]*)?0?'
        || regexp_replace(significant, '(\d)(?=\d)', '\1[ .()/-]*', 'g') || '(?![[:alnum:]]|[.,]\d|-[0-9a-f]{4}-)'
    when written ~ '^[+0-9 ().-]+$' then
      '(?<![[:alnum:]-]|\d[.,])(?:\+|00)?0*' || significant || '(?![[:alnum:]]|[.,]\d|-[0-9a-f]{4}-)'
    else '(?<![[:alnum:]-])' || private.escape_pattern(btrim(written)) || '(?![[:alnum:]])'
  end
  from (select regexp_replace(written, '\D', '', 'g') as digits) d
  cross join lateral (
    select case when digits ~ '^(00)?231\d{7,9}$' then ltrim(regexp_replace(digits, '^(00)?231', ''), '0')
      else ltrim(digits, '0') end as significant
  ) s
);

-- Whether other people have the name, or one that contains it.
create or replace function private.is_ambiguous(p_name text, p_account uuid, p_staff uuid, p_contacts uuid[]) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.name_pattern(p_name) is null
    or exists (
      select from public.profiles p
      where p.full_name ~* private.name_pattern(p_name) and p.id is distinct from p_account
    ) or exists (
      select from public.staff s
      where s.full_name ~* private.name_pattern(p_name) and s.id is distinct from p_staff
        and (p_account is null or s.user_id is distinct from p_account)
    ) or exists (
      select from public.client_contacts c
      where c.full_name ~* private.name_pattern(p_name) and c.id <> all (coalesce(p_contacts, '{}'))
        and (p_account is null or c.user_id is distinct from p_account)
    );
$$;

-- Why a name, address or number is not replaced in texts; null if it may be. The sentence is kept, so it quotes nothing.
create function private.refusal_of_pattern(
  p_sort text, p_written text, p_account uuid, p_staff uuid, p_contacts uuid[]
) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern text := case p_sort when 'name' then private.name_pattern(p_written)
    when 'email' then private.email_pattern(p_written) else private.number_pattern(p_written) end;
  owner_of text;
begin
  if pattern is null then
    return case p_sort
      when 'name' then 'The name stays in texts: with fewer than two words it could be any word.'
      when 'email' then 'An address stays in texts: it is no email address.'
      else 'A number stays in texts: with fewer than seven digits after the zeros it could be any number.' end;
  end if;
  select o.words into owner_of from (
    select 'the company' as words from private.settings s, unnest(s.own_words) w where w ~* pattern
    union all select 'a client' from public.clients c
      where p_sort = 'name' and c.name ~* pattern or p_sort <> 'name' and c.report_email ~* pattern and p_contacts is null
    union all select 'a site' from public.sites s where p_sort = 'name' and s.name ~* pattern
    union all select 'a post' from public.posts s where p_sort = 'name' and s.name ~* pattern
    union all select 'a tour' from public.tours s where p_sort = 'name' and s.name ~* pattern
    union all select 'a checkpoint' from public.checkpoints s where p_sort = 'name' and s.name ~* pattern
    union all select 'a device' from public.devices s where p_sort = 'name' and s.name ~* pattern
    union all select 'an invoice address' from public.contracts c
      where c.bill_to_name ~* pattern and p_sort = 'name'
        or c.bill_to_email ~* pattern and p_sort = 'email' and p_contacts is null
    union all select 'another person' from public.profiles p
      where p_sort <> 'name' and (p.email ~* pattern or p.phone ~* pattern) and p.id is distinct from p_account
    union all select 'another person' from public.staff s
      where p_sort <> 'name' and (s.email ~* pattern or s.phone ~* pattern) and s.id is distinct from p_staff
        and (p_account is null or s.user_id is distinct from p_account)
    union all select 'another person' from public.pay_accounts a
      where p_sort = 'number' and a.account_number ~* pattern and a.staff_id is distinct from p_staff
    union all select 'another contact' from public.client_contacts c
      where p_sort <> 'name' and (c.email ~* pattern or c.phone ~* pattern) and c.id <> all (coalesce(p_contacts, '{}'))
        and (p_account is null or c.user_id is distinct from p_account)
  ) o limit 1;
  return case when owner_of is not null then format('%s stays in texts: %s has it as well.',
    case p_sort when 'name' then 'The name' when 'email' then 'An address' else 'A number' end, owner_of) end;
end
$$;

alter table private.erasures
  add column staff_record uuid,
  -- Another person has the name: it is replaced only in records whose subject is the erased person.
  add column has_namesake boolean not null default false,
  -- What no text loses, with the reasons.
  add column refused text[] not null default '{}',
  -- Messages by step; a failed step is tried again, and holds up nothing else.
  add column failures jsonb not null default '{}',
  add column attempts integer not null default 0,
  add column next_at timestamptz default now();
comment on column private.erasures.at_table is 'The last step of this attempt: table and condition of private.personal_data.';

-- Patterns of erasures that are not finished were written under the old rules.
update private.erasures e set
  number_pattern = null, at_table = '', has_namesake = e.linked is not null,
  staff_record = (select s.id from public.staff s where s.user_id = e.account limit 1),
  name_pattern = case when e.linked is null then e.name_pattern end,
  refused = array['Numbers in texts stay: this erasure began before they were checked.']
where e.finished_at is null;
alter table private.erasures
  drop column linked, drop column pass, drop column at_page, drop column skipped,
  add constraint erasures_match_something check (
    coalesce('' !~* name_pattern and 'a' !~* name_pattern, true) and coalesce('' !~* email_pattern, true)
    and coalesce('' !~* number_pattern and '0' !~* number_pattern and '1' !~* number_pattern, true)
  );
drop index private.erasures_open_idx;
create index erasures_open_idx on private.erasures (next_at, number) where finished_at is null;

-- The patterns of an erasure that has not begun, and what is refused.
create function private.plan_erasure(
  p_kind text, p_account uuid, p_staff uuid, p_contacts uuid[], p_names text[], p_emails text[], p_numbers text[]
) returns private.erasures
language plpgsql stable security definer set search_path = '' as $$
declare
  plan private.erasures;
  part record;
begin
  plan.kind := p_kind;
  plan.account := p_account;
  plan.staff_record := p_staff;
  plan.refused := '{}';
  plan.failures := '{}';
  plan.alias := 'Former person';
  plan.alias_email := 'erased@erased.invalid';
  plan.has_namesake := exists (
    select from unnest(p_names) n where private.is_ambiguous(n, p_account, p_staff, p_contacts)
  );
  for part in
    select w.sort, w.written, private.refusal_of_pattern(w.sort, w.written, p_account, p_staff, p_contacts) as refusal
    from (
      select distinct on (u.sort, lower(btrim(u.written))) u.sort, btrim(u.written) as written from (
        select 'name' as sort, n as written from unnest(p_names) n
        union all select 'email', n from unnest(p_emails) n
        union all select 'number', n from unnest(p_numbers) n
      ) u
      where btrim(u.written) <> ''
    ) w
  loop
    if part.refusal is not null then
      plan.refused := array_append(array_remove(plan.refused, part.refusal), part.refusal);
    elsif part.sort = 'name' then
      plan.name_pattern := concat_ws('|', plan.name_pattern, private.name_pattern(part.written));
    elsif part.sort = 'email' then
      plan.email_pattern := concat_ws('|', plan.email_pattern, private.email_pattern(part.written));
    else
      plan.number_pattern := concat_ws('|', plan.number_pattern, private.number_pattern(part.written));
    end if;
  end loop;
  return plan;
end
$$;

drop function private.begin_erasure(text, uuid, text, text[], text[], text[], uuid[], boolean);
create function private.begin_erasure(plan private.erasures, p_words text) returns private.erasures
language plpgsql security definer set search_path = '' as $$
declare
  begun private.erasures;
begin
  insert into private.erasures (kind, account, staff_record, alias, alias_email, made_by, has_namesake, refused,
    name_pattern, email_pattern, number_pattern, finished_at)
  values (plan.kind, plan.account, plan.staff_record, '', '', auth.uid(), plan.has_namesake, plan.refused,
    plan.name_pattern, plan.email_pattern, plan.number_pattern,
    case when coalesce(plan.name_pattern, plan.email_pattern, plan.number_pattern) is null then now() end)
  returning * into begun;
  update private.erasures e set
    alias = p_words || ' ' || lpad(begun.number::text, 4, '0'),
    alias_email = 'erased-' || lpad(begun.number::text, 4, '0') || '@erased.invalid'
  where e.id = begun.id returning * into begun;
  return begun;
end
$$;

revoke all on all functions in schema private from public;
