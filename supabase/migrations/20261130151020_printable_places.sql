create trigger c_printable before insert or update of name on public.sites
  for each row execute function private.refuse_unprintable('name');
create trigger c_printable before insert or update of name on public.posts
  for each row execute function private.refuse_unprintable('name');
