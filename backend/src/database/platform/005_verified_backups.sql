-- When `npm run backup:verify` last restored the archive and found it equal to what was backed up.
alter table platform.backups add column verified_at timestamptz;
