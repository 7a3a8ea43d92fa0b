-- When somebody was hired, for the balance of their leave. Staff records are an admin's; this one date is not.

create function public.hired_on(p_user_id uuid default auth.uid()) returns date
language plpgsql stable security definer set search_path = '' as $$
begin
  if not (p_user_id is not distinct from auth.uid() and private.is_member()
    or private.has_role('admin', 'ops_manager', 'hr'))
  then
    raise exception 'You see only your own day of hire.' using errcode = 'insufficient_privilege';
  end if;
  return (select s.hire_date from public.staff s where s.user_id = p_user_id);
end
$$;
revoke all on function public.hired_on(uuid) from public, anon;
grant execute on function public.hired_on(uuid) to authenticated;
