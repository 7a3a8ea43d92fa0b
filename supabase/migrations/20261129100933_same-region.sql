create or replace FUNCTION private.is_same_region(one text, other text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN COALESCE(((one = other) OR (('Liberia'::text = ANY (ARRAY[one, other])) AND (NOT (('Nigeria'::text = ANY (ARRAY[one, other])) OR ('Ghana'::text = ANY (ARRAY[one, other])))))), false);
