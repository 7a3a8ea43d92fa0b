create or replace FUNCTION public.sign_out_everywhere(user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  target uuid := sign_out_everywhere.user_id;
begin
  perform private.require_admin();
  if not exists (select from auth.users u where u.id = target and u.deleted_at is null) then
    raise exception 'There is no such account.' using errcode = 'PT404';
  end if;
  delete from auth.sessions s where s.user_id = target;
  delete from private.delivery_tokens t where t.user_id = target;
  perform private.record_security_event('signed_out_everywhere', target, '{}');
end
$function$;

create table private.delivery_tokens ();

alter table private.delivery_tokens add column token_hash bytea not null;

alter table private.delivery_tokens add column user_id uuid not null;

alter table private.delivery_tokens add column device_id uuid not null;

alter table private.delivery_tokens add column created_at timestamp with time zone default now() not null;

alter table private.delivery_tokens add column expires_at timestamp with time zone default (now() + '14 days'::interval) not null;

alter table private.delivery_tokens add column deliveries integer default 0 not null;

CREATE OR REPLACE FUNCTION public.end_left_session(p_session_id uuid, p_proof text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  ended record;
begin
  if p_proof !~ '^[0-9a-f]{64}$' then
    return;
  end if;
  delete from auth.sessions s
  where s.id in (
    select t.session_id from auth.refresh_tokens t where t.token = p_proof
    union all
    select t.session_id from auth.refresh_tokens t
    where t.session_id = p_session_id and encode(sha256(convert_to(t.token, 'UTF8')), 'hex') = p_proof
  )
  returning s.id, s.user_id into ended;
  if ended.id is not null then
    perform private.record_security_event('logout', ended.user_id, jsonb_build_object('session_id', ended.id));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.make_delivery_token(p_device_id uuid)
 RETURNS TABLE(token text, expires_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Phones that one person signs in on.
  kept constant integer := 10;
  made text := encode(extensions.gen_random_bytes(32), 'hex');
begin
  perform private.require_member();
  delete from private.delivery_tokens t where t.expires_at < now()
    or t.user_id = auth.uid() and (t.device_id = p_device_id or t.token_hash not in (
      select n.token_hash from private.delivery_tokens n
      where n.user_id = auth.uid() order by n.created_at desc limit kept - 1
    ));
  return query
  insert into private.delivery_tokens (token_hash, user_id, device_id)
  values (sha256(convert_to(made, 'UTF8')), auth.uid(), p_device_id)
  returning made, delivery_tokens.expires_at;
end
$function$;

CREATE OR REPLACE FUNCTION public.end_delivery_token(p_token text, p_device_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.delivery_tokens t
  where t.token_hash = sha256(convert_to(p_token, 'UTF8')) and t.device_id = p_device_id;
$function$;

CREATE OR REPLACE FUNCTION private.take_delivery(p_token text, p_device_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most constant integer := 1000;
  person uuid;
begin
  update private.delivery_tokens t set deliveries = t.deliveries + 1
  where t.token_hash = sha256(convert_to(p_token, 'UTF8')) and t.device_id = p_device_id and t.expires_at > now()
    and t.deliveries < most
  returning t.user_id into person;
  if person is null then
    raise exception 'Sign in again, then this is sent.' using errcode = 'PT401';
  end if;
  return person;
end
$function$;

CREATE OR REPLACE FUNCTION private.delivery_statement(p_call text, p_values jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  names text[] := array(select jsonb_object_keys(p_values));
  call oid;
  listed text;
  passed text;
begin
  if p_call = any (array['incidents', 'report_notes', 'leave_requests', 'timesheet_disputes']) then
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into listed
    from pg_catalog.pg_attribute a
    where a.attrelid = ('public.' || p_call)::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname = any (names);
    return format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)
      on conflict (id) do nothing', p_call, listed);
  end if;
  if p_call = any (array['record_clock_event', 'raise_sos', 'cancel_sos', 'answer_welfare_check', 'answer_assignment',
    'confirm_post_orders', 'record_muster', 'leave_note', 'take_over', 'answer_offer', 'record_scans'])
  then
    select p.oid into call from pg_catalog.pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname = p_call;
    select string_agg(format('%I %s', a.name, format_type(a.type, null)), ', '),
      string_agg(format('%1$I => x.%1$I', a.name), ', ')
    into listed, passed
    from pg_catalog.pg_proc p, unnest(p.proargnames[:p.pronargs], p.proargtypes::oid[]) a (name, type)
    where p.oid = call and a.name = any (names);
    return format('select from jsonb_to_record($1) x (%s), public.%I(%s)', listed, p_call, passed);
  end if;
  raise exception 'This can''t be delivered without signing in.' using errcode = 'PT403';
end
$function$;

CREATE OR REPLACE FUNCTION public.deliver(p_token text, p_device_id uuid, p_call text, p_values jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  claims text := current_setting('request.jwt.claims', true);
  called_by text := current_user;
  person uuid := private.take_delivery(p_token, p_device_id);
  statement text := private.delivery_statement(p_call, p_values);
begin
  -- A token is made by a session that has passed its second factor.
  perform set_config('request.jwt.claims',
    jsonb_build_object('sub', person, 'role', 'authenticated', 'aal', 'aal2')::text, true);
  perform set_config('role', 'authenticated', true);
  execute statement using p_values;
  perform set_config('role', called_by, true), set_config('request.jwt.claims', coalesce(claims, ''), true);
  return true;
end
$function$;

alter table private.delivery_tokens add constraint delivery_tokens_pkey PRIMARY KEY (token_hash);

alter table private.delivery_tokens add constraint delivery_tokens_user_id_device_id_key UNIQUE (user_id, device_id);

alter table private.delivery_tokens add constraint delivery_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE INDEX delivery_tokens_expires_at_idx ON private.delivery_tokens USING btree (expires_at);

alter table private.delivery_tokens enable row level security;

alter table private.delivery_tokens replica identity default;

grant execute on function public.end_left_session(uuid,text) to anon;

grant execute on function public.end_left_session(uuid,text) to authenticated;

grant execute on function public.make_delivery_token(uuid) to authenticated;

grant execute on function public.end_delivery_token(text,uuid) to anon;

grant execute on function public.end_delivery_token(text,uuid) to authenticated;

grant execute on function private.take_delivery(text,uuid) to anon;

grant execute on function private.take_delivery(text,uuid) to authenticated;

grant execute on function private.delivery_statement(text,jsonb) to anon;

grant execute on function private.delivery_statement(text,jsonb) to authenticated;

grant execute on function public.deliver(text,uuid,text,jsonb) to anon;

grant execute on function public.deliver(text,uuid,text,jsonb) to authenticated;

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": [], "newest": "1", "target": "private.delivery_tokens", "belongs": "r.user_id = $1", "blanked": [], "withheld": null, "is_shared": false, "on_erasure": "delete"}');
