-- An expense may belong to a site, for example uniforms or transport for its guards: a direct cost in the margin.
alter table public.expense_reports add column site_id uuid references public.sites (id) on delete set null;
comment on column public.expense_reports.site_id is 'Site whose direct cost it is; null for the company''s';
create index expense_reports_site_id_idx on public.expense_reports (site_id, expense_date);
