create or replace FUNCTION public.make_delivery_token(p_device_id uuid)
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
  values (private.hash_of_secret(made), auth.uid(), p_device_id)
  returning made, delivery_tokens.expires_at;
end
$function$;

create or replace FUNCTION public.end_delivery_token(p_token text, p_device_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.delivery_tokens t
  where t.token_hash = private.hash_of_secret(p_token) and t.device_id = p_device_id;
$function$;

create or replace FUNCTION private.take_delivery(p_token text, p_device_id uuid)
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
  where t.token_hash = private.hash_of_secret(p_token) and t.device_id = p_device_id and t.expires_at > now()
    and t.deliveries < most
  returning t.user_id into person;
  if person is null then
    raise exception 'Sign in again, then this is sent.' using errcode = 'PT401';
  end if;
  return person;
end
$function$;
