-- Unbilled hours need to know which timesheets are not approved. Work does not change it.
drop index concurrently if exists public.timesheets_not_approved_idx;
create index concurrently timesheets_not_approved_idx on public.timesheets (id)
  where status not in ('approved', 'locked');
