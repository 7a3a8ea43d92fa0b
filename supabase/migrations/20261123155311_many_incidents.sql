-- The follow-up of many incidents: their owner and due time too.
create or replace function private.columns_of_many(p_table text) returns text[]
language sql immutable set search_path = ''
return case p_table
  when 'attendance' then array['clock_out_at', 'correction_reason', 'needs_review', 'resolution']
  when 'certifications' then array['issued_at', 'expires_at']
  when 'contact_messages' then array['state']
  when 'incidents' then array['status', 'notes', 'owner_id', 'due_at']
  when 'leave_requests' then array['status', 'decision_note']
  when 'payroll' then array['payment_status', 'payment_date']
  when 'shifts' then array['site_id', 'start_time', 'end_time', 'required_headcount']
  when 'staff' then array['status']
end;
