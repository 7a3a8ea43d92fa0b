set local check_function_bodies = off;

create or replace function public.edit_announcement(
  p_id uuid, p_title text, p_body text, p_must_read boolean, p_last_day date, p_read_again boolean
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  known public.announcements;
begin
  perform private.require_announcer();
  select * into known from public.announcements a where a.id = p_id for update;
  if known.id is null then
    raise exception 'There is no such announcement.' using errcode = 'PT404';
  end if;
  if known.withdrawn_at is not null then
    raise exception 'This announcement has been withdrawn. Write a new one.' using errcode = 'PT409';
  end if;
  -- What is over reaches nobody, so it is read again only with a later day.
  if p_read_again or p_last_day is distinct from known.last_day then
    perform private.check_last_day(p_last_day);
  end if;
  if p_read_again and known.version = 20 then
    raise exception 'This has been changed 20 times. Withdraw it and write a new one.' using errcode = 'PT409';
  end if;
  update public.announcements a
  set title = p_title, body = p_body, must_read = p_must_read, last_day = p_last_day,
    version = a.version + p_read_again::integer
  where a.id = p_id returning * into known;
  if p_read_again then
    perform private.tell_addressees(known);
  else
    -- The notices say what the announcement says now; the change also refreshes the phones that show it.
    update public.notices n
    set title = private.announcement_headline(known), body = left(known.body, 300)
    where n.id in (select private.notices_of_announcement(known));
  end if;
end
$$;
