-- A profile and an enquiry are written by callers whose account and session are in force, like everything else.

alter policy "Everyone changes their own name" on public.profiles
  using (id = (select auth.uid()) and (select private.is_proved()))
  with check (id = (select auth.uid()) and (select private.is_proved()));

grant execute on function private.is_proved() to authenticated;

drop policy "Visitors send enquiries, which arrive as new" on public.contact_messages;
create policy "Visitors send enquiries, which arrive as new" on public.contact_messages
  for insert to anon with check (state = 'new' and note is null);
create policy "Signed-in users send enquiries, which arrive as new" on public.contact_messages
  for insert to authenticated with check (state = 'new' and note is null and (select private.is_proved()));
