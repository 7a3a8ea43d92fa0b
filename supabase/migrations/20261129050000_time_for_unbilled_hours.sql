-- These read months of the whole company's hours, which takes seconds: longer than the 8 s that other requests get on a busy server.
alter function public.unbilled_hours(date, date, uuid) set statement_timeout = '30s';
alter function public.unbilled_totals(date, date, uuid) set statement_timeout = '30s';
alter function public.margin(date, date, text) set statement_timeout = '30s';
