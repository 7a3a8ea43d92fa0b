-- Role finance: payroll and all money records, without accounts, roles or the activity log. It sees people's names,
-- because pay is about people.
alter table public.user_roles drop constraint user_roles_role_check;
alter table public.user_roles add constraint user_roles_role_check
  check (role in ('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr', 'finance', 'guard'));

alter policy "Portal users read every profile" on public.profiles using (
  (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr', 'finance'))
  or cardinality((select private.supervised_sites())) > 0
);

-- The policies of all money tables change in the same way: "Admins …" becomes "Admins and finance …".
do $$
declare
  policy record;
  wider text := '((select private.has_role(''admin'', ''finance'')))';
begin
  for policy in
    select p.tablename, p.policyname, p.cmd
    from pg_policies p
    where p.schemaname = 'public' and p.policyname ~ '^Admins (read|add|change|delete) ' and p.tablename in (
      'financial_statements', 'expense_reports', 'bank_accounts', 'loans', 'staff', 'pay_rates', 'payroll'
    )
  loop
    execute format('alter policy %I on public.%I %s', policy.policyname, policy.tablename, case policy.cmd
      when 'INSERT' then 'with check ' || wider
      when 'UPDATE' then 'using ' || wider || ' with check ' || wider
      else 'using ' || wider
    end);
    execute format('alter policy %I on public.%I rename to %I', policy.policyname, policy.tablename,
      regexp_replace(policy.policyname, '^Admins', 'Admins and finance'));
  end loop;
end
$$;

alter policy "Admins read receipts" on storage.objects
  using (bucket_id = 'receipts' and (select private.has_role('admin', 'finance')));
alter policy "Admins read receipts" on storage.objects rename to "Admins and finance read receipts";
alter policy "Admins add receipts of expenses" on storage.objects
  with check (
    bucket_id = 'receipts' and (select private.has_role('admin', 'finance'))
    and exists (select from public.expense_reports e where e.id = private.record_of_file(objects.name))
  );
alter policy "Admins add receipts of expenses" on storage.objects
  rename to "Admins and finance add receipts of expenses";
alter policy "Admins replace receipts" on storage.objects
  using (bucket_id = 'receipts' and (select private.has_role('admin', 'finance')))
  with check (
    bucket_id = 'receipts' and (select private.has_role('admin', 'finance'))
    and exists (select from public.expense_reports e where e.id = private.record_of_file(objects.name))
  );
alter policy "Admins replace receipts" on storage.objects rename to "Admins and finance replace receipts";
alter policy "Admins remove receipts" on storage.objects
  using (bucket_id = 'receipts' and (select private.has_role('admin', 'finance')));
alter policy "Admins remove receipts" on storage.objects rename to "Admins and finance remove receipts";

-- Whether the caller may see and change everybody's pay. Never null.
create function private.may_pay() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'finance');
end
$$;

-- For functions that write pay. The service role passes: it is the company's own scripts.
create function private.require_pay_role() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.may_pay() or (auth.uid() is null and auth.role() is distinct from 'anon')) then
    raise exception 'Only admins and finance may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- Names the overlapping record; the exclusion constraint would only name itself. Definer, to lock the staff record. It
-- runs before the policies, so it does nothing for callers who may not read payroll.
create or replace function private.refuse_overlapping_pay() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person text;
  other public.payroll;
begin
  if not (auth.uid() is null or private.has_role('admin', 'finance')) then
    return new;
  end if;
  -- Writers of one person's pay take turns, so that the second sees the record of the first.
  select s.full_name into person from public.staff s where s.id = new.staff_id for no key update;
  select * into other from public.payroll p
  where p.staff_id = new.staff_id and p.id <> new.id and p.payment_status <> 'cancelled'
    and p.period_start <= new.period_end and p.period_end >= new.period_start and new.period_start <= new.period_end
  order by p.period_start limit 1;
  if found then
    raise exception '% already has a payroll record from % to % (%).', person,
      to_char(other.period_start, 'Mon FMDD, YYYY'), to_char(other.period_end, 'Mon FMDD, YYYY'), other.payment_status
      using errcode = 'exclusion_violation', constraint = 'payroll_periods_do_not_overlap',
        hint = 'Choose a period that does not overlap, or cancel that record first.';
  end if;
  return new;
end
$$;

revoke all on all functions in schema private from public;
grant execute on function private.may_pay, private.require_pay_role to authenticated;
