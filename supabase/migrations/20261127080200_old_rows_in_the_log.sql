-- Who hears of a deleted row is who could read it. For these tables that depends on more than the key, so the log keeps
-- more of their old rows.
alter table public.user_roles replica identity full;
alter table public.shifts replica identity full;
alter table public.attendance replica identity full;
alter table public.incidents replica identity full;
alter table public.evidence replica identity full;
alter table public.incident_updates replica identity full;
alter table public.certifications replica identity full;
alter table public.leave_requests replica identity full;
alter table public.payroll replica identity full;

-- PostgreSQL 18 refuses updates of a whole-row identity with a generated column that is not published.
create unique index assignments_old_rows_idx on public.assignments (id, site_id, user_id);
alter table public.assignments replica identity using index assignments_old_rows_idx;
