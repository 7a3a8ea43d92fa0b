-- What the search field of the contracts looks through.

create function public.search_text(contract public.contracts) returns text
language sql stable
return concat_ws(' ', (select c.name from public.clients c where c.id = contract.client_id), contract.title);

revoke all on function public.search_text(public.contracts) from public, anon;
grant execute on function public.search_text(public.contracts) to authenticated;
