-- Phone numbers are read alike by the browser (shared/phone.ts) and the database: also with the trunk 0 behind the country code, and
-- with the spaces and marks that copying adds.
create or replace function private.e164(written text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  number text;
begin
  -- Most stored numbers are written so; the rest costs ten times as much.
  if written ~ '^\+231[1-9][0-9]{6,8}$' then
    return written;
  end if;
  if char_length(written) > 60 then
    return null;
  end if;
  number := regexp_replace(written,
    '[\t-\r .\-/\u00A0\u00AD\u1680\u2000-\u2015\u2028-\u202F\u205F-\u2064\u2066-\u2069\u2212\u3000\uFEFF]', '', 'g');
  number := regexp_replace(number, '^(\(?(?:\+|00|231)[0-9()]*)\(0\)', '\1');
  number := regexp_replace(number, '[()]', '', 'g');
  number := regexp_replace(number, '^00', '+');
  number := regexp_replace(number, '^\+?2310?([1-9][0-9]{6,8})$', '+231\1');
  number := regexp_replace(number, '^0?([1-9][0-9]{6,8})$', '+231\1');
  if number like '+231%' and number !~ '^\+231[1-9][0-9]{6,8}$' then
    return null;
  end if;
  return case when number ~ '^\+[1-9][0-9]{6,14}$' then number end;
end
$$;

-- Indexes on the function are built again. Staff whose numbers became one stay accepted as they are, from the second one on. The
-- appended text keeps the comparison from using the indexes of before.
do $$
declare
  index_name regclass;
begin
  if exists (
    select from pg_attribute a
    where a.attrelid = 'public.staff'::regclass and a.attname = 'is_separate' and not a.attisdropped
  ) then
    execute $update$
      update public.staff s set is_separate = true
      where s.status = 'active' and not s.is_separate and exists (
        select from public.staff o
        where o.status = 'active' and (o.created_at, o.id) < (s.created_at, s.id)
          and private.e164(o.phone || '') = private.e164(s.phone || ''))
    $update$;
  end if;
  for index_name in
    select distinct d.objid::regclass from pg_depend d join pg_index i on i.indexrelid = d.objid
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_proc'::regclass
      and d.refobjid = 'private.e164(text)'::regprocedure
  loop
    execute format('reindex index %s', index_name);
  end loop;
end
$$;

-- Numbers of before, written with the 0. Where another account has the right number already, both accounts stay as they are:
-- the office decides which of them the person keeps (decision 0101 has the query).
with renamed as (
  select u.id, ltrim(private.e164('+' || u.phone), '+') as phone
  from auth.users u
  where u.phone like '2310%' and private.e164('+' || u.phone) is not null
), changed as (
  update auth.users u set phone = r.phone
  from renamed r
  where u.id = r.id and not exists (select from auth.users o where o.phone = r.phone)
  returning u.id, u.phone
)
update auth.identities i set identity_data = i.identity_data || jsonb_build_object('phone', c.phone)
from changed c
where i.user_id = c.id and i.provider = 'phone';

update public.profiles p set phone = private.e164(p.phone)
where p.phone like '+2310%' and private.e164(p.phone) is not null;

-- An account number that changes needs its second person again.
update public.pay_accounts a set account_number = private.e164(a.account_number)
where a.channel in ('mtn_momo', 'orange_money') and a.account_number like '+2310%'
  and private.e164(a.account_number) is not null
  and not exists (
    select from public.pay_accounts o where o.channel = a.channel and o.account_number = private.e164(a.account_number));

-- Our own export, imported again, kept the mark that guards spreadsheets against formulas. Where others have the number, the
-- records stay as they are: they may be of one person.
update public.staff s set phone = substr(s.phone, 2)
where s.phone ~ '^''\+[0-9]' and not exists (
  select from public.staff o
  where o.id <> s.id and private.e164(ltrim(o.phone, '''')) = private.e164(substr(s.phone, 2)));
