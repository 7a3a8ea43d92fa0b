-- Alerts that are looked at with every clock-in, whichever shift it belongs to.
drop index concurrently if exists public.alerts_without_shift_idx;
create index concurrently alerts_without_shift_idx on public.alerts (kind) where closed_at is null and shift_id is null;
