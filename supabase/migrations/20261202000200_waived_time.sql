-- The list of unbilled hours shows what is waived beside them.
drop index concurrently if exists public.billed_time_waived_idx;
create index concurrently billed_time_waived_idx on public.billed_time (lower(span)) where waived_at is not null;
