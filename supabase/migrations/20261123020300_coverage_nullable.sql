-- Tells the generated types what an hour that has not begun has none of.
comment on function public.coverage_by_hour(date) is 'Nullable: clocked_in';
