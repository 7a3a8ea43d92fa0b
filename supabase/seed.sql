-- Rows of a new production database: the training courses of the firm's guards.
insert into public.training_courses (title, description, validity_months) values
  ('Basic Guard Training', 'Duties, patrol, access control, report writing and the law of arrest.', 24),
  ('First Aid & CPR', 'Emergency first aid at work and resuscitation.', 24),
  ('Fire Safety', 'Fire prevention, extinguishers and evacuation.', 12),
  ('Use of Force & De-escalation', 'Proportionate force, communication and conflict management.', 12),
  ('CCTV & Control Room Operation', 'Surveillance, logging and handing over evidence.', 36)
on conflict do nothing;
