CREATE OR REPLACE FUNCTION private.unprintable(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN "substring"(NORMALIZE(written, NFC), '[\u0530-\u05ff\u0700-\u1cff\u2c80-\ua63f\ua800-\uab2f\uabc0-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]'::text);

CREATE OR REPLACE FUNCTION private.refuse_unprintable()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  letter text;
begin
  for i in 0..tg_nargs - 1 loop
    letter := private.unprintable(to_jsonb(new) ->> tg_argv[i]);
    if letter is not null then
      raise exception 'Invoices and letters can''t print "%". Use Latin, Greek, Cyrillic or Arabic letters.', letter
        using errcode = 'check_violation';
    end if;
  end loop;
  return new;
end
$function$;

CREATE TRIGGER c_printable BEFORE INSERT OR UPDATE OF name, location ON public.clients FOR EACH ROW EXECUTE FUNCTION private.refuse_unprintable('name', 'location');

CREATE TRIGGER c_printable BEFORE INSERT OR UPDATE OF bill_to_name, bill_to_address ON public.contracts FOR EACH ROW EXECUTE FUNCTION private.refuse_unprintable('bill_to_name', 'bill_to_address');

grant execute on function private.unprintable(text) to authenticated;

grant execute on function private.unprintable(text) to service_role;
