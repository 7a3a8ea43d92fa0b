-- The others who may approve are told of a proposed rate, and of a request to reopen the books.

create function private.notify_approvers(p_title text, p_body text, p_link text, p_key text) returns void
language sql security definer set search_path = '' as $$
  select private.notify(a.user_id, 'approval', p_title, p_body, p_link, p_key || ':' || a.user_id)
  from (
    select distinct r.user_id from public.user_roles r
    where r.role in ('admin', 'finance') and r.user_id is distinct from auth.uid() order by 1
  ) a;
$$;

create function private.notify_of_proposed_rate() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- One notice for all bands of a day.
  perform private.notify_approvers('A rate waits for your approval',
    format('In force from %s. Open Pay Rates to approve it.', private.day_name(new.effective_from)), '/admin/payroll',
    concat_ws(':', 'rate', new.kind, new.name, new.effective_from, txid_current()));
  return null;
end
$$;
create trigger z_notify after insert on public.rate_proposals
  for each row execute function private.notify_of_proposed_rate();

create function private.notify_of_reopening() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify_approvers('Someone asks to reopen the books', new.reason,
    '/admin/invoices/accounting?tab=closing', 'reopen:' || new.id);
  return null;
end
$$;
create trigger z_notify after insert on public.book_closings
  for each row when (new.status = 'asked') execute function private.notify_of_reopening();

revoke execute on function private.notify_approvers(text, text, text, text), private.notify_of_proposed_rate(),
  private.notify_of_reopening() from public, anon, authenticated;
