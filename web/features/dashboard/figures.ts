// The six counts of the dashboard, in the order of the cards (specification, section 2).
import type { Figures } from './api/get-figures.ts';

export const LOAD_FAILURE = 'Failed to load dashboard data.';

type Card = { id: keyof Figures; label: string; hint: string };

export const CARDS = [
  { id: 'todays_shifts', label: "Today's Shifts", hint: 'Starting today' },
  { id: 'active_incidents', label: 'Active Incidents', hint: 'Open or investigating' },
  { id: 'attendance_issues', label: 'Attendance Issues', hint: 'Missing clock-in or clock-out' },
  { id: 'expiring_certifications', label: 'Expiring Certifications', hint: 'Within 30 days' },
  { id: 'active_staff', label: 'Active Staff', hint: 'On the payroll' },
  { id: 'active_sites', label: 'Active Sites', hint: 'Under guard' },
] as const satisfies Card[];

export type FigureId = (typeof CARDS)[number]['id'];
