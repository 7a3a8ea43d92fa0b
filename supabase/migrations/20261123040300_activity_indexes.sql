-- Indexes for the pages of the activity log, newest first.

-- The history of one record, found by its id alone; it serves table and id together as well.
create index audit_log_record_idx on public.audit_log (row_id, at desc, id desc);
drop index public.audit_log_row_idx;

-- Deletes are rare: without this one, a page of them reads most of the log.
create index audit_log_deletes_idx on public.audit_log (at desc, id desc) where action = 'delete';
