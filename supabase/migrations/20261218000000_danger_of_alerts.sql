-- The order in which a control room deals with alerts, for lists that can't show all. Lower is graver.
-- `web/lib/vocabulary/kinds.ts` has the kinds in the same order.
create function public.danger(alert public.alerts) returns integer
language sql immutable
return array_position(array['sos', 'welfare', 'missing', 'empty', 'left_early', 'tour', 'no_signal'], alert.kind);
revoke all on function public.danger(public.alerts) from public, anon;
grant execute on function public.danger(public.alerts) to authenticated;
