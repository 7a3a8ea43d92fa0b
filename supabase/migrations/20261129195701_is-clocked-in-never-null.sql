create or replace FUNCTION private.is_clocked_in(record public.attendance)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (((record).id IS NOT NULL) AND ((record).clock_out_at IS NULL) AND (NOT ('overtaken'::text = ANY ((record).flags))));
