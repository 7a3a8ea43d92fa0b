-- Indexes for reading the audit log by action or user, newest first.
set local role supabase_auth_admin;

create index audit_log_entries_action_idx on auth.audit_log_entries ((payload ->> 'action'), created_at desc);
-- The expression of the view public.security_events, if the project has it.
create index audit_log_entries_actor_idx on auth.audit_log_entries (
  (
    case
      when payload ->> 'actor_id' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      then (payload ->> 'actor_id')::uuid
    end
  ),
  created_at desc
);

reset role;
