-- HR approves every timesheet, so HR also solves what keeps one from approval: a missing or wrong clock time. The original
-- stays with the record, and nobody corrects their own.
create policy "HR adds a missing clock-in" on public.attendance
  for insert to authenticated with check ((select private.has_role('hr')));
create policy "HR corrects attendance" on public.attendance
  for update to authenticated
  using ((select private.has_role('hr'))) with check ((select private.has_role('hr')));
