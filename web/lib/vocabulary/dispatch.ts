// Words of calls for service and response units.
import type {
  RESPONSE_UNITS_STATE,
  SERVICE_CALLS_KIND,
  SERVICE_CALLS_OUTCOME,
  SERVICE_CALLS_PRIORITY,
  SERVICE_CALLS_SOURCE,
  SERVICE_CALLS_STATE,
  UNIT_EVENTS_KIND,
} from '#shared/database.values.ts';
import type { Tone } from './statuses.ts';

export type CallKind = (typeof SERVICE_CALLS_KIND)[number];
export type CallPriority = (typeof SERVICE_CALLS_PRIORITY)[number];
export type CallState = (typeof SERVICE_CALLS_STATE)[number];
export type UnitState = (typeof RESPONSE_UNITS_STATE)[number];

export const CALL_KIND_LABELS: Record<CallKind, string> = {
  alarm: 'Alarm',
  intruder: 'Intruder',
  escort: 'Escort',
  medical: 'Medical',
  fire: 'Fire',
  other: 'Other',
};

export const CALL_PRIORITY_LABELS: Record<CallPriority, string> = {
  danger: 'Danger',
  urgent: 'Urgent',
  routine: 'Routine',
};
export const CALL_PRIORITY_TONES: Record<CallPriority, Tone> = {
  danger: 'red',
  urgent: 'orange',
  routine: 'blue',
};

export const CALL_STATE_LABELS: Record<CallState, string> = {
  open: 'No unit',
  assigned: 'Assigned',
  en_route: 'On the way',
  on_scene: 'On scene',
  clear: 'Clear',
  closed: 'Closed',
  cancelled: 'Cancelled',
};

export const UNIT_STATE_LABELS: Record<UnitState, string> = {
  available: 'Available',
  assigned: 'Assigned',
  en_route: 'On the way',
  on_scene: 'On scene',
  clear: 'Clear',
  out_of_service: 'Out of service',
};
export const UNIT_STATE_TONES: Record<UnitState, Tone> = {
  available: 'green',
  assigned: 'yellow',
  en_route: 'blue',
  on_scene: 'blue',
  clear: 'green',
  out_of_service: 'grey',
};

export const CALL_OUTCOME_LABELS: Record<(typeof SERVICE_CALLS_OUTCOME)[number], string> = {
  secured: 'Secured',
  intervened: 'Intervened',
  handed_over: 'Handed over',
  false_alarm: 'False alarm',
  other: 'Other',
};

export const CALL_SOURCE_LABELS: Record<(typeof SERVICE_CALLS_SOURCE)[number], string> = {
  operator: 'Control room',
  sos: 'SOS',
  incident: 'Incident report',
  panel: 'Alarm panel',
};

export const UNIT_EVENT_LABELS: Record<(typeof UNIT_EVENTS_KIND)[number], string> = {
  received: 'Call received',
  changed: 'Call changed',
  note: 'Note',
  assigned: 'Asked',
  accepted: 'Accepted',
  declined: 'Declined',
  no_answer: 'No answer in time',
  en_route: 'On the way',
  on_scene: 'On scene',
  clear: 'Clear',
  taken_off: 'Taken off',
  late_answer: 'Late: no unit has accepted',
  late_en_route: 'Late: no unit is on the way',
  late_on_scene: 'Late: no unit is on scene',
  closed: 'Closed',
  cancelled: 'Cancelled',
  reopened: 'Reopened',
  out_of_service: 'Out of service',
  in_service: 'Back in service',
};
