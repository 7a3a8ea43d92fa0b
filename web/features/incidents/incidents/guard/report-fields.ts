// Fields that the guard's form and the one for reports by telephone share.
import { company } from '#company';
import { readCity } from '#web/lib/format/dates.ts';

export const HAPPENED = {
  type: 'datetime-local',
  optional: true,
  wide: true,
  hint: `If it was not just now. ${readCity(company.timeZone)} time`,
};

export const WITNESSES = {
  rows: 2,
  hint: 'Names and phone numbers of people who saw it. The client doesn’t see them.',
};
